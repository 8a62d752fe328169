import Testing

@testable import TerminalUI

struct Edit: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var keys: [KeyPress]
  var text: String
  var cursor: Int
}

@Suite struct TextFieldTests {
  @Test(arguments: [
    Edit(testDescription: "typing", keys: [.character("x")], text: "ada lovelacex", cursor: 13),
    Edit(
      testDescription: "left twice", keys: [.left, .left, .character("x")], text: "ada lovelaxce", cursor: 11),
    Edit(testDescription: "start", keys: [.control("a"), .character("x")], text: "xada lovelace", cursor: 1),
    Edit(testDescription: "word", keys: [.control("w")], text: "ada ", cursor: 4),
    Edit(testDescription: "two words", keys: [.control("w"), .control("w")], text: "", cursor: 0),
    Edit(testDescription: "to start", keys: [.left, .control("u")], text: "e", cursor: 0),
    Edit(testDescription: "to end", keys: [.home, .right, .control("k")], text: "a", cursor: 1),
    Edit(testDescription: "back", keys: [.home, .right, .backspace], text: "da lovelace", cursor: 0),
    Edit(testDescription: "back at start", keys: [.home, .backspace], text: "ada lovelace", cursor: 0),
    Edit(testDescription: "delete", keys: [.home, .delete], text: "da lovelace", cursor: 0),
    Edit(testDescription: "delete at end", keys: [.delete], text: "ada lovelace", cursor: 12),
    Edit(
      testDescription: "past the ends", keys: [.home, .left, .end, .right], text: "ada lovelace", cursor: 12),
  ])
  func edits(_ edit: Edit) {
    var field = TextField("ada lovelace")
    for key in edit.keys { _ = field.handle(key) }
    #expect(field.text == edit.text)
    #expect(field.cursor == edit.cursor)
  }

  @Test(arguments: [KeyPress.enter, .escape, .tab, .backTab, .up, .down])
  func leavesToTheForm(_ key: KeyPress) {
    var field = TextField("ada")
    let used = field.handle(key)
    #expect(!used)
    #expect(field == TextField("ada"))
  }

  @Test func pastedLineEndsAreDropped() {
    var field = TextField()
    field.insert("one\r\ntwo\u{1B}\n")
    #expect(field.text == "onetwo")
    #expect(field.cursor == 6)
  }

  @Test func aCombiningMarkJoinsTheLetterBeforeIt() {
    var field = TextField("e")
    _ = field.handle(.character("\u{301}"))
    #expect(field.text == "é" && field.cursor == 1)
    _ = field.handle(.backspace)
    #expect(field.text.isEmpty)
  }

  @Test func aMaskedFieldPutsNoSecretIntoTheGrid() {
    var grid = Grid(width: 10, height: 1)
    TextField("hunter2").draw(into: &grid, at: grid.bounds, masked: true, focused: true)
    #expect(grid.text() == "•••••••")
    #expect(grid.cursor == Point(x: 7, y: 0))
  }

  @Test func aLongTextIsScrolledToItsCursor() {
    var grid = Grid(width: 8, height: 1)
    var field = TextField("ada@contoso.com")
    field.draw(into: &grid, at: grid.bounds, focused: true)
    #expect(grid.text() == "oso.com")
    #expect(grid.cursor == Point(x: 7, y: 0))
    _ = field.handle(.home)
    grid = Grid(width: 8, height: 1)
    field.draw(into: &grid, at: grid.bounds, focused: false)
    #expect(grid.text() == "ada@cont")
    #expect(grid.cursor == nil)
  }
}
