import Foundation

/// Writes a token cache as its readers need it: whole or not at all, and never while another program writes (real
/// clients §3.4).
///
/// msal-extensions' lock file `<file>.lockfile` is held meanwhile: made with O_EXCL, tried for 5 s every 0.25 s. The
/// file itself comes by rename, mode 0600, so a reader never sees half of it.
/// - Parameter make: The new bytes, from those that are there (nil: no file).
func replaceCacheFile(_ path: String, _ make: (Data?) throws -> Data) throws {
  let lock = path + ".lockfile"
  let descriptor = try takeLock(lock, for: path)
  defer {
    close(descriptor)
    unlink(lock)
  }
  let present = FileManager.default.fileExists(atPath: path) ? try Data(contentsOf: URL(filePath: path)) : nil
  let bytes = try make(present)
  let temporary = path + ".ssoterm-\(getpid())"
  let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw writing(path, errno) }
  var problem: Int32 = 0
  bytes.withUnsafeBytes { buffer in
    var offset = 0
    while offset < buffer.count {
      let count = write(file, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        problem = errno
        return
      }
      offset += count
    }
  }
  if problem == 0, fsync(file) != 0 { problem = errno }
  close(file)
  if problem == 0, rename(temporary, path) != 0 { problem = errno }
  guard problem == 0 else {
    unlink(temporary)
    throw writing(path, problem)
  }
}

private func takeLock(_ lock: String, for path: String) throws -> Int32 {
  for attempt in 0...20 {
    let descriptor = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return descriptor }
    guard errno == EEXIST else { throw writing(path, errno) }
    if attempt < 20 { usleep(250_000) }
  }
  throw CommandFailure(
    status: .storeUnusable, kind: "locked", what: "\(path) is locked by another program.",
    why: "\(lock) stayed there for five seconds",
    next: "If no program uses the cache any more: rm \(lock)")
}

private func writing(_ path: String, _ code: Int32) -> CommandFailure {
  CommandFailure(
    status: .usage, kind: "file", what: "\(path) cannot be written.", why: String(cString: strerror(code)),
    next: "the same command with another -o FILE")
}
