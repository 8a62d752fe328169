import SafeText
import Testing

@testable import TerminalUI

struct Shown: Sendable, CustomTestStringConvertible {
  var text: String
  var shown: String
  var columns: Int
  var testDescription: String { "\(shown) takes \(columns)" }

  init(_ text: String, _ shown: String, _ columns: Int) {
    self.text = text
    self.shown = shown
    self.columns = columns
  }
}

@Suite struct SanitizedTests {
  /// What is drawn without looking up properties is drawn as if they had been looked up.
  @Test(arguments: [GlyphSet.unicode, .ascii]) func simpleTextIsDrawnAsOtherTextIs(_ glyphs: GlyphSet) {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar)z"
      var drawn: [Unicode.Scalar] = []
      var columns = 0
      Sanitized.walk(text, glyphs) {
        drawn.append($0)
        columns += $1
      }
      let simple = text.utf8.withContiguousStorageIfAvailable { bytes -> [Unicode.Scalar]? in
        var scalars: [Unicode.Scalar] = []
        guard let simple = SimpleText(bytes), simple.columns == 3 else { return nil }
        simple.walk { scalars.append(glyphs.glyph(for: $0)) }
        return scalars
      }
      if let simple = simple ?? nil { #expect(simple == drawn && columns == 3, "U+\(value)") }
    }
    #expect("é✓😀".utf8.withContiguousStorageIfAvailable { SimpleText($0) == nil } == true)
    #expect("é✓─…".utf8.withContiguousStorageIfAvailable { SimpleText($0)?.columns } == 4)
  }

  @Test(arguments: [
    Shown("plain", "plain", 5),
    Shown("\u{1B}[31mred", "<U+001B>[31mred", 15),
    Shown("a\nb\tc", "a<U+000A>b<U+0009>c", 19),
    Shown("\u{7F}\u{9B}", "<U+007F><U+009B>", 16),
    Shown("user\u{202E}gpj.exe", "user<U+202E>gpj.exe", 19),
    Shown("\u{2066}x\u{2069}", "<U+2066>x<U+2069>", 17),
    Shown("a\u{200B}b", "a<U+200B>b", 10),
    Shown("pay\u{AD}pal", "pay<U+00AD>pal", 14),
    Shown("\u{E0041}", "<U+E0041>", 9),
    Shown("👨\u{200D}👩\u{200D}👧", "👨👩👧", 6),
    Shown("❤\u{FE0F}", "❤", 1),
    Shown("👍\u{1F3FD}", "👍", 2),
    Shown("🇫🇷", "FR", 2),
    Shown("漢字 한글 ﾊ", "漢字 한글 ﾊ", 11),
    Shown("e\u{301}", "e\u{301}", 1),
    Shown("\u{301}e", " \u{301}e", 2),
    Shown("a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}b", "a\u{301}\u{302}\u{303}\u{304}b", 2),
    Shown("\u{E0B0}", "<U+E0B0>", 8),
    Shown("\u{378}", "<U+0378>", 8),
    Shown("● ◔ ○ ✗ ✓ ▸ … ─│┌", "● ◔ ○ ✗ ✓ ▸ … ─│┌", 17),
  ])
  func showsTextSafely(_ row: Shown) {
    #expect(columnWidth(row.text) == row.columns)
    var grid = Grid(width: 40, height: 1)
    grid.put(row.text, at: 0, 0, width: 40)
    #expect(Array(grid.text().unicodeScalars) == Array(row.shown.unicodeScalars))
  }

  /// A terminal that reorders text does so only between the marks, wherever the text is truncated.
  @Test(arguments: [
    ("דוד 1h", 9, " |דוד |1h"), ("דוד בן דוד", 6, " |דוד ב|…"), ("דוד", 9, " |דוד|"), ("Ada", 9, " Ada"),
    ("ד\u{5B0}\u{5B1}\u{5B2}\u{5B3}", 9, " |ד\u{5B0}\u{5B1}\u{5B2}|"),
  ])
  func rightToLeftTextIsKeptApart(_ text: String, _ width: Int, _ shown: String) {
    var grid = Grid(width: 10, height: 1)
    grid.put(text, at: 1, 0, width: width)
    let row = grid.text().replacing("\u{200E}", with: "|")
    #expect(Array(row.unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test func noControlCharacterEverReachesACell() {
    for value in (UInt32(0)...0x2FFF) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var grid = Grid(width: 12, height: 1)
      grid.put(String(scalar), at: 0, 0, width: 12)
      for cell in grid.cells {
        for drawn in cell.scalars {
          let category = drawn.properties.generalCategory
          let isSafe = category != .control && category != .format || drawn == DirectionMarks.mark
          #expect(isSafe, "U+\(String(value, radix: 16))")
        }
      }
    }
  }

  @Test(arguments: [
    (8, "4b0d…6f8"), (9, "4b0d…56f8"), (3, "4…8"), (2, "4…"), (1, "…"), (0, ""),
    (12, "4b0db8c256f8"), (40, "4b0db8c256f8"),
  ])
  func identifiersAreCutInTheMiddle(_ width: Int, _ shown: String) {
    #expect(middleTruncated("4b0db8c256f8", width) == shown)
    #expect(columnWidth(middleTruncated("漢字漢字漢字", width)) <= width)
  }

  /// Regression: a shortened tenant ID at the place of the cut left two ellipses.
  @Test func aCutBesideAnEllipsisLeavesOne() {
    #expect(
      middleTruncated("POST /5b1f3c2e…/EnrollmentServer/device", 28) == "POST /5b1f3c2e…Server/device")
    #expect(middleTruncated("0123456789…abcdefghi", 18) == "012345678…bcdefghi")
  }
}
