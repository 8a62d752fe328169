import Foundation
import Testing

@testable import SSOCore

/// RFC 8259: numbers, and texts that only look like numbers.
@Suite struct JSONParserTests {
  @Test(
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("-7", .integer(-7)),
      ("9007199254740993", .integer(9_007_199_254_740_993)),
      ("1.5", .number(1.5)), ("-0.25", .number(-0.25)), ("1e3", .number(1000)), ("1E+3", .number(1000)),
      ("25e-1", .number(2.5)), ("0e0", .number(0)),
      ("18446744073709551616", .number(18_446_744_073_709_551_616)),
    ] as [(String, JSONValue)])
  func readsANumber(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONParser.parse(Data(text.utf8)) == value)
    #expect(try JSONParser.parse(Data("[\(text)]".utf8)) == .array([value]))
  }

  @Test(arguments: [
    "01", "-01", "00", "1.", "1.e3", ".5", "+1", "1e", "1e+", "-", "--1", "1-", "1+2", "1.2.3", "0x1",
    "1e999",
  ])
  func refusesWhatIsNoNumber(_ text: String) {
    #expect(throws: JSONParseError.self) { try JSONParser.parse(Data(text.utf8)) }
    #expect(throws: JSONParseError.self) { try JSONParser.parse(Data("[\(text)]".utf8)) }
  }

  /// RFC 8259 §2 to §7, and forms that other parsers accept as well.
  @Test(arguments: [
    "", " ", "\u{FEFF}1", "[1,]", "{\"a\":1,}", "[,1]", "[1,,2]", "{,}", "[1 2]", "{\"a\" 1}", "{\"a\":}",
    "{a:1}",
    "{'a':1}", "{1:1}", "[1", "{\"a\":1", "[1}", "{\"a\":1]", "1 2", "[]]", "tru", "True", "nul", "NaN",
    "Infinity",
    "-Infinity", "'a'", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\U0041\"", "\"a\nb\"", "\"a\tb\"",
    "\"\0\"",
    "\"\\\"", "/* */1", "1//", "[\u{0B}1]", "[\u{A0}1]",
  ])
  func refusesWhatIsNoDocument(_ text: String) {
    #expect(throws: JSONParseError.self) { try JSONParser.parse(Data(text.utf8)) }
  }

  @Test(
    arguments: [
      (#""\u0041\u00e9\/\b\f\n\r\t\"\\""#, "Aé/\u{8}\u{C}\n\r\t\"\\"), (#""\ud83d\ude00""#, "😀"),
      (#""\u0000""#, "\0"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
      // A surrogate without its other half is not a character.
      (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"), (#""\ud800\u0041""#, "\u{FFFD}A"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\n""#, "\u{FFFD}\n"),
    ] as [(String, String)])
  func readsAString(_ text: String, _ value: String) throws {
    #expect(try JSONParser.parse(Data(text.utf8)) == .string(value))
  }

  /// Truncated, overlong, a surrogate, beyond U+10FFFF, and a byte that occurs in no character.
  @Test(
    arguments: [[0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF]] as [[UInt8]])
  func refusesBytesThatAreNoUTF8(_ bytes: [UInt8]) {
    for quoted in [[0x22] + bytes + [0x22], [0x22, 0x5C, 0x6E] + bytes + [0x22]] {
      #expect(throws: JSONParseError(reason: .unexpected(expected: "UTF-8 text"), offset: 1)) {
        try JSONParser.parse(Data(quoted))
      }
    }
  }

  @Test func ofEqualKeysTheLastWins() throws {
    let document = try JSONParser.parse(Data(#"{"a":1,"\u0061":2,"b":3}"#.utf8))
    #expect(document == .object(["a": .integer(2), "b": .integer(3)]))
  }

  @Test func nestingEndsAtItsLimit() throws {
    let limit = JSONParser.depthLimit
    let nested = { (depth: Int) in
      Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONParser.parse(nested(limit))
    #expect(throws: JSONParseError(reason: .tooDeep, offset: limit)) {
      try JSONParser.parse(nested(limit + 1))
    }
    #expect(throws: JSONParseError(reason: .tooDeep, offset: limit)) {
      try JSONParser.parse(Data(String(repeating: "[", count: 1_000_000).utf8))
    }
  }

  @Test(arguments: [
    ("[01]", JSONParseError(reason: .unexpected(expected: "\",\" or \"]\""), offset: 2)),
    ("[1.]", JSONParseError(reason: .unexpected(expected: "a digit"), offset: 3)),
    ("1.", JSONParseError(reason: .truncated, offset: 2)),
  ])
  func saysAtWhichByte(_ text: String, _ error: JSONParseError) {
    #expect(throws: error) { try JSONParser.parse(Data(text.utf8)) }
  }
}
