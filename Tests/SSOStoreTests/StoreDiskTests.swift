@testable import LabTestSupport
@testable import SSOCore
@testable import SSOStore

#if canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  @testable import SSOCore
  @testable import SSOKeychain
  @testable import SSOStore

  /// Real disks that reject writes: file modes that apply to this user too, and a file system of 512 KiB.
  @Suite(.serialized)
  struct StoreDiskTests {
    let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    @Test(.enabled(if: geteuid() == 0, "the last change is by another user"))
    func aStoreThatMayOnlyBeReadIsReadAsItStandsUntilItChanges() throws {
      try folder.open().write(nil) { try $0.put(Data("x".utf8), .lab, "") }
      // The reader passes through the folder, whatever the umask is.
      chmod(folder.path, 0o711)
      let directory = folder.path + "/ssoterm"
      for file in [folder.store, folder.store + ".key", directory] { chown(file, 65534, 65534) }
      chmod(folder.store, 0o400)
      chmod(directory, 0o500)
      defer { chmod(directory, 0o700) }
      var opened: WorldStore?
      withoutPrivileges { opened = try? folder.open() }
      let store = try #require(opened)
      withoutPrivileges {
        #expect((try? store.read { try $0.document(.lab, "") }) == Data("x".utf8))
        #expect(throws: StoreError.readOnly(path: folder.store)) {
          try store.write(nil) { try $0.put(Data("y".utf8), .lab, "") }
        }
      }
      try folder.open().write(nil) { try $0.put(Data("z".utf8), .lab, "") }
      #expect(throws: StoreError.changed(path: folder.store)) {
        try store.read { try $0.document(.lab, "") }
      }
    }

    /// The other process's changes may be only in `-wal`.
    @Test func aStoreThatAnotherProcessHasOpenIsNotReadAsItStands() throws {
      try folder.open().write(nil) { try $0.put(Data("x".utf8), .lab, "") }
      let directory = folder.path + "/ssoterm"
      for file in [folder.store, folder.store + ".key", directory] { chown(file, 65534, 65534) }
      try Data("w".utf8).write(to: URL(filePath: folder.store + "-wal"))
      chmod(folder.store, 0o400)
      chmod(directory, 0o500)
      defer { chmod(directory, 0o700) }
      withoutPrivileges {
        #expect(throws: StoreError.readOnly(path: folder.store)) { try folder.open() }
      }
    }

    @Test func aFolderThatCannotBeWrittenIsNamed() throws {
      chmod(folder.path, 0o500)
      defer { chmod(folder.path, 0o700) }
      withoutPrivileges {
        #expect(throws: StoreError.notCreated(path: folder.store, folder: folder.path)) { try folder.open() }
      }
    }

    @Test(.enabled(if: canMount)) func fullDiskIsAnErrorAndKeepsWhatWasThere() throws {
      let disk = folder.path + "/disk"
      mkdir(disk, 0o700)
      try #require(mount("tmpfs", disk, "tmpfs", 0, "size=512k") == 0)
      defer { umount2(disk, Int32(MNT_DETACH)) }
      let path = disk + "/lab.sqlite"
      do {
        let store = try WorldStore.open(.file(path: path), create: true)
        try store.write(nil) { try $0.put(Data("kept".utf8), .lab, "kept") }
        #expect(throws: StoreError.full(path: path)) {
          for number in 0..<100 {
            try store.write(nil) { try $0.put(Data(count: 20_000), .lab, "\(number)") }
          }
        }
        #expect(try store.read { try $0.document(.lab, "kept") } == Data("kept".utf8))
      }
      let again = try WorldStore.open(.file(path: path), create: false)
      #expect(try again.read { try $0.document(.lab, "kept") } == Data("kept".utf8))
    }

    /// Runs `body` on this thread as a user that file modes apply to.
    ///
    /// (`setfsuid` applies to one thread; the Glibc module does not export it.)
    private func withoutPrivileges(_ body: () -> Void) {
      guard geteuid() == 0, let symbol = dlsym(nil, "setfsuid") else { return body() }
      let setfsuid = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
      _ = setfsuid(65534)
      body()
      _ = setfsuid(0)
    }
  }

  /// Whether this process may mount a file system.
  private let canMount: Bool = {
    let path = FileManager.default.temporaryDirectory.path + "/ssoterm-mount-\(getpid())"
    mkdir(path, 0o700)
    defer { rmdir(path) }
    guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else { return false }
    return umount2(path, 0) == 0
  }()
#endif
