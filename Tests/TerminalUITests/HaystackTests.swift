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

@Suite struct HaystackTests {
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
    #expect(Haystack(Self.rows).matches(search.testDescription) == search.rows)
  }

  @Test(arguments: [(1, 100_000), (7, 14_286), (99_999, 2)])
  func amongAHundredThousandRowsItFindsEveryOne(_ step: Int, _ matches: Int) {
    let rows = (0..<100_000).map { $0 % step == 0 ? "Ada \($0) contoso" : "Grace \($0) contoso" }
    let expected = rows.indices.filter { $0 % step == 0 }
    #expect(expected.count == matches)
    #expect(Haystack(rows).matches("toso ada") == expected)
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
    #expect(Haystack(rows).matches(query) == expected)
  }

  @Test(arguments: ["a", "ad", "ada ", "ada c", "ada co", "~ad", "Ad"])
  func aLongerQueryMaySearchTheAnswerOfTheShorter(_ longer: String) {
    let haystack = Haystack(Self.rows)
    let shorter = String(longer.dropLast())
    #expect(Haystack.narrows(shorter, to: longer))
    #expect(haystack.matches(longer, within: haystack.matches(shorter)) == haystack.matches(longer))
  }

  @Test func aNegationDoesNotNarrow() {
    #expect(!Haystack.narrows("!a", to: "!ad"))
    #expect(!Haystack.narrows("ad", to: "a"))
  }
}
