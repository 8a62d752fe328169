import CDispatch
import Essentials

/// Writes a token cache atomically, and never while another program writes it (docs/behaviour/external-clients.md §3).
///
/// The new file, with mode 0600, replaces the old one by a rename, so a reader never sees half of it. A symbolic link
/// is preserved, and the file that it leads to is replaced.
///
/// `make` receives the existing bytes, or `nil` if there is no file, and returns the new ones. The lock is held while
/// it runs.
func replaceCacheFile(_ path: String, _ make: (Data?) throws -> Data) throws {
  let target = try cacheFileTarget(path)
  let lock = try CacheFileLock(for: path)
  defer { lock.release() }
  let present = access(target, F_OK) == 0 ? try readFile(target).data : nil
  let bytes = try make(present)
  // The name is always the same, so that a file left by a killed program is overwritten. The lock keeps other programs
  // away.
  let temporary = target + ".ssoterm-new"
  unlink(temporary)
  do throws(SystemError) {
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError(code: errno) }
    defer { close(file) }
    try StandardStreams.write(bytes, to: file)
    guard fsync(file) == 0, rename(temporary, target) == 0 else { throw SystemError(code: errno) }
  } catch {
    unlink(temporary)
    throw CommandFailure(writing: path, error)
  }
}

/// Returns the path of the file that a path leads to.
private func cacheFileTarget(_ path: String) throws -> String {
  var status = stat()
  guard lstat(path, &status) == 0 else { return path }
  guard let resolved = realpath(path, nil) else {
    throw CommandFailure(writing: path, SystemError(code: errno))
  }
  defer { free(resolved) }
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    throw CommandFailure(
      status: .usage, kind: "file", what: "\(path) cannot be written.", why: "it is a folder or a device",
      next: "the same command with another -o FILE, or -o - for standard output")
  }
  return String(cString: resolved)
}

/// Creates a file that only the user can read.
///
/// Fails if the file exists.
func writeNewFile(_ data: Data, to path: String) throws(SystemError) {
  let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard file >= 0 else { throw SystemError(code: errno) }
  defer { close(file) }
  do throws(SystemError) { try StandardStreams.write(data, to: file) } catch {
    unlink(path)
    throw error
  }
}

extension CommandFailure {
  init(writing path: String, _ error: SystemError) {
    self.init(
      status: .usage, kind: "file", what: "\(path) cannot be written.", why: error.words,
      next: "the same command with another -o FILE")
  }
}
