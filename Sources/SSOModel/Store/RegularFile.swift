import Essentials

/// The permission bits of an open file; nil if it is no regular file, but a folder, a pipe or a device.
///
/// Here, because beside NIO the static build of another module cannot tell whose `stat` it is.
package func permissions(ofRegularFile descriptor: Int32) -> UInt32? {
  var facts = stat()
  guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
  return UInt32(facts.st_mode & 0o7777)
}
