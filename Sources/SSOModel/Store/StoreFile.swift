import Essentials
import SSOCore

/// Returns whether something exists at `path`.
func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

extension StoreError {
  /// Creates the error for a failed system call.
  package init(errno code: Int32, path: String) {
    self =
      switch code {
      case EACCES, EPERM, EROFS: .readOnly(path: path)
      case ENOSPC, EDQUOT: .full(path: path)
      case ENOENT: .missing(path: path)
      case EMFILE, ENFILE: .tooManyFiles(path: path)
      default: .other(path: path, message: String(cString: strerror(code)))
      }
  }
}

/// The state of a database that is not open in a process.
///
/// SQLite keeps `-wal` next to it while a process has it open.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let size: Int64
  private let changed: [Int64]

  /// Creates the stamp of a file, or returns `nil` if it does not exist or a process has it open.
  init?(restingAt path: String) {
    var status = stat()
    guard !fileExists(path + "-wal"), stat(path, &status) == 0 else { return nil }
    (inode, size) = (UInt64(status.st_ino), Int64(status.st_size))
    #if canImport(Glibc)
      changed = [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
    #else
      changed = [Int64(status.st_mtimespec.tv_sec), Int64(status.st_mtimespec.tv_nsec)]
    #endif
  }
}

/// The identity of a file, which distinguishes it from a file that replaces it.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64
}

/// The database file and its folder, with their permissions.
struct StoreFile {
  var path: String

  /// Whether a store was created here, that is, the file exists and is not empty.
  ///
  /// An empty file comes from a process that was terminated while it created the store.
  var holdsSomething: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Whether the path is a folder.
  var isFolder: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The identity of the file, or `nil` if it does not exist.
  var identity: FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }

  /// Creates the folder (0700) and an empty file (0600).
  ///
  /// SQLite gives `-wal` and `-shm` the mode of the file, so the process need not change its umask.
  func create() throws(StoreError) {
    try makeFolder()
    do throws(SystemError) { close(try openPrivateFile(path, .either)) } catch { throw refusal(error.code) }
  }

  /// Returns the error for a system call that creates the file or its folder.
  private func refusal(_ code: Int32) -> StoreError {
    [EACCES, EPERM, EROFS].contains(code)
      ? .notCreated(path: path, folder: nearestFolder) : StoreError(errno: code, path: path)
  }

  /// The folder of the file, or the nearest one above it that exists.
  var nearestFolder: String {
    var folder = path.parentFolder
    while !folder.isEmpty, !fileExists(folder) { folder = folder.parentFolder }
    return folder.isEmpty ? "." : folder
  }

  func makeFolder() throws(StoreError) { try makeFolder(path.parentFolder) }

  private func makeFolder(_ folder: String) throws(StoreError) {
    guard !folder.isEmpty, !fileExists(folder) else { return }
    try makeFolder(folder.parentFolder)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw refusal(errno) }
  }

  /// Removes the permissions of group and others from the three files, and from the folder if it is ssoterm's
  /// own.
  ///
  /// The folder may be shared, such as `/tmp`.
  func tightenModes() {
    for suffix in ["", "-wal", "-shm"] { tighten(path + suffix, to: 0o600) }
    let folder = path.parentFolder
    if folder.lastPathPart == "ssoterm" { tighten(folder, to: 0o700) }
  }

  private func tighten(_ path: String, to mode: mode_t) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 { _ = chmod(path, status.st_mode & mode) }
  }
}

/// Path functions, because Foundation's `deletingLastPathComponent` traps on a path of one letter here.
extension String {
  /// The part before the last slash: `/tmp` for `/tmp/a`, `/` for `/a`, nothing for `a`.
  package var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The part after the last slash.
  var lastPathPart: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }
}

/// Returns the permission bits of an open file, or `nil` if it is not a regular file but a folder, a pipe, or
/// a device.
///
/// It is in this module because in the static build of modules that import NIO, `stat` is ambiguous.
package func permissions(ofRegularFile descriptor: Int32) -> UInt32? {
  var facts = stat()
  guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
  return UInt32(facts.st_mode & 0o7777)
}

/// A lock that its holder may acquire again (pthread_mutexattr_settype(3), `PTHREAD_MUTEX_RECURSIVE`).
final class RecursiveLock: Sendable {
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  func unlock() { pthread_mutex_unlock(mutex) }
}
