import Foundation
import SSOCore
import SSODevice
import TerminalUI
import Testing

@testable import SSODoctor
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

/// Real projects on the screen, from `assets/projects`, which the scenarios `own-app-…` use.
struct DoctorScreenTests {
  private static let source = ProjectSource(
    paths: ["no-callback", "no-callback/registration.json", "unused-entitlements"].map { "projects/" + $0 })

  @Test func enterLeadsFromTheAppToItsChecksAndToTheRule() throws {
    var model = Sample.doctor()
    #expect(model.screens.doctor.selectedSubject?.name == "Notes")
    #expect(FrameSample.commands(&model, "\r\r") == [])
    let check = try #require(model.topDialog(Finding.self)?.check)
    #expect(check.rule == .callback && check.refusal?.code == "-42700")
    let text = FrameSample("", model).frame(Size(width: 120, height: 40)).text()
    for words in [
      check.title, String(check.rule.title.prefix(40)), "in 7 public reports", "-42700", "openURLContexts",
      check.place.description,
    ] {
      #expect(text.contains(words), "\(words)")
    }
  }

  /// Whichever panel has the focus, the first finding is selected.
  @Test(arguments: ["", "l", "l\r"])
  func theKeysActOnTheSelectedCheckAndOnTheOpenOne(_ keys: String) throws {
    var model = Sample.doctor()
    _ = FrameSample.commands(&model, keys)
    let check = try #require(model.screens.doctor.selectedCheck)
    let fix = try #require(check.fix)
    #expect(FrameSample.commands(&model, "y") == [.copy(Copy(text: fix, label: "lines to write"))])
    #expect(
      FrameSample.commands(&model, "e") == [.edit(check.place), .load(.status), .load(.doctor(Self.source))])
  }

  /// The rule and the matrix are the same as for `why` and for `ssoterm doctor` on the command line.
  @Test func whetherTheAppsShareIsShownWithEachCondition() throws {
    var model = Sample.doctor()
    let sharing = try #require(model.screens.doctor.checked?.sharing)
    _ = press(&model, "G")
    #expect(model.screens.doctor.selectedSubject?.name == "sharing a sign-in")
    let pair = try #require(sharing.pairs.first)
    let cells = model.screens.doctor.checkRows.dropFirst(sharing.pairs.count)
    #expect(model.screens.doctor.checkRows.first?.text == "\(pair.title) \(pair.answer)")
    #expect(cells.count == sharing.visibility.count && sharing.visibility.count == 2)
    #expect(FrameSample.commands(&model, "\r\r") == [])
    let text = FrameSample("", model).frame(Size(width: 120, height: 40)).text()
    #expect(model.topDialog(Finding.self) != nil && text.contains(pair.answer.prefix(30)))
    let failed = try #require(pair.firstFailure)
    #expect(text.contains(failed.title.prefix(30)))
  }

  @Test func aNarrowWindowKeepsTheNamesOfTheChecks() {
    var model = Sample.doctor()
    _ = press(&model, "l")
    let text = FrameSample("", model).frame(Size(width: 40, height: 12)).text()
    #expect(text.contains("✗  The scene delegate"))
  }

  /// Beside the names of the checks, the places give way: the panel below has them in full.
  @Test func aWindowOf120ColumnsHasTheWholeNamesOfTheChecks() {
    let model = FrameSample.pressed(Sample.doctor(of: ["no-query-scheme"]), "jl")
    let text = FrameSample("", model).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("forwards the URL to the SDK  SceneDelegate.swift:5"), "\(text)")
    #expect(text.contains("…enses.entitlements:6"))
  }

  /// The contents of files do not depend on a clock.
  @Test func neitherTheHourNorTheClockIsOffered() {
    var model = Sample.doctor()
    // A clock that was moved is shown on every screen.
    model.shared.lab.status?.clockOffset = nil
    let text = FrameSample("", model).frame(Size(width: 120, height: 40)).text()
    #expect(!text.contains("as of") && !text.contains("+1h"))
    #expect(press(&model, "t") == [])
  }

  private func press(_ model: inout AppModel, _ keys: String) -> [Command] {
    FrameSample.commands(&model, keys)
  }

  @Test func aChangedFileIsCheckedAgainOnThisScreenOnly() {
    var model = Sample.doctor()
    let loads: [Command] = [.load(.status), .load(.doctor(Self.source))]
    #expect(FrameSample.commands(&model, "r") == loads)
    #expect(update(&model, .projectChanged) == loads)
    _ = model.show(.apps)
    #expect(update(&model, .projectChanged) == [])
  }

  @Test func thePaletteChecksAPath() {
    var model = Sample.model(.apps)
    let command = KeyTable.standard.commands(in: .apps).first { $0.action == Action(DoctorAction.open) }
    #expect(
      command.map { model.run($0, "My App") } == [.load(.doctor(ProjectSource(paths: ["My App"])))])
    #expect(model.place.screen == .doctor)
    #expect(DoctorAction.open.commandWords("My App", in: model) == ["doctor", "My App", "--open"])
  }

  /// The key leads from the lab's app to its files, and on to the checklist of its next call.
  @Test func wOfAnImportedAppLeadsHereAndOnToTheChecklist() throws {
    var lab = try LabByKeys("own-app-answer-lost")
    let row = try #require(lab.model.lab.apps.first { $0.bundleID == "com.contoso.notes" })
    lab.model.screens.apps.list.select(id: row.id)
    lab.press("w")
    #expect(lab.model.place.screen == .doctor)
    #expect(lab.text.contains("AppDelegate.swift:9"))
    lab.press("w")
    #expect(lab.model.topDialog(Why.self) != nil)
  }

  /// The lab's app matches the files, its first step fails as the doctor says, and the finding is the only one.
  @Test(arguments: [
    ("own-app-answer-lost", DoctorRule.callback), ("own-app-group-missing", .keychainGroup),
    ("own-app-query-scheme", .querySchemes),
  ])
  func aScenarioOfAnOwnAppIsItsProject(_ name: String, _ rule: DoctorRule) throws {
    let scenario = try ScenarioLibrary().scenario(name)
    let app = try #require(scenario.world.apps.first { $0.project != nil })
    let diagnosis = try Doctor.examine(try #require(app.project?.paths))
    var read = try #require(diagnosis.apple.first.flatMap { InstalledApp($0) })
    (read.vendor, read.project) = (app.vendor, app.project)
    #expect(read == app)
    #expect(diagnosis.findings.map(\.rule) == [rule])
    let expected = try #require(scenario.steps.first?.expectation.errorCode)
    #expect(diagnosis.findings.first?.refusal?.code == "\(expected)")
  }

  @Test(arguments: [
    (["EDITOR": "nano"], "-notes.swift", 7 as Int?, "nano +7 ./-notes.swift"),
    (["EDITOR": "nano", "VISUAL": "code --wait"], "My App/a.swift", 7, "code --wait -g 'My App/a.swift:7'"),
    (["VISUAL": "/opt/bin/hx"], "a.swift", 1, "/opt/bin/hx a.swift:1"), ([:], "a.plist", nil, "vi a.plist"),
  ])
  func theEditorOpensAtTheLine(
    _ variables: [String: String], _ path: String, _ line: Int?, _ command: String
  ) {
    let editor = EditorCommand(FilePlace(path, line: line)) { variables[$0] }
    #expect(editor.line == "exec </dev/tty >/dev/tty 2>&1; " + command)
  }

  @Test func aChangeBelowAProjectIsTold() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appending(path: "App"), withIntermediateDirectories: true)
    let (changes, report) = AsyncStream.makeStream(of: Void.self)
    let watch = ProjectWatch()
    watch.changed = { report.yield() }
    watch.follow([folder.path])
    try Data("a".utf8).write(to: folder.appending(path: "App/Info.plist"))
    for await _ in changes { break }
  }

  /// A short list of checks leaves the room to the selected check, which is right below it.
  @Test func theSelectedCheckIsBelowALowList() {
    let model = FrameSample.pressed(Sample.doctor(), "l")
    let layout = Layout(size: Size(width: 160, height: 50))
    let panels = model.screens.doctor.panels(in: layout)
    #expect(panels.second.height <= max(6, model.screens.doctor[1].count) + 2)
    #expect(panels.third.y == panels.second.maxY && panels.third.maxY == layout.body.maxY)
  }
}
