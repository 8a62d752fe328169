import Foundation
import TerminalUI
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

/// Random keys on random labs: the panel's prediction of the next silent call matches the call that the key makes.
///
/// Every run presses some keys for each seed. For more of them, run `SSOTERM_KEYS=2000 swift test --filter
/// PredictionWalk`.
@Suite struct PredictionWalkTests {
  private static let keys = ProcessInfo.processInfo.environment["SSOTERM_KEYS"].flatMap { Int($0) } ?? 150

  @Test(arguments: PropertySeeds.all) func whatThePanelSaysIsWhatTheKeyDoes(seed: UInt64) throws {
    var walk = try KeyWalk(seed: seed)
    while walk.count < Self.keys, walk.failures.isEmpty { try walk.takeAStep() }
    #expect(walk.failures == [], "seed \(seed), key \(walk.count): \(walk.demo.suffix(30).joined())")
    #expect(walk.compared >= Self.keys / 25, "seed \(seed) compared \(walk.compared) calls only")
  }
}

/// A user who presses keys without knowing what they do, while another process changes the lab.
private struct KeyWalk {
  private(set) var failures: [String] = []
  private(set) var demo: [String] = []
  private(set) var count = 0
  private(set) var compared = 0
  private var keys: LabByKeys
  private var others: GeneratedIntents

  init(seed: UInt64) throws {
    var world = GeneratedWorld(seed: seed)
    let file = world.file()
    keys = LabByKeys(try Lab.temporary(file), title: file.name)
    others = GeneratedIntents(random: world.random, apps: file.world.apps, people: file.world.people)
  }

  mutating func takeAStep() throws {
    if others.random.holds(6) {
      let intent = try others.next(keys.lab.read { try $0.tokens.rows() })
      try others.perform(intent, on: keys.lab)
      demo.append(" [\(intent.displayText)] ")
      keys.take(.event(.storeChanged))
    }
    count += 1
    let key = nextKey()
    let isFree = keys.model.dialogs.isEmpty && keys.model.place == .apps && !keys.model.mainList.isFiltering
    let row = isFree ? keys.model.screens.apps.selected(keys.model.shared) : nil
    let (panel, owners) = (keys.text, isFree ? try tokenOwners() : [:])
    let (before, marks) = (keys.performed.count, keys.model.marked)
    demo.append(Self.name(key))
    keys.press(key)
    guard let row, row.kind == .simulated else { return }
    for (intent, outcome) in keys.performed[before...] {
      switch intent.value {
      case let call as AcquireSilently where key == .character("s"):
        check(
          call.app == row.bundleID && call.account == row.account,
          "s is for \(call.app) and \(call.account ?? "nobody")")
        compare(row, panel, outcome)
      case let made as ChangeCredentials where "eI".contains { key == .character($0) }:
        let ids = made.ids
        guard marks.isEmpty, let name = row.accountName ?? row.accounts.first else { break }
        check(
          ids.allSatisfy { owners[$0] == name }, "changed \(ids.map { owners[$0] ?? "none" }) beside \(name)")
      default: break
      }
    }
    if key == .character("w"), let why = keys.model.topDialog(Why.self) { compare(row, why) }
  }

  /// Checks that the call had the result that the panel predicted, for the reason that the panel gave.
  private mutating func compare(_ row: AppRow, _ panel: String, _ outcome: Outcome) {
    compared += 1
    let (said, found) = (row.next, Prediction.Kind(outcome))
    check(said.kind == found, "said \(said.sentence), came \(found): \(outcome.errorText ?? outcome.summary)")
    check(
      said.checks.firstFailure == outcome.failedCheck && said.reason == outcome.failedCheck?.reason,
      "said \(said.checks.firstFailure?.name ?? "nothing"), decided \(outcome.failedCheck?.name ?? "nothing")"
    )
    let words = said.sentence.split(separator: " ").prefix(3).joined(separator: " ")
    // A scrolled panel shows its conditions, but no longer the sentence above them.
    let isAtTop = panel.replacing("NEXT CALL", with: "").contains("  NEXT ")
    check(
      !isAtTop || panel.contains("NEXT \(said.glyph) \(words)"), "the panel does not say \(words):\n\(panel)")
  }

  /// Checks that `w` names the same condition, and marks no other.
  private mutating func compare(_ row: AppRow, _ why: Why) {
    guard case .app(row.bundleID, row.account) = why.subject else { return }
    let list = why.checklist
    check(
      list.firstFailure == row.next.checks.firstFailure, "why names \(list.firstFailure?.name ?? "nothing")")
    check(list.holds == row.next.kind.isSilent, "why says \(list.answer)")
    check(
      row.next.reason.map { list.answer.hasSuffix("because \($0).") && row.next.sentence.contains($0) }
        ?? true,
      "why says \(list.answer), the row \(row.next.sentence)")
    check(
      list.holds || why.selected == list.firstFailure, "the cursor is on \(why.selected?.name ?? "nothing")")
    check(
      !list.holds || !list.sections.contains { $0.checks.contains { $0.verdict == .failed } },
      "red in \(list.title)")
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds { failures.append(what) }
  }

  private func tokenOwners() throws -> [String: String] {
    Dictionary(
      try keys.lab.read { try $0.tokens.rows() }.map { ($0.id, $0.username ?? "") }, uniquingKeysWith: { $1 })
  }

  // MARK: - Keys

  private static let onApps: [KeyPress] = "ssssssswwweIoiiaczZjjkkkg .l".map { .character($0) } + [.tab]
  private static let elsewhere: [KeyPress] = "eIdjkw1111234561z".map { .character($0) } + [.enter, .escape]

  private mutating func nextKey() -> KeyPress {
    if keys.model.topDialog(PromptDialog.self) != nil {
      return others.random.pick([.control("t"), .enter, .enter, .enter, .enter, .character("j"), .escape])
    }
    guard keys.model.dialogs.isEmpty else {
      return others.random.pick([.enter, .tab, .escape, .escape, .character("j"), .character("q")])
    }
    guard keys.model.place == .apps else { return others.random.pick(Self.elsewhere) }
    return others.random.holds(8)
      ? .character(others.random.pick(["2", "3", "4", "5"])) : others.random.pick(Self.onApps)
  }

  private static func name(_ key: KeyPress) -> String {
    if case .character(let character) = key { String(character) } else { "<\(key)>" }
  }
}
