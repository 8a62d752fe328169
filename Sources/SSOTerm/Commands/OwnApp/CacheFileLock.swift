import CDispatch
import Essentials
import SSOCore
import SSOTermApp

/// The lock file `<file>.lockfile`, with the same protocol as msal-extensions.
///
/// See `msal_extensions/cache_lock.py`, `CrossPlatLock`, and docs/behaviour/external-clients.md §3. The file is created
/// with `O_EXCL`, which is tried every quarter of a second for five seconds, then locked with `flock`. It contains the
/// process ID and the program, and is removed at the end.
///
/// The lock file of a program that was killed remains. It is taken over if no process has it locked and the process in
/// it has ended. A lock file that does not name a process is taken over after the five seconds, as in msal-extensions.
struct CacheFileLock {
  private let path: String
  private let descriptor: Int32

  init(for file: String) throws {
    path = file + ".lockfile"
    for attempt in 0...20 {
      var made: Int32 = -1
      do throws(SystemError) { made = try openPrivateFile(path, .absent) } catch {
        guard error.code == EEXIST else { throw CommandFailure(writing: file, error) }
      }
      if let taken = Self.take(
        made >= 0 ? made : Self.openOld(path), path, isOwn: made >= 0, isLast: attempt == 20)
      {
        descriptor = taken
        return
      }
      if attempt < 20 { usleep(250_000) }
    }
    let holder = Self.openOld(path)
    defer { close(holder) }
    throw CommandFailure(
      status: .storeUnusable, kind: "locked", what: "\(file) is locked by another program.",
      why: "process \(Self.displayText(in: holder)) has held \(path) for five seconds",
      next: "the same command again")
  }

  func release() {
    unlink(path)
    close(descriptor)
  }

  private static func openOld(_ path: String) -> Int32 {
    (try? openPrivateFile(path, .present)) ?? -1
  }

  /// Returns the descriptor, locked and with this process's ID in the file, or closes it and returns `nil`.
  ///
  /// It returns `nil` if another program has the lock or may have it.
  private static func take(_ file: Int32, _ path: String, isOwn: Bool, isLast: Bool) -> Int32? {
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0, isStill(file, at: path), isOwn || isLast || isOrphaned(file)
    else {
      close(file)
      return nil
    }
    ftruncate(file, 0)
    lseek(file, 0, SEEK_SET)
    // Without the process ID, another program would wait for five seconds if this one is killed.
    try? StandardStreams.write("\(getpid()) \(ProgramStart.arguments.first ?? "ssoterm")", to: file)
    return file
  }

  /// Returns whether the file is still at its path.
  ///
  /// Its holder may have removed it, and another program may have created a new one.
  private static func isStill(_ file: Int32, at path: String) -> Bool {
    var (own, there) = (stat(), stat())
    return fstat(file, &own) == 0 && stat(path, &there) == 0 && own.st_ino == there.st_ino
      && own.st_dev == there.st_dev
  }

  private static func isOrphaned(_ file: Int32) -> Bool {
    guard let holder = pid_t(displayText(in: file).prefix { $0 != " " }), holder > 0 else { return false }
    return kill(holder, 0) != 0 && errno == ESRCH
  }

  /// Returns the contents, such as `4711 program.py`, which are empty until the holder has locked the file.
  private static func displayText(in file: Int32) -> String {
    lseek(file, 0, SEEK_SET)
    let words = try? StandardStreams.read(file, limit: 200)
    return String(decoding: (words ?? Data()).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

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
  do throws(SystemError) { try writeFile(bytes, to: target, access: .secret) } catch {
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
      next: "the same command with -o other.json")
  }
  return String(cString: resolved)
}
