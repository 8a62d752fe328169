import CDispatch
import Essentials

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
      let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard made >= 0 || errno == EEXIST else {
        throw CommandFailure(writing: file, SystemError(code: errno))
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
      why: "process \(Self.words(in: holder)) has held \(path) for five seconds",
      next: "the same command again")
  }

  func release() {
    unlink(path)
    close(descriptor)
  }

  private static func openOld(_ path: String) -> Int32 {
    open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
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
    guard let holder = pid_t(words(in: file).prefix { $0 != " " }), holder > 0 else { return false }
    return kill(holder, 0) != 0 && errno == ESRCH
  }

  /// Returns the contents, such as `4711 program.py`, which are empty until the holder has locked the file.
  private static func words(in file: Int32) -> String {
    lseek(file, 0, SEEK_SET)
    let words = try? StandardStreams.read(file, limit: 200)
    return String(decoding: (words ?? Data()).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
