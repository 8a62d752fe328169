import Testing

@testable import SSOTermApp

/// The terminal's cursor is where the user's focus is, because a screen reader reads there and a magnifier follows it.
struct CursorTests {
  @Test(arguments: FrameSample.all) func everyScreenAndDialogHasItsCursorInSight(_ sample: FrameSample) throws
  {
    for size in FrameSample.sizes {
      let grid = sample.frame(size)
      let cursor = try #require(grid.cursor, "\(sample.name) \(size.width)x\(size.height)")
      #expect(grid.bounds.contains(cursor.x, cursor.y))
    }
  }

  @Test(arguments: ["", "3", "4", "5", "6", "l", "w", "m", "3y", "O"])
  func itStandsOnTheSelectedRowAndFollowsIt(_ keys: String) throws {
    let before = FrameSample("", suite: keys).frame(Size(width: 100, height: 30))
    let after = FrameSample("", suite: keys + "j").frame(Size(width: 100, height: 30))
    let (first, second) = (try #require(before.cursor), try #require(after.cursor))
    // A panel of text only scrolls.
    guard keys != "l" else { return }
    #expect(before[first.x, first.y].scalars == [">"] && after[second.x, second.y].scalars == [">"])
    #expect(second.y > first.y)
  }

  @Test func aFieldHasItAndADialogTakesItFromTheListBelow() throws {
    let filter = FrameSample("", suite: "/mail").frame(Size(width: 80, height: 24))
    #expect(filter.cursor == Point(x: 6, y: 22))
    let question = FrameSample("", suite: "o").frame(Size(width: 80, height: 24))
    let cursor = try #require(question.cursor)
    #expect(
      question[cursor.x, cursor.y].scalars == [">"] && question[cursor.x + 1, cursor.y].scalars == ["C"])
  }
}
