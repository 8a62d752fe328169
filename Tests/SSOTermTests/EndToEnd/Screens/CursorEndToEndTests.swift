import Testing

/// The terminal's own cursor, which screen readers and magnifiers follow: it is visible, and placed where the focus is.
@Suite("The built program's cursor in a terminal", .serialized)
struct CursorEndToEndTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  /// Each row presses keys, and specifies the text in the cursor's line, to the right of its `>`.
  @Test(arguments: [
    // Every screen with a list.
    ("contoso-suite", "", "My Test App 1"), ("contoso-suite", "j", "My Test App 2"),
    ("contoso-suite", "G", "My Test App 3"), ("contoso-suite", "Gk", "My Test App 2"),
    ("contoso-suite", "s4", "silent"), ("contoso-suite", "s4\r]", "2"),
    ("contoso-suite", "5", "A1B2C3D4E5."), ("contoso-suite", "6", "Ada's iPhone"),
    ("contoso-suite", "6\r", "device-1"),
    ("contoso-suite", "8j", "My Test App 2"), ("contoso-suite", "9j", "Two vendors"),
    // Layers over a screen.
    ("contoso-suite", "w", "an account is given"), ("contoso-suite", "m", "My Test App 1"),
    ("contoso-suite", "?", "Enter"), ("contoso-suite", ":clock", "clock"),
    ("contoso-suite", "y", "client ID"), ("contoso-suite", "Oj", "CLIENT ID"),
    ("contoso-suite", "!a", "What"),
    ("contoso-suite", "i", "Continue"),
    ("two-vendors", "c", "Ada Lovelace"), ("two-vendors", "cj", "Grace Hopper"),
    ("two-vendors", "cG", "Sign out of one"), ("two-vendors", "c\r", "Accept"),
  ])
  func standsOnTheSelectedRow(_ demo: String, _ keys: String, _ words: String) throws {
    let terminal = try start(demo)
    terminal.send(keys)
    try terminal.waitFor("the cursor on \(words)") {
      guard let line = $0.lineFromCursor else { return false }
      return $0.showsCursor && line.hasPrefix(">") && line.contains(words)
    }
    terminal.send("\u{3}")
    #expect(try terminal.ending() == .exit(130))
  }

  /// If no row is selected, the cursor is where the text starts.
  @Test(arguments: [
    ("2", "No accounts on this device."), ("7", "The server is off"), ("tq", "The store of a demo"),
  ])
  func standsAtTheTextWhereThereIsNoRow(_ keys: String, _ words: String) throws {
    let terminal = try start("contoso-suite")
    terminal.send(keys)
    try terminal.waitFor("the cursor at \(words)") {
      guard let line = $0.lineFromCursor else { return false }
      return $0.showsCursor && line.drop { $0 == " " }.hasPrefix(words)
    }
    terminal.send("\u{3}")
    #expect(try terminal.ending() == .exit(130))
  }

  /// The cursor is after the typed text in a field, even if the keys were typed before the field appeared.
  @Test(arguments: [
    ("contoso-suite", "/cont", "/cont"), ("contoso-suite", "i\rada@c", " ada@c"),
    ("contoso-suite", "i\rada@contoso.com\rana", "•••"),
    ("contoso-suite", "s4\r;here", "here"), ("contoso-suite", "C\r\u{15}Z9Y8", "Z9Y8"),
  ])
  func standsBehindWhatIsTyped(_ demo: String, _ keys: String, _ words: String) throws {
    let terminal = try start(demo)
    terminal.send(keys)
    try terminal.waitFor("the cursor behind \(words)") {
      $0.showsCursor && $0.lineToCursor.hasSuffix(words)
    }
    terminal.send("\u{3}")
    #expect(try terminal.ending() == .exit(130))
  }

  @Test func itFollowsAnotherSizeAndIsBackAfterTheProgram() throws {
    let terminal = try start("contoso-suite")
    terminal.send("jj")
    try terminal.waitFor("app 3") { $0.lineFromCursor?.hasPrefix("> My Test App 3") == true }
    terminal.resize(rows: 40, columns: 120)
    try terminal.waitFor("app 3 in a wide window") {
      $0.showsCursor && $0.lineFromCursor?.contains("My Test App 3") == true && $0.shows("CONTOSO")
        || $0.shows("client b6c69a37") && $0.lineFromCursor?.contains("My Test App 3") == true
    }
    terminal.send("q")
    #expect(try terminal.ending() == .exit(0))
    #expect(terminal.showsCursor)
  }

  private func start(_ demo: String) throws -> Terminal {
    let terminal = try Terminal(program: ["demo", demo, "--no-motion"], in: folder)
    try terminal.waitFor("the apps") { $0.shows("? help") }
    return terminal
  }
}

extension Terminal {
  /// The text of the cursor's line from the cursor on, or `nil` if the cursor is to the right of all text.
  fileprivate var lineFromCursor: String? {
    let line = Array(line(cursor.row))
    return line.count > Int(cursor.column) ? String(line[Int(cursor.column)...]) : nil
  }

  fileprivate var lineToCursor: String { String(line(cursor.row).prefix(Int(cursor.column))) }
}
