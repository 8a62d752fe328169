import SSOCore
import TerminalUI
import Testing

@testable import SSOTermApp

/// Invariants of every screen, whatever it shows.
struct FrameInvariantTests {
  @Test(arguments: FrameSample.all, FrameSample.sizes)
  func noRowIsWiderThanTheWindowAndNoSecretIsShown(_ sample: FrameSample, _ size: Size) {
    let text = sample.frame(size).text()
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == size.height)
    for row in text.split(separator: "\n") { #expect(columnWidth(String(row)) <= size.width) }
    #expect(!text.contains("SECRETSECRET"))
    #expect(!text.contains("hunter2"))
  }

  /// The eye does not find the next line at the end of a longer one.
  @Test(arguments: FrameSample.all)
  func noLineOfProseIsLongerThanAHundredColumnsInAWideWindow(_ sample: FrameSample) {
    let frames = "│┃─━┌┐└┘├┤┼╷╵"
    for row in sample.frame(Size(width: 200, height: 60)).text().split(separator: "\n") {
      let texts = row.split { frames.contains($0) }.flatMap { $0.split(separator: "  ") }
      for text in texts { #expect(text.count <= 100, "\(text)") }
    }
  }

  @Test(arguments: FrameSample.all, FrameSample.sizes)
  func selectedRowIsVisibleWhereThereIsAList(_ sample: FrameSample, _ size: Size) {
    let covering: Set<KeyContext> = [
      .signIn, .errorPage, .note, .explained, .fieldEdit, .effects, .copyMenu, .exportMenu, .sortMenu,
      .columnMenu, .leaving, .remark, .evidence, .signInEnded, .runQuestion,
    ]
    let isCovered = covering.contains(sample.model.context)
    guard !isCovered, !["apps-empty", "visibility-empty", "zoom", "provider-off"].contains(sample.name) else {
      return
    }
    #expect(sample.frame(size).text().contains(">"))
  }

  @Test(arguments: FrameSample.all, FrameSample.sizes)
  func keyBarNamesOnlyLiveKeys(_ sample: FrameSample, _ size: Size) throws {
    let lines = sample.frame(size).text().split(separator: "\n", omittingEmptySubsequences: false)
    let bar = try #require(lines.last)
    let model = sample.model
    let keys = model.shared.keys[model.context]
    let live = Set(
      keys.bar.filter { keys.isLive($0.place, in: model) }.map { keys.commands[$0.place] }.map {
        "\($0.keyText) \($0.label)"
      })
    let named = bar.split(separator: "│").flatMap { String($0).split(separator: "  ") }.map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    for entry in named { #expect(live.contains { $0.hasPrefix(entry) }, "\(entry)") }
  }

  /// The exceptions are Esc, the zoom key, and Enter on the rows of the Lab screen.
  ///
  /// Esc closes what is drawn over a picker before it cancels, postpones the sign-in of a real program, and leaves the
  /// step of a demo, and the zoom key both starts and ends zooming.
  @Test(arguments: KeyTable.contexts)
  func noKeyHasTwoMeaningsInOneContext(_ context: KeyContext) {
    let commands = KeyTable.standard.commands(in: context).filter {
      !["close details", "put off", "demo back", "all panels", "change field", "run action"].contains($0.name)
    }
    let keys = commands.flatMap(\.keys)
    #expect(keys.count == Set(keys).count)
  }

  @Test(arguments: KeyTable.contexts)
  func noNameHasTwoCommandsInOneContext(_ context: KeyContext) {
    let names = KeyTable.standard.commands(in: context).map(\.name)
    #expect(names.count == Set(names).count)
  }

  @Test(arguments: TokenState.allCases)
  func everyStateHasAGlyphAndAWord(_ state: TokenState) {
    let text = TokenStatus(state).text
    #expect(text.count > 2)
    #expect(text.dropFirst(2).contains { $0.isLetter })
  }

  /// Texts are separated by two spaces or by a line of a frame.
  @Test func atTwoHundredColumnsNoTextIsLongerThanAHundred() {
    for sample in FrameSample.all {
      let lines = sample.frame(Size(width: 200, height: 60)).text().split(separator: "\n").dropLast()
      for line in lines {
        let texts = line.replacing("  ", with: "│").split { "│─━┌┐└┘├┤┬┴┼".contains($0) }
        let longest = texts.map { columnWidth($0.drop { $0 == " " }.description) }.max() ?? 0
        #expect(longest <= 100, "\(sample.name): \(line)")
      }
    }
  }

  @Test(arguments: [(39, 12), (40, 11), (10, 3), (1, 1)])
  func aWindowThatIsTooSmallSaysSo(_ width: Int, _ height: Int) {
    let text = FrameSample.all[0].frame(Size(width: width, height: height)).text()
    #expect(text.hasPrefix(String("SSOTerm needs 40x12.".prefix(max(0, width - 1)))))
    let narrow = FrameSample.all[0].frame(Size(width: 20, height: 24)).text()
    #expect(narrow.hasPrefix("SSOTerm needs 40x12.\nNow 20x24. Ctrl-C\nquits."))
  }
}

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
