import SSOCore
import SSOLab
import SSOReference
import TerminalUI

extension KeyContext { static let explained = KeyContext("explained") }

/// A text that explains a code, a state, or the source of a check.
struct Explained: TextDialog {
  var title: String
  /// The check that is explained, if any.
  var check: Check?
  var codes: [Explanation]
  /// The error as the SDK prints it.
  var printed = ""
  var scroll = 0

  /// Creates an explanation of a check's source, and of every code that occurs in the check.
  init(_ check: Check) {
    title = check.name
    self.check = check
    codes = Explanation.find(in: "\(check.name) \(check.expected) \(check.found)")
  }

  /// Creates an explanation of the codes and states in a text, or returns `nil` if it does not contain any.
  init?(_ text: String, title: String, printed: String = "") {
    codes = Explanation.find(in: text)
    guard !codes.isEmpty else { return nil }
    self.title = title
    self.printed = printed
  }

  /// Words the advice with the keys of the screens.
  mutating func adapt(to keys: KeyTable) {
    for place in codes.indices { codes[place].remedy = Advice(keys.displayText(codes[place].remedy)) }
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .explained: [
      .close(
        [.escape, .enter, .character("q")], "back", name: "close", "Goes back to the previous screen.")
    ]
  ]

  var context: KeyContext { .explained }

  func lines(width: Int) -> [PanelLine] {
    var lines: [PanelLine] = []
    if let check {
      lines += wrapped("\(check.glyph) \(check.name)", width, indent: "  ").map { PanelLine($0, check.style) }
      lines += fieldLines("Expected", check.expected, width: width)
      lines += fieldLines("Found", check.found, width: width)
      lines += fieldLines("Source", check.source, width: width)
      lines += RuleSource(check.source).sentences.flatMap { fieldLines("", $0, width: width, style: .dim) }
    }
    for code in codes {
      if !lines.isEmpty { lines.append(PanelLine("")) }
      lines += code.lines(width: width)
    }
    if !printed.isEmpty {
      lines += [PanelLine(""), PanelLine("As the SDK prints it", .dim)]
      lines += wrapped(printed, width).map { PanelLine($0) }
    }
    if codes.isEmpty, check == nil {
      lines += [PanelLine(""), PanelLine("No error code occurs in it.", .dim)]
    }
    return lines
  }
}

extension Explanation {
  /// Returns the text of `ssoterm explain`.
  func lines(width: Int) -> [PanelLine] {
    // The screens show a state by its name, and only JSON by its code.
    let words = family == .state && !name.isEmpty ? [name] : [code, name]
    let title = words.filter { !$0.isEmpty }.joined(separator: "  ")
    return wrapped(title, width).map { PanelLine($0, .bold) } + [PanelLine(domain, .dim)]
      + fieldLines("Meaning", meaning, width: width) + fieldLines("Cause", cause, width: width)
      + fieldLines("To do", remedy.commandLine, width: width)
  }
}

extension Remedy {
  var recordKind: RecordKind {
    switch kind {
    case .app: .app
    case .device: .device
    case .person: .person
    case .registration: .registration
    }
  }

  /// The words to type after `ssoterm`.
  package var commandWords: [String] {
    Advice.Action(.set, [kind.rawValue, record, change]).commandWords
  }
}

extension FieldChange {
  /// Returns the complete text of the field after the change.
  func text(after present: String?) -> String {
    guard operation != .set, let present, !present.isEmpty else { return operation == .remove ? "" : value }
    let parts = present.split(separator: ",").map { $0.trimmingSpaces }
    let own = value.split(separator: ",").map { $0.trimmingSpaces }
    let kept = parts.filter { !own.contains($0) }
    return (operation == .add ? kept + own : kept).joined(separator: ", ")
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring { drop { $0 == " " } }
}

/// A proposal for the field of a failed condition, which opens it with the value that makes the condition hold.
enum FieldProposal {
  static func open(_ change: FieldChange, _ record: RecordRow, _ shared: inout SharedState) {
    guard let field = record.fields.first(where: { $0.name == change.field }), field.canChange else {
      return shared.say("\(record.title) has no field \(change.field) to change.", .bad)
    }
    record.edit(field, proposing: change.text(after: field.isSecret ? nil : field.value), &shared)
  }
}
