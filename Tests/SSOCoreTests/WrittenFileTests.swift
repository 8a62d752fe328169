import Essentials
import SSOCore
import Testing

@Suite("A file that is replaced whole")
struct WrittenFileTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/written-file-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
  }

  private func read(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat("\(folder)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func keepsItsModeAndLeavesNoDraft() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("old".utf8), to: "\(folder)/file")
    chmod("\(folder)/file", 0o640)
    try writeFile(Data("new".utf8), to: "\(folder)/file")
    #expect(read("file") == "new")
    #expect(mode("file") == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
  }

  /// The draft, which is beside the file, has its own name.
  @Test(arguments: [("n", 251), ("n", 252), ("n", 255), ("é", 127)])
  func aNameMayBeAsLongAsTheSystemAllows(_ letter: String, _ count: Int) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let name = String(repeating: letter, count: count)
    try createFile(Data("old".utf8), at: "\(folder)/\(name)")
    try writeFile(Data("new".utf8), to: "\(folder)/\(name)")
    #expect(read(name) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
  }

  @Test func aLinkStaysAndItsTargetIsReplaced() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("old".utf8), to: "\(folder)/target")
    symlink("target", "\(folder)/link")
    try writeFile(Data("new".utf8), to: "\(folder)/link")
    #expect(read("target") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/link") == "target")
  }

  @Test func aDeviceIsWrittenToAsItIs() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("gone".utf8), to: "/dev/null")
    #expect(throws: SystemError(code: ENOSPC)) { try writeFile(Data("full".utf8), to: "/dev/full") }
  }

  @Test func aLinkThatLeadsNowhereIsRefused() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    symlink("none", "\(folder)/link")
    #expect(throws: SystemError(code: ENOENT)) { try writeFile(Data("new".utf8), to: "\(folder)/link") }
    #expect(throws: SystemError(code: EEXIST)) { try createFile(Data("new".utf8), at: "\(folder)/link") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["link"])
  }

  /// Another user may create a link in a folder like /tmp, to make this one overwrite a file.
  @Test(.enabled(if: geteuid() == 0, "only root may give a link away"))
  func aLinkThatAnotherUserPlantedIsRefused() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("old".utf8), to: "\(folder)/own")
    mkdir("\(folder)/open", 0o777)
    chmod("\(folder)/open", 0o1777)
    symlink("\(folder)/own", "\(folder)/open/report")
    lchown("\(folder)/open/report", 65534, 65534)
    #expect(throws: SystemError(code: EACCES)) {
      try writeFile(Data("new".utf8), to: "\(folder)/open/report")
    }
    #expect(read("own") == "old")
  }

  @Test func aPipeIsWrittenInto() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    mkfifo("\(folder)/pipe", 0o600)
    let reader = open("\(folder)/pipe", O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try writeFile(Data("new".utf8), to: "\(folder)/pipe")
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(Essentials.read(reader, &bytes, 10) == 3)
    var status = stat()
    #expect(stat("\(folder)/pipe", &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  /// `/dev/fd/7` is the stream that a shell has opened for this program, and not the file behind it.
  @Test func aStreamOfThisProcessIsWrittenInto() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("old ".utf8), to: "\(folder)/file")
    let stream = open("\(folder)/file", O_WRONLY | O_APPEND)
    defer { close(stream) }
    try writeFile(Data("new".utf8), to: "/dev/fd/\(stream)")
    #expect(read("file") == "old new")
  }

  @Test func aFileThatIsThereIsNotCreated() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try createFile(Data("old".utf8), at: "\(folder)/file")
    #expect(throws: SystemError(code: EEXIST)) { try createFile(Data("new".utf8), at: "\(folder)/file") }
    #expect(read("file") == "old" && mode("file") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
  }

  /// The access to a file that others could change is narrowed, and never widened.
  @Test(arguments: [
    (FileAccess.shared, mode_t(0o666), mode_t(0o666)), (.readable, 0o666, 0o644), (.readable, 0o600, 0o600),
    (.secret, 0o666, 0o600), (.shared, 0o4755, 0o755),
  ])
  func anExistingFilesModeIsKeptAsFarAsAllowed(_ access: FileAccess, _ old: mode_t, _ new: mode_t) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("old".utf8), to: "\(folder)/file")
    chmod("\(folder)/file", old)
    try writeFile(Data("new".utf8), to: "\(folder)/file", access: access)
    #expect(mode("file") == new)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away")) func itsOwnerStays() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try writeFile(Data("old".utf8), to: "\(folder)/file")
    chown("\(folder)/file", 65534, 65533)
    try writeFile(Data("new".utf8), to: "\(folder)/file", access: .secret)
    var status = stat()
    #expect(stat("\(folder)/file", &status) == 0 && status.st_uid == 65534 && status.st_gid == 65533)
  }

  /// A killed process no longer has a lock on its draft, but a running process does.
  @Test func anAbandonedDraftIsRemovedAndOneInUseIsNot() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try createFile(Data("half".utf8), at: "\(folder)/file.1~")
    try writeFile(Data("new".utf8), to: "\(folder)/file")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
    try createFile(Data("half".utf8), at: "\(folder)/file.1~")
    let other = open("\(folder)/file.1~", O_RDONLY)
    defer { close(other) }
    #expect(flock(other, LOCK_EX) == 0)
    try writeFile(Data("newer".utf8), to: "\(folder)/file")
    #expect(read("file") == "newer" && read("file.1~") == "half")
  }

  @Test func manyWritersAtOnceLeaveOneWholeFile() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let folder = folder
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          (0..<25).allSatisfy { _ in
            let text = String(repeating: "\(number)", count: 10_000)
            return (try? writeFile(Data(text.utf8), to: "\(folder)/file")) != nil
          }
        }
      }
      #expect(await group.allSatisfy { $0 })
    }
    let text = try #require(read("file"))
    #expect(text.count == 10_000 && Set(text).count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
  }

  @Test func withoutItsFolderNothingIsWritten() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: SystemError(code: ENOENT)) { try writeFile(Data(), to: "\(folder)/none/file") }
  }
}
