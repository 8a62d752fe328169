import Testing

@testable import TerminalUI

@Suite struct GridTests {
  @Test(arguments: 0...6)
  func textNeverPassesTheWidthItWasGiven(_ width: Int) {
    for text in ["abcdefgh", "漢字漢字", "a漢b字c", "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}"] {
      var grid = Grid(width: 12, height: 1)
      grid.put("............", at: 0, 0, width: 12)
      grid.put(text, at: 3, 0, width: width)
      let kept = (0..<12).filter { grid[$0, 0] == Cell(".") }
      #expect(kept.starts(with: [0, 1, 2]))
      #expect(Array(kept.suffix(9 - width)) == Array((3 + width)..<12), "\(text) in \(width)")
    }
  }

  @Test func textThatIsCutEndsInAnEllipsis() {
    var grid = Grid(width: 10, height: 1)
    grid.put("Expenses report", at: 0, 0, width: 8)
    #expect(grid.text() == "Expense…")
  }

  @Test func textIsCutAtTheEdgeOfTheGridToo() {
    var grid = Grid(width: 5, height: 2)
    grid.put("abcdef", at: 2, 0, width: 40)
    grid.put("outside", at: 0, 2, width: 5)
    grid.put("outside", at: 5, 1, width: 5)
    grid.put("outside", at: 0, -1, width: 5)
    #expect(grid.text() == "  ab…\n")
  }

  @Test func aWideCharacterIsNotCutInTwo() {
    var grid = Grid(width: 4, height: 1)
    grid.put("漢字字", at: 0, 0, width: 4)
    #expect(grid.text() == "漢…")
  }

  @Test func drawingOverHalfAWideCharacterBlanksTheOtherHalf() {
    var grid = Grid(width: 4, height: 2)
    grid.put("漢字", at: 0, 0, width: 4)
    grid.put("x", at: 1, 0, width: 1)
    grid.put("漢字", at: 0, 1, width: 4)
    grid.put("x", at: 2, 1, width: 1)
    #expect(grid.text() == " x字\n漢x")
    #expect((0..<4).map { grid[$0, 0].isContinuation } == [false, false, false, true])
  }

  @Test func rightAlignedTextEndsAtTheRightEdge() {
    var grid = Grid(width: 8, height: 2)
    grid.put("59m", at: 0, 0, width: 8, style: .good, align: .right)
    grid.put("too long for it", at: 0, 1, width: 8, style: .plain, align: .right)
    #expect(grid.text() == "     59m\ntoo lon…")
    #expect(grid.styleText() == ".....ggg\n")
  }

  @Test func aBoxCarriesItsTitleAndItsTrailingNote() {
    var grid = Grid(width: 24, height: 3)
    grid.box(grid.bounds, title: "Apps 5/5", trailing: "sort")
    #expect(
      grid.text()
        == """
        ┌ Apps 5/5 ───── sort ─┐
        │                      │
        └──────────────────────┘
        """)
  }

  @Test(arguments: 0...14)
  func aBoxKeepsItsCornersWhateverItsWidth(_ width: Int) {
    var grid = Grid(width: 16, height: 3)
    grid.box(Rect(x: 1, y: 0, width: width, height: 3), title: "A long title", trailing: "note")
    let row = Array(grid.text().split(separator: "\n", omittingEmptySubsequences: false)[0])
    guard width >= 2 else {
      #expect(row.isEmpty)
      return
    }
    #expect(row.count == width + 1)
    #expect(row[1] == "┌" && row[width] == "┐")
  }

  @Test func withoutUnicodeSymbolsBecomeASCII() {
    var grid = Grid(width: 24, height: 3, glyphs: .ascii)
    grid.box(grid.bounds, title: "a › b")
    grid.put("● ◔ ○ ✗ · ▸ … ✓ 漢é", at: 1, 1, width: 22)
    #expect(grid.text() == "+ a ? b ---------------+\n|* ~ o x . > ~ + ??    |\n+----------------------+")
  }

  @Test func restylingKeepsTheText() {
    var grid = Grid(width: 4, height: 1)
    grid.put("ab", at: 0, 0, width: 4, style: .bad)
    grid.restyle(Rect(x: 0, y: 0, width: 2, height: 1)) { $0.reverse = true }
    #expect(grid.text() == "ab")
    #expect(grid.styleText() == "55")
  }

  @Test func aRectangleIsSplitWithoutLossOrOverlap() {
    let whole = Rect(x: 2, y: 3, width: 10, height: 5)
    for cut in -1...12 {
      let (left, right) = whole.splitLeft(cut)
      #expect(left.width + right.width == 10 && left.maxX == right.x)
      let (top, bottom) = whole.splitBottom(cut)
      #expect(top.height + bottom.height == 5 && top.maxY == bottom.y)
    }
    #expect(whole.inset(by: 1) == Rect(x: 3, y: 4, width: 8, height: 3))
    #expect(whole.inset(by: 9).isEmpty)
  }
}
