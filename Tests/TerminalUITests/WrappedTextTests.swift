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

  /// A word that is too long is broken behind a separator, so that a value, a name, or a part of a path stays whole.
  @Test(
    arguments: [
      ("set teamID=A1B2C3D4E5", 16, ["set", "teamID=", "A1B2C3D4E5"]),
      ("Expenses/Supporting/Info.plist:17", 20, ["Expenses/Supporting/", "Info.plist:17"]),
      ("com.microsoft.azureauthenticator", 20, ["com.microsoft.", "azureauthenticator"]),
      ("a=0123456789abcdef", 12, ["a=", "0123456789ab", "cdef"]),
      ("0123456789abcdef", 12, ["0123456789ab", "cdef"]),
      ("a.0123456789abcdef", 12, ["a.0123456789", "abcdef"]),
    ])
  func aLongWordIsBrokenBehindASeparator(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(wrapped(text, width) == lines)
  }

  @Test func aLineIsFilledToItsWidth() {
    #expect(wrapped("✓ ab cd", 7) == ["✓ ab cd"])
    #expect(wrapped("✓ abcd efgh", 10, indent: "  ") == ["✓ abcd", "  efgh"])
    #expect(wrapped("✓ abcd efgh", 11, indent: "  ") == ["✓ abcd efgh"])
  }
}
