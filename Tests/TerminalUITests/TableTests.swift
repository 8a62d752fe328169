import Testing

@testable import TerminalUI

@Suite struct TableTests {
  static let columns = [
    TableColumn("APP", width: .flexible(min: 4, weight: 1)),
    TableColumn("CLIENT", width: .fixed(7), cut: .middle, priority: 2),
    TableColumn("LEFT", width: .fixed(4), align: .right, priority: 1),
  ]

  @Test func drawsOnlyTheRowsInSight() {
    var asked: [Int] = []
    var grid = Grid(width: 30, height: 4)
    drawTable(
      into: &grid, rect: grid.bounds, columns: Self.columns, rowCount: 100_000,
      row: { index in
        asked.append(index)
        return [TableCell("App \(index)"), TableCell("4b0db8c256f8", .dim), TableCell("9m", .good)]
      }, state: ListState(selection: 50_000, offset: 49_999))
    #expect(asked == [49_999, 50_000, 50_001])
    #expect(
      grid.text() == """
          APP            CLIENT   LEFT
          App 49999      4b0…6f8    9m
        > App 50000      4b0…6f8    9m
          App 50001      4b0…6f8    9m
        """)
    #expect(grid[0, 2].style.reverse && grid[29, 2].style.reverse)
    #expect(!grid[0, 1].style.reverse)
  }

  /// Draws ten rows in two groups in six lines, with the cursor on a row.
  private static func grouped(selection: Int, offset: Int) -> Grid {
    var grid = Grid(width: 12, height: 6)
    drawTable(
      into: &grid, rect: grid.bounds, columns: [TableColumn("", width: .flexible(min: 4, weight: 1))],
      rowCount: 10, row: { [TableCell("Row \($0)")] }, state: ListState(selection: selection, offset: offset),
      headings: [0: "One", 3: "Two"], found: ["w 3"])
    return grid
  }

  @Test func headingsScrollWithTheRowsBelowThem() {
    #expect(Self.grouped(selection: 0, offset: 0).text() == " One\n> Row 0\n  Row 1\n  Row 2\n Two\n  Row 3")
    #expect(
      Self.grouped(selection: 3, offset: 3).text() == " Two\n> Row 3\n  Row 4\n  Row 5\n  Row 6\n  Row 7")
    #expect(
      Self.grouped(selection: 9, offset: 4).text() == "  Row 4\n  Row 5\n  Row 6\n  Row 7\n  Row 8\n> Row 9")
  }

  @Test func theLettersThatAFilterFoundAreUnderlined() {
    let grid = Self.grouped(selection: 0, offset: 0)
    #expect((2..<8).map { grid[$0, 5].style.underline } == [false, false, true, true, true, false])
    #expect(!grid[4, 1].style.underline)
  }

  @Test(
    arguments: [
      (40, [25, 7, 4]), (19, [4, 7, 4]), (18, [12, nil, 4]), (10, [4, nil, 4]), (9, [9, nil, nil]),
      (3, [3, nil, nil]),
    ] as [(Int, [Int?])])
  func columnsGiveWayInOrderOfPriority(_ width: Int, _ widths: [Int?]) {
    #expect(columnWidths(Self.columns, width: width) == widths)
  }

  @Test(
    arguments: [
      (60, [23, 21, 12]), (34, [10, 8, 12]), (33, [nil, 19, 12]), (24, [nil, 10, 12]), (13, [nil, 5, 6]),
    ] as [(Int, [Int?])])
  func whatAColumnWantsComesBeforeOneOfLessWorth(_ width: Int, _ widths: [Int?]) {
    let columns = [
      TableColumn("NAME", width: .flexible(min: 4, wanted: 10, weight: 1), priority: 1),
      TableColumn("USER", width: .flexible(min: 5, wanted: 8, weight: 1)),
      TableColumn("STATE", width: .flexible(min: 6, wanted: 12, weight: 0)),
    ]
    #expect(columnWidths(columns, width: width) == widths)
  }

  @Test(arguments: [
    (30, "msauth.com.contoso.mail://auth"), (15, "…so.mail://auth"), (1, "…"), (0, ""),
  ])
  func whatBeginsLikeAllOthersIsCutAtTheStart(_ width: Int, _ text: String) {
    #expect(startTruncated("msauth.com.contoso.mail://auth", width) == text)
  }

  @Test(arguments: 0...60)
  func columnsNeverPassTheEdge(_ width: Int) {
    let kept = columnWidths(Self.columns, width: width).compactMap { $0 }
    #expect(kept.reduce(0, +) + 2 * (kept.count - 1) <= max(width, 0))
  }
}
