import Essentials

/// Returns the permission bits of an open file, or `nil` if it is not a regular file but a folder, a pipe, or
/// a device.
///
/// It is in this module because in the static build of modules that import NIO, `stat` is ambiguous.
package func permissions(ofRegularFile descriptor: Int32) -> UInt32? {
  var facts = stat()
  guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
  return UInt32(facts.st_mode & 0o7777)
}
