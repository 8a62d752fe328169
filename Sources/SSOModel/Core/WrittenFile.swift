import Essentials

// The only place that creates, writes, or replaces a file; `Scripts/check-layers` refuses any other. SQLite writes the
// database itself, into a file that was created here.

/// An error for a failed system call, with its `errno`.
package struct SystemError: Error, Equatable {
  package var code: Int32
  package var displayText: String { String(cString: strerror(code)) }

  package init(code: Int32) { self.code = code }
}

/// The users who may read or write a file, at most.
///
/// The umask may narrow this further, but never widens it.
package enum FileAccess: Sendable {
  /// The access that the umask leaves, or that an existing file has, for reports and recordings.
  case shared
  /// Others can read the file but not change it, for certificates that programs trust.
  case readable
  /// Only its owner, for keys, caches, and everything that may contain a secret.
  case secret

  fileprivate var most: mode_t {
    switch self {
    case .shared: 0o666
    case .readable: 0o644
    case .secret: 0o600
    }
  }
}

/// Writes a file as a unit: after a failure, or a crash before the end, the old file is still there.
///
/// The data is written to a file beside it, synced, and renamed, and the folder is synced. The file keeps its owner and
/// group if the system allows this, and its mode to the extent that `access` allows. A symbolic link is preserved and
/// its target is replaced; a link that leads nowhere, or that another user planted, is refused. A device or a pipe is
/// written to directly, and so is one of this process's own streams (`/dev/stdout`, `/dev/fd/3`).
package func writeFile(
  _ data: Data, to path: String, access: FileAccess = .shared
) throws(SystemError) {
  if let stream = ownStream(path) { return try writeAll(data, to: stream) }
  guard !isPlantedLink(path) else { throw SystemError(code: EACCES) }
  for _ in 1...9 {
    // Opening it lets the system decide whether it may be written.
    let present = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard present >= 0 else {
      let refusal = errno
      var status = stat()
      guard refusal == ENOENT, lstat(path, &status) != 0 else { throw SystemError(code: refusal) }
      return try replace(path, by: data, access, old: nil)
    }
    defer { close(present) }
    var status = stat()
    guard fstat(present, &status) == 0 else { throw SystemError(code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return try writeAll(data, to: present) }
    guard let resolved = realpath(path, nil) else { throw SystemError(code: errno) }
    defer { free(resolved) }
    // Since the file was opened, another writer may have replaced it, or the link may have been changed.
    var target = stat()
    if lstat(resolved, &target) == 0, target.st_ino == status.st_ino, target.st_dev == status.st_dev {
      return try replace(String(cString: resolved), by: data, access, old: status)
    }
  }
  throw SystemError(code: ESTALE)
}

/// Creates a file, complete or not at all.
/// - Throws: `EEXIST` if anything is at the path.
package func createFile(
  _ data: Data, at path: String, access: FileAccess = .secret
) throws(SystemError) {
  var status = stat()
  guard lstat(path, &status) != 0 else { throw SystemError(code: EEXIST) }
  let draft = try Draft.beside(path, access)
  do throws(SystemError) {
    try draft.fill(data)
    try draft.move(to: path, replacing: false)
  } catch {
    draft.discard()
    throw error
  }
}

/// The expected presence of a file before it is opened.
package enum FilePresence { case absent, present, either }

/// Opens a file that only the user can read, for a database or a lock, which others write to or read at the same time.
///
/// The caller closes the descriptor.
package func openPrivateFile(_ path: String, _ presence: FilePresence) throws(SystemError) -> Int32 {
  let flags =
    switch presence {
    case .absent: O_CREAT | O_EXCL
    case .present: O_NOFOLLOW | O_NONBLOCK
    case .either: O_CREAT
    }
  let file = open(path, O_RDWR | O_CLOEXEC | flags, FileAccess.secret.most)
  guard file >= 0 else { throw SystemError(code: errno) }
  return file
}

/// Writes all bytes, with several system calls if necessary.
package func writeAll(_ data: Data, to descriptor: Int32) throws(SystemError) {
  var rest = data[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw SystemError(code: errno) }
    rest = rest.dropFirst(count)
  }
}

/// Waits until the contents of a file are on the disk, whichever process wrote them.
///
/// - Throws: The error of the system, such as `ENOENT`.
package func flushFile(_ path: String) throws(SystemError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError(code: errno) }
  defer { close(descriptor) }
  #if os(Linux)
    guard fdatasync(descriptor) == 0 else { throw SystemError(code: errno) }
  #else
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  #endif
}

/// Returns the descriptor that the caller of this program named as a path, or `nil` for any other path.
///
/// Replacing the file behind it would leave the caller's descriptor with the old one.
private func ownStream(_ path: String) -> Int32? {
  let number: Int32? =
    switch path {
    case "/dev/stdout": 1
    case "/dev/stderr": 2
    case _ where path.hasPrefix("/dev/fd/"): Int32(path.dropFirst("/dev/fd/".count))
    case _ where path.hasPrefix("/proc/self/fd/"): Int32(path.dropFirst("/proc/self/fd/".count))
    default: nil
    }
  // This program's own files are closed on exec, and must not be written to.
  return number.flatMap { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 ? $0 : nil }
}

