import Foundation
import Testing

@testable import SSOCore
@testable import SSOKeychain

struct EntityTextTests {
  private static let keys = ["username", "name"]

  /// Returns the parser's result for the same bytes.
  private static func parsed(_ data: Data) -> [String?]? {
    (try? JSONParser.parse(data).object).map { fields in keys.map { fields[$0]?.string } }
  }

  @Test(arguments: [
    #"{"username":"ada@contoso.com","name":"Ada"}"#, #"{ "name" : "Ada" , "other" : 12 }"#, "{}", "{ }",
    #"{"username":"\u0061da","name":"A \"B\""}"#, #"{"username":null,"name":true}"#,
    #"{"username":{"name":"inner"},"name":"outer"}"#, #"{"list":["username"],"name":"x"}"#,
    #"{"username":"first","username":"last"}"#, #"{"username":"first","username":3}"#,
    #"{"name":"漢字","username":""}"#, #"["username"]"#, "", "   ", #""username""#, #"{"username":"cut"#,
    #"{"username""#, #"{"username":}"#, #"{"a":1 2,"username":"x"}"#, #"{"user\u006eame":"x"}"#,
  ])
  func readsWhatTheParserReads(_ json: String) {
    let data = Data(json.utf8)
    #expect(EntityText(Self.keys).read(data) == Self.parsed(data))
  }

  @Test func readsWhatIsWritten() {
    let account = AccountItem([.username: "ada@contoso.com", .name: "Ada / \"Lovelace\"", .realm: "r"])
    #expect(EntityText(Self.keys).read(account.data) == ["ada@contoso.com", "Ada / \"Lovelace\""])
  }

  @Test func noEndOfTheTextMakesItReadMore() {
    let data = Data(#"{"username":"ada","n":-12.5e3,"name":"Ada"}"#.utf8)
    for count in 0..<data.count { #expect(EntityText(Self.keys).read(data.prefix(count)) == nil) }
  }
}
