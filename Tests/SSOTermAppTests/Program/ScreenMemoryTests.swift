import Foundation
import TerminalUI
import Testing

@testable import SSOTermApp

struct ScreenMemoryTests {
  @Test func aFileThatIsNotValidIsAsIfThereWereNone() throws {
    let path = FileManager.default.temporaryDirectory.path + "/screens-\(UUID().uuidString).json"
    #expect(ScreenMemory.read(path) == ScreenMemory.read("/nonexistent"))
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(ScreenMemory.read(path) == ScreenMemory.read("/nonexistent"))
    try Data(#"{"hasMouse":false,"theme":"light"}"#.utf8).write(to: URL(fileURLWithPath: path))
    #expect(ScreenMemory.read(path).hasMouse == false && ScreenMemory.read(path).chosenTheme == .light)
  }

  @Test func theFileIsBesideTheDefaultStore() {
    #expect(ScreenMemory.path { $0 == "XDG_DATA_HOME" ? "/data" : nil } == "/data/ssoterm/screens.json")
  }
}
