import Foundation
import SSOCore
import SSOReference
import TerminalUI
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

struct RandomKeyTests {
  /// A fixed sequence, so that a failure can be reproduced.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private static let keys: [KeyPress] =
    "siceIdEofvxFyzZtTulh-/?:jkgG[] 12345+q漢anN.,;m'_OPMwWC678<>!pD".map { KeyPress.character($0) } + [
      .enter, .escape, .tab, .backTab, .backspace, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown,
      .control("u"), .control("d"), .control("t"), .control("l"), .control("r"), .control("x"),
    ]

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func twoThousandKeysNeverCrash(seed: UInt64) throws {
    var dice = Dice(state: seed)
    var model = Sample.model(.apps)
    let sizes = FrameSample.sizes + [Size(width: 20, height: 5)]
    for _ in 0..<2000 {
      let key = try #require(Self.keys.randomElement(using: &dice))
      for command in update(&model, .event(.key(key))) {
        if let message = reply(to: command, &dice) { _ = update(&model, message) }
      }
      let size = try #require(sizes.randomElement(using: &dice))
      if Int.random(in: 0..<20, using: &dice) == 0 {
        _ = update(&model, .event(.resize(width: size.width, height: size.height)))
      }
      var grid = Grid(width: model.size.width, height: model.size.height)
      view(model, into: &grid)
    }
  }

  /// Returns a random response of a lab, which is sometimes empty.
  private func reply(to command: Command, _ dice: inout Dice) -> Message? {
    switch command {
    case .load(.apps): .loaded(.apps(Bool.random(using: &dice) ? Sample.apps : []))
    case .load(.tokens): .loaded(.tokens(Bool.random(using: &dice) ? Sample.tree : TokenTree(clients: [])))
    case .load(.groups): .loaded(.groups(Sample.groups))
    case .load(.items(let group)): .loaded(.items(group: group, Sample.items))
    case .load(.provider):
      .loaded(.provider(Bool.random(using: &dice) ? Sample.providerRows : ProviderRows()))
    case .serve: .server(Bool.random(using: &dice) ? .starting(port: 8443) : .on)
    case .stopServing: .server(.off(nil))
    case .load(.records): .loaded(.records(Bool.random(using: &dice) ? Sample.records : []))
    case .load(.why(let subject)):
      .loaded(.why(subject, Bool.random(using: &dice) ? Sample.checklist : nil))
    case .load(.outcome): .loaded(.outcome(Sample.trace))
    case .load(.trace): .loaded(.trace(Bool.random(using: &dice) ? Sample.trace : nil))
    case .load(.detail(_, let revealed)):
      .loaded(.detail(Sample.detail(revealed: revealed), revealed: revealed))
    case .load(.blastRadius(let intent)): .loaded(.blastRadius(intent, Sample.radius))
    case .perform(let intent, let answers): .performed(intent, answers: answers, performance(&dice))
    case .undo, .redo, .note: .said("Done.")
    case .copySecret: .secret(Copy(text: Sample.secret, label: "token", isSecret: true))
    case .copy(let copy) where copy.isSecret: .secretCopied(Notice(text: "Copied.", kind: .plain))
    default: nil
    }
  }

  private func performance(_ dice: inout Dice) -> IntentResult {
    let prompts: [Prompt] = [
      .chooseAccount(Sample.picker(.overlay)), .signIn(Sample.signIn(.password)), .consent(Sample.consent),
      .errorPage(Sample.errorPage),
      .systemAlert(SystemAlert(appName: "My Test App 1", site: "microsoftonline.com")),
    ]
    guard let prompt = prompts.randomElement(using: &dice), Bool.random(using: &dice) else {
      let effects: [Advice] = ["Mail: next call needs sign-in (before: silent: cache, no network)"]
      return .done(Outcome(.succeeded, "Done.", effects: effects), traceID: 1)
    }
    return .needs(prompt, hopsSoFar: Sample.hops)
  }
}

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
    _ = try Self.click("4 Trace >", &model)
    #expect(model.stack == [.traces], "the path above a trace leads back to the list")
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
