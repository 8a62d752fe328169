import SSOLab
import SSOProvider
import TerminalUI

/// One of several to choose; typing narrows the list.
struct Choice: Equatable, Sendable {
  /// What is done with the chosen one.
  enum Purpose: Equatable, Sendable {
    case secondApp(of: String)
    case field(FieldEdit)
    case newPolicy
    case disturbance(app: String)
    case fault(FaultForm.Part)
    case approval, port
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

  /// What was typed, where that may stand though it is not listed. A number is meant as it stands; a word that
  /// begins like a listed one is meant to be that.
  var typed: String? {
    let text = list.query.text
    guard purpose.takes(text), options.allSatisfy({ $0.value != text }) else { return nil }
    let isNumber = text.last?.isNumber ?? false
    return list.count == 0 || isNumber && list.state.selection == 0 ? text : nil
  }

  /// What Enter takes.
  var chosen: String? { typed ?? selected?.value }
}

extension Choice.Purpose {
  /// Whether a text may stand here that is not in the list.
  fileprivate func takes(_ text: String) -> Bool {
    switch self {
    case .port: Int(text).map { (0...65_535).contains($0) } ?? false
    case .fault(.kind): Fault.Kind(text) != nil
    case .fault(.times): (try? Fault.times(text)) != nil
    case .fault, .secondApp, .field, .newPolicy, .disturbance, .approval: false
    }
  }
}

extension AppModel {
  /// Enter in a list of choices.
  mutating func choose() -> [Command] {
    guard case .choice(let choice) = dialogs.last, let chosen = choice.chosen else { return [] }
    dialogs.removeLast()
    switch choice.purpose {
    case .secondApp(let first):
      if case .why = dialogs.last { dialogs.removeLast() }
      return [.load(.why(.apps(first, chosen)))]
    case .field(let edit): return set(edit, to: chosen)
    case .newPolicy:
      guard let demand = Policy.Requirement(rawValue: chosen) else { return [] }
      return begin("Changing", .perform(.setPolicy(Policy(name: demand.rawValue, requires: demand)), []))
    case .disturbance(let app):
      return begin("Changing", .perform(.disturb(app: app, Disturbance(rawValue: chosen)), []))
    case .fault(let part):
      set(part, to: chosen)
      return []
    case .approval: return Approval(word: chosen).map { approval in set { $0.approval = approval } } ?? []
    case .port: return Int(chosen).map { port in set { $0.port = port } } ?? []
    }
  }
}
