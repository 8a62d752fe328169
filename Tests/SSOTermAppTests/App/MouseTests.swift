import Foundation
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOTermApp

/// The mouse reaches everything that the keys reach: the key bar, tabs, events, and the rows and buttons of dialogs.
struct MouseTests {
  /// Clicks on the first place that contains a text.
  private static func click(_ text: String, _ model: inout AppModel) throws -> [Command] {
    let size = Size(width: 120, height: 40)
    _ = update(&model, .event(.resize(width: size.width, height: size.height)))
    let rows = FrameSample("", model).frame(size).text().split(
      separator: "\n", omittingEmptySubsequences: false)
    let y = try #require(rows.lastIndex { $0.contains(text) }, "\(text)")
    let range = try #require(rows[y].range(of: text))
    let x = rows[y].distance(from: rows[y].startIndex, to: range.lowerBound)
    return update(&model, .event(.mouse(x: x, y: y, kind: .press)))
  }

  @Test func theKeyBarPressesItsKeys() throws {
    var model = LabByKeys.suite("")
    _ = try Self.click("? help", &model)
    #expect(model.topDialog(Help.self) != nil)
    _ = try Self.click("Secrets", &model)
    #expect(model.topDialog(Help.self)?.topic == .secrets, "a topic is a tab")
    var silent = LabByKeys.suite("")
    #expect(try Self.click("s silent", &silent).contains { if case .perform = $0 { true } else { false } })
  }

  @Test func anEventOpensItsTraceAndATabItsScreen() throws {
    var model = LabByKeys.suite("")
    let commands = try Self.click("✓ sign in", &model)
    #expect(
      model.place.screen == .trace && commands.contains { if case .load(.trace) = $0 { true } else { false } }
    )
    model = LabByKeys.suite("")
    _ = try Self.click("3 Tokens", &model)
    #expect(model.place == Place(.tokens))
  }

  @Test func inAPickerTheSecondClickOnARowChoosesIt() throws {
    var model = Sample.prompt(.chooseAccount(Sample.picker(.transition)))
    let prompt = try #require(model.topDialog(PromptDialog.self))
    let other = try #require(prompt.list.ids.firstIndex(of: RowID(PickerRow.otherID)))
    #expect(try Self.click("Use another account", &model).isEmpty)
    #expect(model.topDialog(PromptDialog.self)?.list.state.selection == other)
    #expect(!(try Self.click("Use another account", &model)).isEmpty)
  }

  @Test func aButtonIsPressedButAScopeOfTheConsentPageIsNotAccepted() throws {
    var model = Sample.prompt(.consent(Sample.consent))
    let scope = try #require(Sample.consent.scopes.first).scope
    for _ in 0..<2 { #expect(try Self.click(scope, &model).isEmpty) }
    let commands = try Self.click("Cancel ]", &model)
    #expect(
      commands.contains { if case .perform(_, let answers) = $0 { answers.last == .cancel } else { false } })
  }
}
