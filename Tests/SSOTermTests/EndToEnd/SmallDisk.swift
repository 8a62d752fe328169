import Foundation
import Glibc

/// A file system of its own, so that a disk can really be full or read-only.
///
/// Only root may make one.
final class SmallDisk {
  let path: String

  init(in folder: Folder, size: String) throws {
    path = folder.path("disk")
    mkdir(path, 0o700)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else {
      throw EndToEndError("mount: \(errno)")
    }
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  func makeReadOnly() throws {
    guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
      throw EndToEndError("remount: \(errno)")
    }
  }

  /// Whether this process may mount at all.
  static let isPossible: Bool = {
    guard let folder = try? Folder() else { return false }
    return (try? SmallDisk(in: folder, size: "64k")) != nil
  }()
}
