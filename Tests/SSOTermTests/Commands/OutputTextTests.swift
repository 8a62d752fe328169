import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOStore
@testable import SSOTerm
@testable import SSOTermApp
@testable import TerminalUI

struct OutputTextTests {
  @Test("A state is a glyph and words")
  func states() {
    #expect(stateText(TokenStatus(.valid, secondsLeft: 3540)).text == "● 59m left")
    #expect(stateText(TokenStatus(.expiring, secondsLeft: 240)).text == "◔ 4m left")
    #expect(stateText(TokenStatus(.expired, secondsLeft: -720)).text == "○ expired 12m ago")
    #expect(stateText(TokenStatus(.invalid)).text == "✗ invalid")
    #expect(stateText(TokenStatus(.none)).text == "· none")
  }

  @Test("Control and bidirectional characters are spelt out")
  func sanitising() {
    #expect(safe("a\u{1B}[31mb\u{202E}c\nd") == "a<U+001B>[31mb<U+202E>c<U+000A>d")
    let failure = CommandFailure(usage: "bad\u{1B}]0;x\u{7}", why: "y\u{9B}", next: "z")
    #expect(failure.text() == "ssoterm: bad<U+001B>]0;x<U+0007>: y<U+009B>.\n  try: z")
  }

  @Test("Colour is around the text and never in its width; without colour there are no escapes")
  func colour() {
    var table = TextTable(["A", "B"])
    table.append([InkedText("漢字", .good), InkedText("x")])
    #expect(table.text(TextInk()) == "A     B\n漢字  x")
    let coloured = table.text(TextInk(colour: true))
    #expect(coloured.contains("\u{1B}[32m漢字\u{1B}[0m  x"))
  }

  private static let wide: TextTable = {
    var table = TextTable(["APP", "CLIENT ID", "NEXT"], dispensable: ["CLIENT ID"])
    table.append([
      InkedText("Mail"), InkedText("b6c69a37-df96-4db0-9088-2ab96e1d8215"),
      InkedText("needs sign-in: no account is signed in"),
    ])
    return table
  }()

  @Test(
    "On a terminal a table is as wide as the terminal; optional columns are omitted, and listed",
    arguments: [
      (
        100,
        """
        APP   CLIENT ID                             NEXT
        Mail  b6c69a37-df96-4db0-9088-2ab96e1d8215  needs sign-in: no account is signed in
        """
      ),
      (44, "APP   NEXT\nMail  needs sign-in: no account is signed in\nno room for CLIENT ID"),
      (24, "APP   NEXT\nMail  needs sign-in: no…\nno room for CLIENT ID"),
    ])
  func fitting(_ width: Int, _ text: String) {
    let lines = Self.wide.lines(TextInk(layout: .fitted(width)))
    #expect(lines.prefix(2).allSatisfy { columnWidth($0) <= width })
    #expect(lines.joined(separator: "\n") == text)
  }

  @Test("Optional columns give way before the last column is truncated")
  func news() {
    var table = TextTable(["ID", "AT", "WHAT", "OUTCOME"], dispensable: ["AT"])
    table.append([
      InkedText("3"), InkedText("2026-01-05T09:00:00Z"), InkedText("silent com.contoso.mytestapp2"),
      InkedText("Its team differs from My Test App 1's."),
    ])
    let whole = "3   silent com.contoso.mytestapp2  Its team differs from My Test App 1's."
    #expect(table.lines(TextInk(layout: .fitted(80)))[1] == whole)
    let narrow = table.lines(TextInk(layout: .fitted(60)))[1]
    #expect(narrow.hasSuffix("  Its team differs from My Test App 1's."))
  }

  @Test("IDs are truncated before words and states")
  func words() {
    var table = TextTable(["TYPE", "STATE", "CLIENT", "REALM"])
    let id = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
    table.append([
      InkedText("AccessToken"), InkedText("○ expired 6d16h ago", .warning), InkedText(id), InkedText(id),
    ])
    let lines = table.lines(TextInk(layout: .fitted(60)))
    #expect(lines[1] == "AccessToken  ○ expired 6d16h ago  b6c69a…d8215  b6c69a…d8215")
  }

  @Test("In a pipe there is a tab between whole cells, and the text of a record keeps its form")
  func tabs() {
    let lines = Self.wide.lines(TextInk(layout: .tabs))
    #expect(lines[0] == "APP\tCLIENT ID\tNEXT")
    #expect(lines[1].split(separator: "\t").count == 3 && !lines[1].contains("…"))
    var record = TextTable([])
    record.append([InkedText("name"), InkedText("ada")])
    #expect(record.text(TextInk(layout: .tabs)) == "name  ada")
  }

