import TerminalUI
import Testing

@Suite struct WrappedTextTests {
  /// A symbol of one column breaks no line differently than a letter in its place.
  @Test(
    arguments: [
      "NEXT ✓ silent: cache, no network; the access token is valid for 59 m → 10:41",
      "09:41 ✗ Word: its sharing group differs from My Test App 1’s …", "✓", "· a ─── b",
      "Ünïcödé wörds ànd ☃ a snowman", "two  spaces ✓ and aWordThatIsMuchLongerThanTheLine✓",
    ], ["", "  ", "        "])
  func symbolsTakeTheRoomOfLetters(_ text: String, _ indent: String) {
    let letters = String(text.map { $0.isASCII ? $0 : "x" })
    for width in 14...90 {
      let lines = wrapped(text, width, indent: indent)
      #expect(
        lines.map { String($0.map { $0.isASCII ? $0 : "x" }) } == wrapped(letters, width, indent: indent))
    }
  }

  @Test func aLineIsFilledToItsWidth() {
    #expect(wrapped("✓ ab cd", 7) == ["✓ ab cd"])
    #expect(wrapped("✓ abcd efgh", 10, indent: "  ") == ["✓ abcd", "  efgh"])
    #expect(wrapped("✓ abcd efgh", 11, indent: "  ") == ["✓ abcd efgh"])
  }
}