/// Returns whether another user may have created the link to make this one overwrite a file, in a folder such as /tmp.
///
/// Linux has the same rule as a setting (proc_sys_fs(5), `protected_symlinks`), which is not always on.
private func isPlantedLink(_ path: String) -> Bool {
  var (link, folder) = (stat(), stat())
  guard lstat(path, &link) == 0, link.st_mode & S_IFMT == S_IFLNK, stat(folderPath(of: path), &folder) == 0
  else {
    return false
  }
  let isOpenToAll = folder.st_mode & (S_ISVTX | S_IWOTH) == S_ISVTX | S_IWOTH
  return isOpenToAll && link.st_uid != geteuid() && link.st_uid != folder.st_uid
}

/// Returns the folder of a path, with a slash at the end unless it is the current one.
private func folderPath(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
}

private func replace(
  _ target: String, by data: Data, _ access: FileAccess, old: stat?
) throws(SystemError) {
  let draft = try Draft.beside(target, access)
  do throws(SystemError) {
    if let old { draft.inherit(old, access) }
    try draft.fill(data)
    try draft.move(to: target, replacing: true)
  } catch {
    draft.discard()
    throw error
  }
}

/// A new file beside the file to replace, locked while its process lives.
///
/// A process that is killed leaves its draft behind, without the lock. The next writer of the same file removes it.
private final class Draft {
  private let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  static func beside(_ target: String, _ access: FileAccess) throws(SystemError) -> Draft {
    for number in 1...99 {
      let path = "\(base(target)).\(number)~"
      if let descriptor = try made(path, access) { return Draft(path: path, descriptor: descriptor) }
    }
    throw SystemError(code: EEXIST)
  }

  /// Returns the path to which a draft's number is added: the target's, unless no name could be so long.
  private static func base(_ target: String) -> String {
    let name = target.split(separator: "/").last ?? ""
    guard name.utf8.count > longestName else { return target }
    var start = name
    while start.utf8.count > longestName / 2 { start.removeLast() }
    return "\(folderPath(of: target))/\(start).\(sha256Hex(String(name)).prefix(16))"
  }

  /// The maximum number of bytes in a file's name, without the `.99~` of a draft (`NAME_MAX` is 255).
  private static let longestName = 251

  deinit { close(descriptor) }

  /// Returns a new file with its lock, or `nil` if another process has a file of this name.
  private static func made(_ path: String, _ access: FileAccess) throws(SystemError) -> Int32? {
    for _ in 1...9 {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, access.most)
      guard descriptor >= 0 else {
        guard errno == EEXIST else { throw SystemError(code: errno) }
        guard removeAbandoned(path) else { return nil }
        continue
      }
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Before it was locked, another process may have mistaken it for an abandoned draft and removed it.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return descriptor }
      close(descriptor)
    }
    return nil
  }

  /// Removes the draft of a process that was killed, and returns whether the draft is now gone.
  private static func removeAbandoned(_ path: String) -> Bool {
    let old = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard old >= 0 else { return errno == ENOENT }
    defer { close(old) }
    var status = stat()
    guard fstat(old, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      flock(old, LOCK_EX | LOCK_NB) == 0
    else { return false }
    // Since it was opened, its writer may have finished, and another one may have made a draft of this name.
    var current = stat()
    guard lstat(path, &current) == 0 else { return errno == ENOENT }
    guard current.st_dev == status.st_dev, current.st_ino == status.st_ino else { return false }
    return unlink(path) == 0 || errno == ENOENT
  }

  /// Takes over the owner, group, and mode of the file that it replaces, to the extent that `access` allows.
  ///
  /// A group that cannot be kept does not get access.
  func inherit(_ old: stat, _ access: FileAccess) {
    var mode = old.st_mode & (access == .shared ? 0o777 : access.most)
    if fchown(descriptor, old.st_uid, old.st_gid) != 0, fchown(descriptor, uid_t.max, old.st_gid) != 0 {
      mode &= ~0o070
    }
    fchmod(descriptor, mode)
  }

  func fill(_ data: Data) throws(SystemError) {
    try writeAll(data, to: descriptor)
    guard fsync(descriptor) == 0 else { throw SystemError(code: errno) }
  }

  /// Gives the draft its name, which survives a power failure when this returns.
  func move(to target: String, replacing: Bool) throws(SystemError) {
    guard (replacing ? rename(path, target) : Self.renameToNew(path, target)) == 0 else {
      throw SystemError(code: errno)
    }
    let folder = open(folderPath(of: target), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    // Some file systems cannot sync a folder.
    fsync(folder)
    close(folder)
  }

  /// Renames a file unless the new name is taken.
  private static func renameToNew(_ draft: String, _ target: String) -> Int32 {
    if link(draft, target) == 0 {
      unlink(draft)
      return 0
    }
    // Without hard links, as on FAT, another process could take the name in between.
    var status = stat()
    guard errno != EEXIST, lstat(target, &status) != 0 else {
      errno = EEXIST
      return -1
    }
    return rename(draft, target)
  }

  func discard() { unlink(path) }
}
