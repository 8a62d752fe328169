import SSOModel
import TerminalUI

/// One of several to choose; typing narrows the list.
struct Choice: Equatable, Sendable {
  /// What is done with the chosen one.
  enum Purpose: Equatable, Sendable {
    case secondApp(of: String)
  }

  var purpose: Purpose
  var title: String
  var options: [Candidate]
  var list = RowList()

  /// - Parameter present: what is selected at first.
  init(_ purpose: Purpose, title: String, _ options: [Candidate], present: String? = nil) {
    self.purpose = purpose
    self.title = title
    self.options = options
    list.replace(
      ids: options.indices.map { "\($0)" }, texts: options.map { $0.value + " " + $0.detail })
    if let row = options.firstIndex(where: { $0.value == present }) { list.select(id: "\(row)") }
  }

  var selected: Candidate? { list.selectedRow.map { options[$0] } }
}

extension AppModel {
  /// Enter in a list of choices.
  mutating func choose() -> [Command] {
    guard case .choice(let choice) = dialogs.last, let chosen = choice.selected else { return [] }
    dialogs.removeLast()
    switch choice.purpose {
    case .secondApp(let first):
      if case .why = dialogs.last { dialogs.removeLast() }
      return [.load(.why(.apps(first, chosen.value)))]
    }
  }
}
