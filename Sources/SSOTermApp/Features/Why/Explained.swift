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
    for place in codes.indices { codes[place].remedy = Advice(keys.words(codes[place].remedy)) }
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
    let title = [code, name].filter { !$0.isEmpty }.joined(separator: "  ")
    return wrapped(title, width).map { PanelLine($0, .bold) } + [PanelLine(domain, .dim)]
      + fieldLines("Meaning", meaning, width: width) + fieldLines("Cause", cause, width: width)
      + fieldLines("To do", remedy.commandLine, width: width)
  }
}
