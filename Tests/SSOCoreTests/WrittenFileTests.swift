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

  @Test func withoutItsFolderNothingIsWritten() {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: SystemError(code: ENOENT)) { try writeFile(Data(), to: "\(folder)/none/file") }
  }
}