  @Test("A paragraph breaks between words on a terminal, and is one line in a pipe")
  func paragraph() {
    let texts = [InkedText("one two three", .bad), InkedText("four\u{1B}five"), InkedText("")]
    func text(_ layout: TableLayout, colour: Bool = false) -> String {
      TextInk(colour: colour, layout: layout).paragraph(InkedText("Word  ", .faint), texts)
    }
    #expect(text(.tabs) == "Word  one two three four<U+001B>five")
    #expect(text(.fitted(14)) == "Word  one two\n      three\n      four<U+001B>five")
    #expect(
      text(.fitted(20), colour: true).split(separator: "\n")[0]
        == "\u{1B}[2mWord  \u{1B}[0m\u{1B}[31mone two three\u{1B}[0m")
  }

  @Test("A paragraph keeps the gaps between its texts, except where a line breaks")
  func gaps() {
    func text(_ width: Int?) -> String {
      TextInk(layout: width.map { .fitted($0) } ?? .tabs).paragraph(
        InkedText("  ✗ "), [InkedText("no account is signed in"), InkedText("  errors.md §4", .faint)])
    }
    #expect(text(nil) == "  ✗ no account is signed in  errors.md §4")
    #expect(text(60) == "  ✗ no account is signed in  errors.md §4")
    #expect(text(36) == "  ✗ no account is signed in\n    errors.md §4")
    #expect(text(24) == "  ✗ no account is signed\n    in  errors.md §4")
  }

  @Test("A failure breaks between words on a terminal, and its command stays whole")
  func failure() {
    let failure = CommandFailure(
      usage: "There is no app “foo”.", why: "the lab has com.contoso.mytestapp1",
      next: "ssoterm app set com.contoso.mytestapp1 platform=Android")
    #expect(
      failure.text(TextInk(layout: .fitted(40)))
        == """
        ssoterm: There is no app “foo”: the lab
                 has com.contoso.mytestapp1.
          try: ssoterm app set com.contoso.mytestapp1 platform=Android
        """)
  }

  @Test("An error lists a few names, the nearest of many, or their number")
  func names() {
    let many = (1...9).map { "field\($0)" } + ["teamID", "tenantID", "displayName", "keychainSharingGroup"]
    #expect(Array(many.prefix(3)).listed(near: "x", as: "fields") == "field1, field2, field3")
    #expect(many.listed(near: "teamid", as: "fields") == "teamID, tenantID, … (13 in all)")
    #expect(many.listed(near: "sharinggroup", as: "fields") == "keychainSharingGroup, … (13 in all)")
    #expect(many.listed(near: "foo", as: "fields") == "13 fields")
  }

  @Test("ASCII glyphs replace ours only")
  func ascii() {
    #expect(TextInk(ascii: true).draw("● é … ✗") == "* é ~ x")
  }

  @Test("The exit codes are the promised ones, each with a sentence")
  func exitCodes() {
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 130])
    #expect(ExitStatus.table.split(separator: "\n").count == 9)
    #expect(ExitStatus.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
    #expect(ExitStatus.table.contains("\n 130  Cancelled"))
  }

  @Test("An outcome decides the exit code")
  func outcomes() {
    let domain = "MSALErrorDomain"
    #expect(Outcome(.succeeded, "").status == .done)
    #expect(Outcome(.cancelled, "").status == .cancelled)
    #expect(Outcome(.failed, "", errorDomain: domain, errorCode: -50002).status == .signInNeeded)
    #expect(Outcome(.failed, "", errorDomain: domain, errorCode: -50005).status == .cancelled)
    #expect(Outcome(.failed, "", errorDomain: domain, errorCode: -50000).status == .fault)
    #expect(Outcome(.failed, "", errorDomain: "NSOSStatusErrorDomain", errorCode: -50002).status == .fault)
  }

  @Test(
    "An unknown name suggests the nearest, and nothing if none is near",
    arguments: [
      ("contoso-suit", "contoso-suite"), ("two-vendor", "two-vendors"), ("SPOOFED-CALLER", "spoofed-caller"),
      ("removal", "shared-removal"), ("zzzzzz", nil),
    ])
  func nearest(name: String, expected: String?) {
    let names = ["contoso-suite", "two-vendors", "spoofed-caller", "shared-removal"]
    #expect(nearestName(to: name, among: names) == expected)
  }

  @Test("The silent line has scopes, time left and source")
  func silent() {
    var outcome = Outcome(
      .succeeded, "", expiresOn: Instant(3540), grantedScopes: ["User.Read"], source: "cache")
    outcome.at = Instant(0)
    #expect(silentLine(outcome, TextInk()) == "● User.Read 59m left, from cache")
  }

  @Test(arguments: [("/h", "~/lab.sqlite"), ("/", "/h/lab.sqlite"), ("/ho", "/h/lab.sqlite")])
  func theStoreIsNamedByItsPath(_ home: String, _ name: String) {
    #expect(storeName("/h/lab.sqlite", home: home) == name)
  }

  @Test("The store is the option, else the variable, else in the XDG folder")
  func path() {
    #expect(storePath(option: "/a", variable: { _ in "/b" }) == "/a")
    #expect(storePath(option: nil, variable: { $0 == "SSOTERM_STORE" ? "b" : nil }) == "b")
    let data = ["XDG_DATA_HOME": "/d", "HOME": "/h"]
    #expect(storePath(option: nil, variable: { data[$0] }) == "/d/ssoterm/store.sqlite")
    #expect(
      storePath(option: nil, variable: { _ in nil }, home: { "/h" }) == "/h/.local/share/ssoterm/store.sqlite"
    )
    let relative = ["XDG_DATA_HOME": "d", "HOME": "/h"]
    #expect(storePath(option: nil, variable: { relative[$0] }) == "/h/.local/share/ssoterm/store.sqlite")
  }

  @Test func aUserWithoutAHomeIsTold() throws {
    #expect(throws: StoreError.homeless) {
      try storeLocation(option: nil, variable: { _ in nil }, home: { nil })
    }
    let named = try storeLocation(option: "/tmp/s.sqlite", variable: { _ in nil }, home: { nil })
    #expect(named == .file(path: "/tmp/s.sqlite"))
    // Debian's user nobody has a home folder of this name.
    #expect(throws: Never.self) {
      try storeLocation(option: nil, variable: { _ in nil }, home: { "/nonexistent/of" })
    }
  }
}
