import SSOCore
import Testing

@Suite("White space at the ends of a text")
struct TrimmingTests {
  @Test(arguments: [
    ("", ""), (" \t\r\n", ""), ("a", "a"), ("  a b \n", "a b"), ("\u{00A0}a\u{2003}", "a"),
    ("\u{FEFF}a", "\u{FEFF}a"), ("e\u{0301} ", "e\u{0301}"),
  ])
  func isDroppedAndNothingElse(_ text: String, _ trimmed: String) {
    #expect(text.trimmed == trimmed)
  }

  @Test func scalarsToDropAreNamedByTheCaller() {
    #expect("\"'quoted\"".trimming { $0 == "\"" } == "'quoted")
    #expect("--".trimming { $0 == "-" } == "")
  }
}
