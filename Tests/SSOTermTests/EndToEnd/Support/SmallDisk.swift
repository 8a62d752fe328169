import Foundation
import Glibc

/// A separate file system, so that a disk can really be full or read-only.
///
/// Only root may create one.
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

  /// Whether this process may mount a file system.
  static let isPossible: Bool = {
    guard let folder = try? Folder() else { return false }
    return (try? SmallDisk(in: folder, size: "64k")) != nil
  }()
}
