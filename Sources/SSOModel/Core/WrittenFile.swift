import Essentials

/// An error for a failed system call, with its `errno`.
package struct SystemError: Error, Equatable {
  package var code: Int32
  package var displayText: String { String(cString: strerror(code)) }

  package init(code: Int32) { self.code = code }
}

/// Replaces a file as a unit: after a failure, or a crash before the end, the old file is still there.
///
/// The data is written to a file beside it, synced, and renamed. A symbolic link is preserved and its target is
/// replaced. A device or a pipe is written to directly. A new file has the mode that the umask leaves of 0666; an
/// existing file keeps its mode.
package func writeFile(_ data: Data, to path: String) throws(SystemError) {
  var status = stat()
  let isThere = stat(path, &status) == 0
  guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    return try write(data, to: descriptor)
  }
  let target = isThere ? realpath(path, nil).map { String(takingBytesOf: $0) } ?? path : path
  let draft = "\(target).\(getpid())~"
  let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { throw SystemError(code: errno) }
  do throws(SystemError) {
    defer { close(descriptor) }
    if isThere { fchmod(descriptor, status.st_mode & 0o7777) }
    try write(data, to: descriptor)
    guard fsync(descriptor) == 0, rename(draft, target) == 0 else { throw SystemError(code: errno) }
  } catch {
    unlink(draft)
    throw error
  }
}

private func write(_ data: Data, to descriptor: Int32) throws(SystemError) {
  var rest = data
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw SystemError(code: errno) }
    rest = rest.dropFirst(count)
  }
}

extension String {
  /// Creates a string from memory that the C library allocated, and frees that memory.
  fileprivate init(takingBytesOf text: UnsafeMutablePointer<CChar>) {
    self.init(cString: text)
    free(text)
  }
}
