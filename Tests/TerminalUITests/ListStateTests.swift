import Testing

@testable import TerminalUI

@Suite struct ListStateTests {
  static let moves: [KeyPress] = [
    .up, .down, .character("j"), .character("k"), .character("g"), .character("G"), .home, .end,
    .pageUp, .pageDown, .control("u"), .control("d"),
  ]

  @Test(arguments: [0, 1, 2, 9, 10, 11, 1000], [0, 1, 2, 10])
  func theSelectionStaysInTheListAndInSight(_ count: Int, _ height: Int) {
    var state = ListState()
    var random = SplitMix(state: UInt64(count * 31 + height))
    for _ in 0..<300 {
      let key = Self.moves[Int(random.next() % UInt64(Self.moves.count))]
      let moved = state.handle(key, count: count, height: height)
      #expect(moved)
      #expect(state.selection >= 0 && state.selection < max(1, count))
      let visible = state.visible(height: height, count: count)
      #expect(visible.count == min(height, count))
      if !visible.isEmpty { #expect(visible.contains(state.selection)) }
    }
  }

  @Test func theWindowMovesOnlyWhenTheSelectionLeavesIt() {
    var state = ListState(selection: 9, offset: 0)
    _ = state.handle(.up, count: 100, height: 10)
    #expect(state == ListState(selection: 8, offset: 0))
    _ = state.handle(.end, count: 100, height: 10)
    #expect(state == ListState(selection: 99, offset: 90))
    _ = state.handle(.control("u"), count: 100, height: 10)
    #expect(state == ListState(selection: 94, offset: 90))
  }

  @Test func aListThatShrankBringsTheSelectionBack() {
    var state = ListState(selection: 99, offset: 90)
    state.clamp(count: 5, height: 10)
    #expect(state == ListState(selection: 4, offset: 0))
  }

  @Test func otherKeysAreLeftToTheScreen() {
    var state = ListState(selection: 3)
    let moved = state.handle(.enter, count: 9, height: 5)
    #expect(!moved)
    #expect(state == ListState(selection: 3))
  }
}

/// A seeded generator, so that a failure can be reproduced.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
