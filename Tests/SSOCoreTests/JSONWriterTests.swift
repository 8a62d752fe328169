import Foundation
import Testing

@testable import SSOCore

@Suite("Writing JSON") struct JSONWriterTests {
  private static let value: JSONValue = [
    "b": .integer(-12), "a_b": .null, "a": .array([.array([]), .object([:]), .bool(false)]),
    "A": .array(["a/b", .number(0.5)]),
  ]

  @Test(
    "Every layout sorts the keys; keychain items escape slashes",
    arguments: [
      (JSONLayout.keychain, #"{"A":["a\/b",0.5],"a":[[],{},false],"a_b":null,"b":-12}"#),
      (.wire, #"{"A":["a/b",0.5],"a":[[],{},false],"a_b":null,"b":-12}"#),
      (
        .document,
        """
        {
          "A" : [
            "a/b",
            0.5
          ],
          "a" : [
            [

            ],
            {

            },
            false
          ],
          "a_b" : null,
          "b" : -12
        }
        """
      ),
    ])
  func layout(_ layout: JSONLayout, _ text: String) {
    #expect(Self.value.text(layout) == text)
  }

  @Test("Text is escaped as Foundation escapes it", arguments: [JSONLayout.wire, .document])
  func escapes(_ layout: JSONLayout) throws {
    let text = "a/b \"c\" \\ \u{8}\t\n\u{C}\r\u{1} 漢 é\u{1F511}"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    #expect(JSONValue.string(text).text(layout) == String(decoding: try encoder.encode(text), as: UTF8.self))
  }

  @Test("A document escapes what a screen spells out, and reads back as it was")
  func documentsAreSafe() throws {
    let text = "a\u{7F}\u{202E}\u{AD}\u{E0041}می\u{200C}خواهم 👩\u{200D}💻"
    let document = JSONValue.string(text).text(.document)
    #expect(document == "\"a\\u007f\\u202e\\u00ad\\udb40\\udc41می\u{200C}خواهم 👩\u{200D}💻\"")
    #expect(try JSONParser.parse(Data(document.utf8)) == .string(text))
    let sent = text.replacing("\u{7F}", with: #"\u007f"#)
    #expect(JSONValue.string(text).text(.wire) == "\"\(sent)\"")
  }
}
