import SafeText
import Testing

@Suite("Right-to-left text beside other text") struct DirectionMarkTests {
  /// `|` represents the left-to-right mark.
  @Test(arguments: [
    ("plain 1", "plain 1"), ("漢字 1", "漢字 1"), ("دائرة", "|دائرة|"), ("Ada דוד", "Ada דוד|"),
    ("דוד Ada", "|דוד Ada"),
    ("דוד בן 1h", "|דוד בן |1h"), ("● דוד ○ Ada", "● |דוד ○ Ada"),
    ("1 דוד, 2 Ada, דוד", "1 |דוד, |2 Ada, דוד|"),
    ("سلام ۳", "|سلام |۳"), ("دוד<U+202E>", "|دוד<U+202E>"),
  ])
  func isKeptApart(_ text: String, _ marked: String) {
    let shown = isolated(text).replacing("\u{200E}", with: "|")
    #expect(Array(shown.unicodeScalars) == Array(marked.unicodeScalars))
  }
}
