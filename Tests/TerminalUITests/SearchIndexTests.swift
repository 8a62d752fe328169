import Testing

@testable import TerminalUI

struct Search: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var rows: [Int]

  init(_ query: String, _ rows: [Int]) {
    testDescription = query
    self.rows = rows
  }
}

@Suite struct SearchIndexTests {
  static let rows = [
    "Ada Lovelace ada@contoso.com", "Grace Hopper grace@outlook.example",
    "Ada (guest) ada@fabrikam.example", "Élodie 漢字 elodie@contoso.com", "",
  ]

  @Test(arguments: [
    Search("", [0, 1, 2, 3, 4]),
    Search("   ", [0, 1, 2, 3, 4]),
    Search("ada", [0, 2]),
    Search("ada contoso", [0]),
    Search("contoso ada", [0]),
    Search("Ada", [0, 2]),
    Search("ADA", []),
    Search("!contoso", [1, 2, 4]),
    Search("ada !guest", [0]),
    Search("!", [0, 1, 2, 3, 4]),
    Search("~ghp", [1]),
    Search("~adalace", [0]),
    Search("~Lvl", [0]),
    Search("élodie", [3]),
    Search("字", [3]),
    Search("example ada", [2]),
    Search("comgrace", []),
    Search("com\u{0}Grace", []),
    Search("nobody", []),
  ])
  func finds(_ search: Search) {
    #expect(Array(SearchIndex(Self.rows).matches(search.testDescription)) == search.rows)
  }

  @Test(arguments: [(1, 100_000), (7, 14_286), (99_999, 2)])
  func amongAHundredThousandRowsItFindsEveryOne(_ step: Int, _ matches: Int) {
    let rows = (0..<100_000).map { $0 % step == 0 ? "Ada \($0) contoso" : "Grace \($0) contoso" }
    let expected = rows.indices.filter { $0 % step == 0 }
    #expect(expected.count == matches)
    #expect(Array(SearchIndex(rows).matches("toso ada")) == expected)
  }

  @Test(arguments: ["1", "77", "999", "user1 corp", "0", "5 7 9"])
  func findsWhatAPlainLoopFinds(_ query: String) {
    let rows = (0..<1_000).map { "user\($0)@corp\($0 % 13).example" }
    let words = query.split(separator: " ").map { Array($0.utf8) }
    let expected = rows.indices.filter { index in
      words.allSatisfy { word in
        let bytes = Array(rows[index].utf8)
        guard bytes.count >= word.count else { return false }
        return (0...(bytes.count - word.count)).contains { bytes[$0...].starts(with: word) }
      }
    }
    #expect(Array(SearchIndex(rows).matches(query)) == expected)
  }

  @Test(arguments: ["a", "ad", "ada ", "ada c", "ada co", "~ad", "Ad"])
  func aLongerQueryMaySearchTheAnswerOfTheShorter(_ longer: String) {
    let haystack = SearchIndex(Self.rows)
    let shorter = String(longer.dropLast())
    #expect(SearchIndex.narrows(shorter, to: longer))
    let within = haystack.matches(longer, within: haystack.matches(shorter))
    #expect(Array(within) == Array(haystack.matches(longer)))
  }

  @Test func aNegationDoesNotNarrow() {
    #expect(!SearchIndex.narrows("!a", to: "!ad"))
    #expect(!SearchIndex.narrows("ad", to: "a"))
  }
}

@Suite struct HaystackColumnTests {
  static let haystack = {
    var haystack = SearchIndex(columns: ["account", "tenant", ""])
    haystack.append(["Ada@contoso.com", "Contoso", "one"])
    haystack.append(["grace@outlook.example", "Consumers", "two contoso"])
    haystack.append(["ada@fabrikam.example", "Contoso", "three"])
    haystack.append(["bob@contoso.com", "Fabrikam"])
    return haystack
  }()

  @Test(arguments: [
    Search("contoso", [0, 1, 2, 3]),
    Search("tenant:contoso", [0, 2]),
    Search("TENANT:contoso ada", [0, 2]),
    Search("account:contoso", [0, 3]),
    Search("!tenant:contoso", [1, 3]),
    Search("tenant:~cs", [0, 1, 2]),
    Search("tenant:", [0, 1, 2, 3]),
    Search("account:Ada", [0]),
    Search("other:contoso", []),
    Search("ada three", [2]),
    Search("comtwo", []),
  ])
  func finds(_ search: Search) {
    #expect(Array(Self.haystack.matches(search.testDescription)) == search.rows)
    let all = RowOrder(all: 4)
    #expect(Array(Self.haystack.matches(search.testDescription, within: all)) == search.rows)
  }

  @Test func rowsComeInTheOrderOfAColumnUnderAFilterToo() {
    let order = Self.haystack.order(by: 0)
    #expect(order == [0, 2, 3, 1].sorted { Self.name($0) < Self.name($1) })
    #expect(Array(Self.haystack.matches("contoso", order: Self.haystack.order(by: 1))) == [1, 0, 2, 3])
  }

  private static func name(_ row: UInt32) -> String { haystack.text(Int(row)).lowercased() }

  @Test func aTextComesBackWithItsCapitalsHoweverManyRowsShareIt() {
    var haystack = SearchIndex(columns: ["unique", "shared"])
    for row in 0..<5000 { haystack.append(["User \(row)", row % 2 == 0 ? "Even" : "odd"]) }
    #expect((0..<5000).allSatisfy { haystack.text($0) == "User \($0)" })
    #expect((0..<5000).allSatisfy { haystack.text($0, column: 1) == ($0 % 2 == 0 ? "Even" : "odd") })
    #expect(haystack.matches("Even").count == 2500)
    #expect(Array(haystack.matches("User 4999")) == [4999])
  }

  @Test func aLongTextIsCutNotRefused() {
    let haystack = SearchIndex([String(repeating: "x", count: 5000) + "end", "end"])
    #expect(Array(haystack.matches("end")) == [1])
    #expect(Array(haystack.matches("xxx")) == [0])
  }
}
