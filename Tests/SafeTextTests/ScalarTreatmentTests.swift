import SafeText
import Testing

/// The treatment of a range of code points after the letter `a`.
struct TreatedRange: Sendable, CustomTestStringConvertible {
  var name: String
  var range: ClosedRange<UInt32>
  var testDescription: String { name }

  init(_ name: String, _ range: ClosedRange<UInt32>) {
    self.name = name
    self.range = range
  }
}

struct ShownText: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  /// The displayed text, if it differs from the original.
  var shown: String
  var testDescription: String { name }

  init(_ name: String, _ text: String, _ shown: String? = nil) {
    self.name = name
    self.text = text
    self.shown = shown ?? text
  }
}

@Suite("Characters of untrusted text") struct ScalarTreatmentTests {
  @Test(
    "Spelt out in a Latin word",
    arguments: [
      TreatedRange("C0 controls", 0x00...0x1F), TreatedRange("delete and C1 controls", 0x7F...0x9F),
      TreatedRange("soft hyphen", 0xAD...0xAD), TreatedRange("combining grapheme joiner", 0x34F...0x34F),
      TreatedRange("Arabic letter mark", 0x61C...0x61C), TreatedRange("Hangul fillers", 0x115F...0x1160),
      TreatedRange("Khmer inherent vowels", 0x17B4...0x17B5),
      TreatedRange("Mongolian selectors", 0x180B...0x180F),
      TreatedRange("zero-width space, joiners, marks of direction", 0x200B...0x200F),
      TreatedRange("line and paragraph separator, bidirectional embeddings", 0x2028...0x202E),
      TreatedRange("word joiner, invisible operators, isolates", 0x2060...0x206F),
      TreatedRange("Hangul filler", 0x3164...0x3164), TreatedRange("private use", 0xE000...0xF8FF),
      TreatedRange("variation selectors", 0xFE00...0xFE0F),
      TreatedRange("byte order mark", 0xFEFF...0xFEFF),
      TreatedRange("half-width Hangul filler", 0xFFA0...0xFFA0),
      TreatedRange("interlinear annotation", 0xFFF9...0xFFFB),
      TreatedRange("musical format characters", 0x1D173...0x1D17A),
      TreatedRange("tags", 0xE0000...0xE007F), TreatedRange("more variation selectors", 0xE0100...0xE01EF),
      TreatedRange("private planes", 0xF0000...0xF00FF),
    ])
  func spellsOut(_ row: TreatedRange) {
    for scalar in row.range.compactMap(Unicode.Scalar.init) {
      #expect(safeText("a\(scalar)b") == "a\(spelledOut(scalar))b")
    }
  }

  @Test(arguments: [
    ShownText("Persian with zero-width non-joiner", "می\u{200C}خواهم"),
    ShownText("Devanagari with zero-width joiner", "क्\u{200D}ष"),
    ShownText("Sinhala with zero-width joiner", "ශ්\u{200D}රී"),
    ShownText("family of three", "👨\u{200D}👩\u{200D}👧"),
    ShownText("skin tone and profession", "👩\u{1F3FD}\u{200D}💻"),
    ShownText("heart with variation selector", "❤\u{FE0F}\u{200D}🔥"),
    ShownText("ideograph with its variant", "葛\u{E0100}"),
    ShownText("Mongolian variant", "\u{182D}\u{180B}"),
    ShownText("combining marks", "e\u{301}"),
    ShownText("joiner between Latin letters", "a\u{200D}b", "a<U+200D>b"),
    ShownText("joiner at the start", "\u{200C}می", "<U+200C>می"),
    ShownText("two joiners", "می\u{200C}\u{200C}", "می\u{200C}<U+200C>"),
    ShownText("selectors as hidden data", "😀\u{FE0F}\u{E0101}\u{E0102}", "😀\u{FE0F}<U+E0101><U+E0102>"),
    ShownText("what a spelt-out selector is before", "a\u{FE0F}\u{200D}b", "a<U+FE0F><U+200D>b"),
    ShownText("text from right to left", "user\u{202E}gpj.exe", "user<U+202E>gpj.exe"),
  ])
  func keepsJoinersWhereTheyBelong(_ row: ShownText) {
    #expect(Array(safeText(row.text).unicodeScalars) == Array(row.shown.unicodeScalars))
  }

  @Test func nothingInvisibleIsShownAfterALetter() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var treatments = ScalarTreatments()
      _ = treatments.next("a")
      guard treatments.next(scalar) == .shown else { continue }
      let properties = scalar.properties
      #expect(!properties.isDefaultIgnorableCodePoint, "U+\(String(value, radix: 16))")
      let category = properties.generalCategory
      #expect(category != .control && category != .format && category != .unassigned)
    }
  }

  @Test(arguments: [
    ("", "''"), ("a.sqlite", "a.sqlite"), ("/tmp/a-b_c:1@x", "/tmp/a-b_c:1@x"), ("a b", "'a b'"),
    ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"), ("~/a", "'~/a'"), ("é", "'é'"), ("*", "'*'"),
  ])
  func quotesForAShell(_ text: String, _ word: String) {
    #expect(shellWord(text) == word)
  }
}
