import SSOCore
import TerminalUI

extension KeyContext { static let paste = KeyContext("paste") }

/// A log or a recording while the user pastes it on the Trace screen.
struct PasteField: DialogComponent {
  /// The maximum length of the text, in bytes.
  static let longest = 4_194_304

  private(set) var text = ""
  /// Whether a piece was dropped because there was no room for it.
  private(set) var isCut = false
  /// Whether keys arrived in place of a paste, because the terminal does not mark pasted text or the user is typing.
  private(set) var wasTyped = false

  static let keys: [KeyContext: [KeyCommand]] = [
    .paste: [
      KeyCommand(
        PasteAction.read, [.enter], "Enter", "read it", name: "read paste",
        "Reads what was pasted, and adds its calls to the traces."),
      .close([.escape], "leave it", name: "leave paste", "Closes without reading what was pasted."),
    ]
  ]

  var context: KeyContext { .paste }

  mutating func type(_ key: KeyPress) -> Bool {
    guard case .character = key else { return false }
    wasTyped = true
    return true
  }

  /// Adds a paste, of which there may be several.
  ///
  /// Terminals send the end of a line as a carriage return.
  mutating func paste(_ text: String) {
    let fits = self.text.utf8.count + text.utf8.count <= Self.longest
    // The decoder drops the part of a paste that is beyond its limit.
    isCut = isCut || !fits || text.utf8.count >= KeyDecoder.pasteLimit
    if fits { self.text += text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") }
  }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {}

  /// The text for the status line.
  var displayText: String {
    guard !text.isEmpty || isCut else {
      return wasTyped
        ? "Only a paste that the terminal marks as one is read, no typed text. Else: ssoterm read FILE --open."
        : "Paste a log now, then press Enter."
    }
    let lines = counted(text.split(whereSeparator: \.isNewline).count, "line")
    return isCut
      ? "Only \(lines) fit: leave with Esc, and use ssoterm read FILE --open."
      : "\(lines) pasted: Enter reads them, Esc leaves them."
  }
}

enum PasteAction: FeatureAction {
  case read

  var changesLab: Bool { true }

  func obstacle(in model: AppModel) -> String? {
    model.topDialog(PasteField.self)?.text.isEmpty == false ? nil : "nothing was pasted yet"
  }

  func run(on model: inout AppModel) -> [Command] {
    guard let field = model.topDialog(PasteField.self) else { return [] }
    model.dialogs.removeLast()
    return [.readLog(field.text)]
  }
}

extension KeyContext { static let note = KeyContext("note") }

/// A note on a step of a trace, while the user writes it in the status line.
struct NoteField: DialogComponent {
  var trace: Int64
  /// The number of the step, counted from 0.
  var step: Int
  var field: TextField

  static let keys: [KeyContext: [KeyCommand]] = [
    .note: [
      KeyCommand(
        NoteAction.keep, [.enter], "Enter", "save note", name: "save note", "Saves the note on the step."),
      .close([.escape], "cancel", name: "leave note", "Closes the note without a change."),
    ]
  ]

  var context: KeyContext { .note }
  mutating func type(_ key: KeyPress) -> Bool { field.handle(key) }
  mutating func paste(_ text: String) { field.insert(text) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {}
}

enum NoteAction: FeatureAction {
  case keep

  func run(on model: inout AppModel) -> [Command] {
    guard let note = model.topDialog(NoteField.self) else { return [] }
    model.dialogs.removeLast()
    return [.note(trace: note.trace, step: note.step, text: note.field.text)]
  }
}
