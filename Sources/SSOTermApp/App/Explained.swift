import SSOCore
import SSOLab
import SSOProvider
import SSOReference
import SSOScenarios
import TerminalUI

/// What a code, a state or the source of a check means: a text to read.
struct Explained: Equatable, Sendable {
  var title: String
  /// The check it is about, if it is one.
  var check: Check?
  var codes: [Explanation]
  var scroll = 0

  /// A check's source, and every code that occurs in it.
  init(_ check: Check) {
    title = check.name
    self.check = check
    // "none" and "valid" are states only where a list shows them.
    codes = Explanation.find(in: "\(check.name) \(check.expected) \(check.found)").filter {
      $0.family != .state
    }
  }

  /// The codes and states of a text; nil if there is none in it.
  init?(_ text: String, title: String) {
    codes = Explanation.find(in: text)
    guard !codes.isEmpty else { return nil }
    self.title = title
  }
}

extension AppModel {
  /// The text in which `W` looks for codes: what went wrong last, else what is selected.
  var textToExplain: String {
    if let notice, notice.hasCode { return notice.text }
    return switch place {
    case .apps: selectedApp.map { "\($0.next.kind.rawValue) \($0.next.sentence)" } ?? ""
    case .accounts: selectedAccount?.refreshToken.state.rawValue ?? ""
    case .tokens: selectedToken?.state.rawValue ?? ""
    case .keychain: panel == 1 ? selectedItem?.standing.state.rawValue ?? "" : ""
    case .traces: selectedTrace?.summary ?? ""
    case .trace: traceText
    case .story: selectedReport?.mismatches.map(\.found).joined(separator: " ") ?? ""
    case .records: ""
    case .provider: selectedFault?.kind.text ?? ""
    }
  }

  /// The selected step, and the outcome.
  private var traceText: String {
    let step = selectedHop.map { hop in
      ([hop.result] + hop.checks.filter { $0.verdict == .failed }.map(\.found)).joined(separator: " ")
    }
    return [step, trace?.outcome?.errorWords, trace?.summary.summary].compactMap(\.self).joined(
      separator: " ")
  }

  mutating func explainSelection() -> [Command] {
    if place == .traces, let id = selectedTrace?.id, notice?.kind != .bad { return [.load(.outcome(id))] }
    explain(textToExplain)
    return []
  }

  /// Opens the explanation of every code in a text, or says that there is none.
  mutating func explain(_ text: String) {
    guard let explained = Explained(text, title: "What it means") else {
      notice = Notice(text: "There is no code here. :explain takes one.", kind: .plain)
      return
    }
    dialogs.append(.explained(explained))
  }

  /// Enter on a condition: where the rule comes from, and the codes in it.
  mutating func explainCheck() {
    guard case .why(let why) = dialogs.last, let check = why.selected else { return }
    dialogs.append(.explained(Explained(check)))
  }

  mutating func scrollExplained(_ key: KeyPress, _ explained: Explained) {
    var explained = explained
    let area = layout.explainedArea
    let hidden = explained.lines(width: area.width - 4).count - (area.height - 2)
    var state = ListState(selection: explained.scroll)
    if state.handle(key, count: max(1, hidden + 1), height: area.height - 2) {
      explained.scroll = state.selection
    }
    dialogs[dialogs.count - 1] = .explained(explained)
  }
}

extension Notice {
  /// Whether it is an error with a code in it; "found none" is none.
  var hasCode: Bool { kind == .bad && Explanation.find(in: text).contains { $0.family != .state } }
}

extension Outcome {
  /// All in which a code may stand.
  var errorWords: String {
    [errorDomain, errorCode.map(String.init), errorText, summary].compactMap(\.self).joined(separator: " ")
  }
}
