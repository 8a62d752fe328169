extension KeyContext { static let paste = KeyContext("paste") }

/// A log or a recording while it is pasted, on the screen Trace.
struct PasteField: DialogComponent {
  /// Bytes of the longest text.
  static let longest = 4_194_304

  private(set) var text = ""
  /// Whether a piece was left out because there was no room for it.
  private(set) var isCut = false
  /// Keys came in place of a paste: the terminal does not mark what is pasted, or a person types.
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

  /// Takes a paste, of which there may be several; terminals send the end of a line as carriage return.
  mutating func paste(_ text: String) {
    let fits = self.text.utf8.count + text.utf8.count <= Self.longest
    // Of one paste the decoder drops what is beyond its limit.
    isCut = isCut || !fits || text.utf8.count >= KeyDecoder.pasteLimit
    if fits { self.text += text.replacing("\r\n", with: "\n").replacing("\r", with: "\n") }
  }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {}

  /// For the status line.
  var words: String {
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
