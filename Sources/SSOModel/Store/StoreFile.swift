import Essentials

/// Whether anything is at `path`.
func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

extension StoreError {
  /// The store's word for a failed system call.
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

/// A database that no process has open, as it was at a moment: SQLite keeps `-wal` beside it as long as one has.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let size: Int64
  private let changed: [Int64]

  /// Nil if some process has it open, or it is not there.
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

/// What distinguishes a file from one that takes its place.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64
}

/// The database file and its folder, and who may read them.
struct StoreFile {
  var path: String

  /// Whether a store was made here: there is a file and it is not empty. (An empty file is what a process
  /// leaves that was killed while it made the store.)
  var holdsSomething: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Whether the path is a folder's.
  var isFolder: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Which file it is; nil if there is none.
  var identity: FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }

  /// Makes the folder (0700) and an empty file (0600).
  ///
  /// SQLite gives `-wal` and `-shm` the file's mode, so no change of the process's umask is needed.
  func create() throws(StoreError) {
    try makeFolder()
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreError(errno: errno, path: path) }
    close(file)
  }

  func makeFolder() throws(StoreError) { try makeFolder(path.parentFolder) }

  private func makeFolder(_ folder: String) throws(StoreError) {
    guard !folder.isEmpty, !fileExists(folder) else { return }
    try makeFolder(folder.parentFolder)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw StoreError(errno: errno, path: path) }
  }

  /// Takes what group and others may do away from the three files, and from the folder if it is the program's
  /// own (`ssoterm`): a store may be in a shared folder such as `/tmp`.
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
