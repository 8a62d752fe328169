import Foundation
import Testing

@testable import SSOCore
@testable import SSOScenarios
@testable import SSOTermApp

/// The file that a demo writes for `ssoterm notes` in another terminal.
struct StoryProgressTests {
  @Test func theFileFollowsTheStepsAndIsGoneAfterTheDemo() throws {
    let path = NSTemporaryDirectory() + "ssoterm-notes-\(UUID().uuidString)/demo.json"
    defer { try? FileManager.default.removeItem(atPath: folder(of: path)) }
    var file = StoryProgressFile(path: path)
    var demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    #expect(StoryProgress.read(path) == nil)
    file.keep(try #require(demo.model.screens.story.story))
    let first = try #require(Self.written(path))
    #expect(first.present == 0 && first.next?.title == first.steps[0].title && first.steps.count == 4)
    demo.press(">")
    file.keep(try #require(demo.model.screens.story.story))
    let asking = try #require(Self.written(path))
    #expect(asking.isAsking && asking.present == 1)
    for _ in 0..<16 where demo.model.screens.story.story?.reports.isEmpty == true { demo.press(">") }
    file.keep(try #require(demo.model.screens.story.story))
    let last = try #require(Self.written(path))
    #expect(!last.isAsking && last.steps.map(\.passed) == [true, nil, nil, nil])
    file.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A demo that was killed leaves its file behind, and a file that another process wrote belongs to that process.
  @Test func aFileOfAnEndedProcessOrWithDamageIsOfNoDemo() throws {
    let path = NSTemporaryDirectory() + "ssoterm-notes-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var progress = try Self.progress()
    progress.process.id = 0x7FFF_FFF0
    try encodeJSON([progress]).write(to: URL(filePath: path))
    #expect(StoryProgress.read(path) == nil)
    try Data("{\"process\": ".utf8).write(to: URL(filePath: path))
    #expect(StoryProgress.read(path) == nil)
  }

  /// `ssoterm notes` continues with a demo that still runs after another one has ended.
  @Test func aDemoThatEndsLeavesTheNotesOfAnother() throws {
    let path = NSTemporaryDirectory() + "ssoterm-notes-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var (first, second) = (StoryProgressFile(path: path), StoryProgressFile(path: path))
    let suite = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    let vendors = try LabByKeys(try ScenarioLibrary().scenario("two-vendors"))
    first.keep(try #require(suite.model.screens.story.story))
    second.keep(try #require(vendors.model.screens.story.story))
    #expect(Self.written(path)?.name == "two-vendors")
    second.remove()
    #expect(StoryProgress.read(path)?.name == "contoso-suite")
    first.remove()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theNotesHaveTheStepTheNextOneAndTheTime() throws {
    var progress = try Self.progress()
    let now = progress.startedAt.adding(seconds: 754)
    progress.stepAt = progress.startedAt.adding(seconds: 700)
    #expect(
      notesText(progress, now: now, width: 60, Ink()).first == "contoso-suite  00:12:34  this step 00:00:54")
    #expect(notesText(progress, now: now, width: 60, Ink()).contains("Next: \(progress.steps[0].title)"))
    progress.present = 4
    progress.steps[3].passed = false
    let lines = notesText(progress, now: now, width: 60, Ink())
    #expect(lines.contains("✗ not as expected") && lines.last == "That was the last step.")
    progress.steps[3].note = "red \u{1B}[31m"
    #expect(!notesText(progress, now: now, width: 60, Ink()).joined().contains("\u{1B}"))
    #expect(notesText(nil, now: now, width: 60, Ink())[0] == "No demo is running.")
  }

  @Test func thePlaceIsOfThePersonAlone() {
    #expect(
      StoryProgress.path { $0 == "XDG_RUNTIME_DIR" ? "/run/user/7" : nil } == "/run/user/7/ssoterm-demo.json")
    #expect(StoryProgress.path { $0 == "XDG_DATA_HOME" ? "/data" : nil } == "/data/ssoterm/demo.json")
    #expect(
      StoryProgress.path { ["XDG_RUNTIME_DIR": "here", "XDG_DATA_HOME": "/data"][$0] }
        == "/data/ssoterm/demo.json")
  }

  private static func written(_ path: String) -> StoryProgress? {
    StoryProgressFile.writing.sync { StoryProgress.read(path) }
  }

  private static func progress() throws -> StoryProgress {
    let demo = try LabByKeys(try ScenarioLibrary().scenario("contoso-suite"))
    let now = Instant(1_768_466_467)
    return StoryProgress(try #require(demo.model.screens.story.story), startedAt: now, stepAt: now)
  }
}
