import Testing

@testable import TerminalUI

struct Typed: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var bytes: [UInt8]
  var events: [InputEvent]

  init(_ name: String, _ text: String, _ events: InputEvent...) {
    testDescription = name
    bytes = Array(text.utf8)
    self.events = events
  }

  init(_ name: String, bytes: [UInt8], _ events: InputEvent...) {
    testDescription = name
    self.bytes = bytes
    self.events = events
  }
}

@Suite struct KeyDecoderTests {
  static let table = [
    Typed("letters", "aZ?", .key(.character("a")), .key(.character("Z")), .key(.character("?"))),
    Typed("UTF-8", "é漢🙂", .key(.character("é")), .key(.character("漢")), .key(.character("🙂"))),
    Typed("enter and line feed", "\r\n", .key(.enter), .key(.enter)),
    Typed("tab and back tab", "\t\u{1B}[Z", .key(.tab), .key(.backTab)),
    Typed("both backspaces", "\u{8}\u{7F}", .key(.backspace), .key(.backspace)),
    Typed("control", "\u{3}\u{1A}\u{1F}", .key(.control("c")), .key(.control("z")), .key(.control("_"))),
    Typed("arrows", "\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}OD", .key(.up), .key(.down), .key(.right), .key(.left)),
    Typed("xterm Home, End", "\u{1B}[H\u{1B}OF", .key(.home), .key(.end)),
    Typed("VT220 Home, End", "\u{1B}[1~\u{1B}[4~", .key(.home), .key(.end)),
    Typed("rxvt Home, End", "\u{1B}[7~\u{1B}[8~", .key(.home), .key(.end)),
    Typed(
      "pages and Delete", "\u{1B}[5~\u{1B}[6~\u{1B}[3~", .key(.pageUp), .key(.pageDown), .key(.delete)),
    Typed(
      "F1 three ways", "\u{1B}OP\u{1B}[11~\u{1B}[[A", .key(.function(1)), .key(.function(1)),
      .key(.function(1))),
    Typed(
      "F5 to F12", "\u{1B}[15~\u{1B}[17~\u{1B}[21~\u{1B}[23~\u{1B}[24~", .key(.function(5)),
      .key(.function(6)),
      .key(.function(10)), .key(.function(11)), .key(.function(12))),
    Typed("focus", "\u{1B}[I\u{1B}[O", .focus(true), .focus(false)),
    Typed(
      "mouse", "\u{1B}[<0;10;5M\u{1B}[<0;10;5m\u{1B}[<32;1;1M\u{1B}[<64;2;3M\u{1B}[<65;2;3M",
      .mouse(x: 9, y: 4, kind: .press), .mouse(x: 9, y: 4, kind: .release), .mouse(x: 0, y: 0, kind: .drag),
      .mouse(x: 1, y: 2, kind: .wheelUp), .mouse(x: 1, y: 2, kind: .wheelDown)),
    Typed("Alt is Escape and the key", "\u{1B}x", .key(.escape), .key(.character("x"))),
    Typed("Escape twice, then a key", "\u{1B}\u{1B}[A", .key(.escape), .key(.up)),
    Typed(
      "a paste keeps its line ends", "\u{1B}[200~a\r\u{1B}[Aé\u{1B}[201~b", .paste("a\r\u{1B}[Aé"),
      .key(.character("b"))),
    Typed("kitty's sequence is swallowed", "\u{1B}[97;5ub", .key(.character("b"))),
    Typed("a modified arrow is swallowed", "\u{1B}[1;5Cb", .key(.character("b"))),
    Typed("Insert is swallowed", "\u{1B}[2~b", .key(.character("b"))),
    Typed("a device answer is swallowed", "\u{1B}[?1;2c\u{1B}[24;80Rb", .key(.character("b"))),
    Typed("OSC up to BEL is swallowed", "\u{1B}]10;rgb:0/0/0\u{7}b", .key(.character("b"))),
    Typed("OSC up to ST is swallowed", "\u{1B}]52;c;YQ==\u{1B}\\b", .key(.character("b"))),
    Typed("DCS is swallowed", "\u{1B}P1+r436f\u{1B}\\b", .key(.character("b"))),
    Typed("unknown SS3 is swallowed", "\u{1B}Ojb", .key(.character("b"))),
    Typed("an old mouse report is swallowed", "\u{1B}[M !!b", .key(.character("b"))),
    Typed("a broken sequence costs no key", "\u{1B}[1;\u{1B}[Ab", .key(.up), .key(.character("b"))),
    Typed(
      "broken UTF-8 is swallowed", bytes: [0xC3, 0x61, 0xFF, 0x80, 0xE6, 0xBC, 0x62], .key(.character("a")),
      .key(.character("b"))),
    Typed("C1 controls are swallowed", bytes: [0xC2, 0x9B, 0x62], .key(.character("b"))),
  ]

  @Test(arguments: table)
  func decodes(_ typed: Typed) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(typed.bytes) == typed.events)
    #expect(!decoder.hasPendingEscape)
  }

  @Test(arguments: table)
  func bytesThatComeOneByOneMeanTheSame(_ typed: Typed) {
    var decoder = KeyDecoder()
    #expect(typed.bytes.flatMap { decoder.feed([$0]) } == typed.events)
  }

  @Test(arguments: [
    Typed("a lone Escape is the key", "\u{1B}", .key(.escape)),
    Typed("Escape and P together are two keys", "\u{1B}P", .key(.escape), .key(.character("P"))),
    Typed("Escape and [ together are two keys", "\u{1B}[", .key(.escape), .key(.character("["))),
    Typed("the beginning of a sequence is dropped", "\u{1B}[1;"),
  ])
  func whenTheTimeIsOver(_ typed: Typed) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(typed.bytes) == [])
    #expect(decoder.hasPendingEscape)
    #expect(decoder.flush() == typed.events)
    #expect(!decoder.hasPendingEscape)
  }

  @Test func whatTerminfoSaysGoesFirst() {
    var decoder = KeyDecoder(terminfoKeys: [Array("\u{1B}[2~".utf8): .home])
    #expect(decoder.feed("\u{1B}[2~".utf8) == [.key(.home)])
  }

  @Test func anEndlessPasteIsCutAtItsLimit() throws {
    var decoder = KeyDecoder()
    #expect(decoder.feed("\u{1B}[200~".utf8) == [])
    for _ in 0..<40 { #expect(decoder.feed(Array(repeating: 0x61, count: 50_000)) == []) }
    let events = decoder.feed("\u{1B}[201~".utf8)
    #expect(events == [.paste(String(repeating: "a", count: KeyDecoder.pasteLimit))])
  }

  @Test func noRandomBytesMakeAControlCharacterAKey() {
    var random = SplitMix(state: 7)
    var decoder = KeyDecoder()
    for _ in 0..<20_000 {
      let byte = UInt8(truncatingIfNeeded: random.next())
      let bytes = byte % 5 == 0 ? [0x1B] : byte % 7 == 0 ? [UInt8(ascii: "[")] : [byte]
      for case .key(.character(let character)) in decoder.feed(bytes) + (byte == 0 ? decoder.flush() : []) {
        #expect(character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
  }
}
