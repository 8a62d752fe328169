import Foundation
import Testing

@testable import SSOCore

/// RFC 8259: what is a number, and what only looks like one.
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

  @Test(arguments: [
    ("[01]", JSONParseError(reason: .unexpected(expected: "\",\" or \"]\""), offset: 2)),
    ("[1.]", JSONParseError(reason: .unexpected(expected: "a digit"), offset: 3)),
    ("1.", JSONParseError(reason: .truncated, offset: 2)),
  ])
  func saysAtWhichByte(_ text: String, _ error: JSONParseError) {
    #expect(throws: error) { try JSONParser.parse(Data(text.utf8)) }
  }
}
