import Foundation
import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOKeychain
@testable import TestSamples

@Suite struct CacheReaderTests {
  static let smallest = "synth_java_style_cache.json"

  func read(_ text: String) throws -> CacheFile { try CacheReader.read(Data(text.utf8)) }

  @Test(arguments: ["", " \n", "\u{FEFF}", "{}", "\u{FEFF}{}", "{\"AccessToken\":{},}", "{\"Account\":null}"])
  func emptyFileIsAnEmptyCache(text: String) throws {
    #expect(try read(text) == CacheFile())
  }

  @Test func everyTruncationIsAnErrorWithItsOffset() throws {
    let data = try cacheSample(Self.smallest)
    for length in 1..<data.count where !data.dropFirst(length).allSatisfy({ $0 <= 0x20 }) {
      let error = #expect(throws: CacheFileError.self) { try CacheReader.read(data.prefix(length)) }
      guard error?.reason == .truncated, error?.offset == length else {
        Issue.record("cut at \(length): \(String(describing: error))")
        return
      }
    }
  }

  @Test func everyTruncationOfAzureCLIsFileIsAnError() throws {
    let data = try cacheSample("az_msal_token_cache.json")
    for length in 1..<data.count where !data.dropFirst(length).allSatisfy({ $0 <= 0x20 }) {
      do {
        _ = try CacheReader.read(data.prefix(length))
        Issue.record("read when cut at \(length)")
      } catch {
        guard error.reason == .truncated, error.offset == length else {
          Issue.record("cut at \(length): \(error)")
          return
        }
      }
    }
  }

  /// Only the affected entry is skipped, with the reason, and it is written back unchanged.
  @Test(arguments: ["1e999999", "-1e400", String(repeating: "9", count: 400)])
  func aNumberBeyondADoubleCostsItsOwnEntryOnly(_ number: String) throws {
    let text = """
      {"Account": {
        "a": {"home_account_id": "u.t", "environment": "h", "authority_type": "MSSTS", "username": "ada"},
        "b": {"home_account_id": "v.t", "environment": "h", "authority_type": "MSSTS", "x": \(number)}}}
      """
    let file = try read(text)
    #expect(file.accounts.map(\.username) == ["ada"])
    #expect(
      file.problems == [CacheProblem("Account", "b", "The number in x is beyond the range of a double.")])
    #expect(JSONValue.object(file.kept).text(.wire).contains("\"x\":\(number)"))
    #expect(throws: JSONParseError.self) { try JSONParser.parse(Data(text.utf8)) }
  }

  @Test func brokenBytesNeverCrash() throws {
    let data = try cacheSample(Self.smallest)
    var random = Randomness(seed: 7)
    for _ in 0..<400 {
      var broken = data
      for _ in 0..<3 {
        let place = Int(random.next() % UInt64(broken.count))
        broken[place] = UInt8(truncatingIfNeeded: random.next())
      }
      _ = try? CacheReader.read(broken)
    }
  }

  @Test(arguments: [
    ("hello", 1, 1), ("\n\n  <html>", 3, 3), ("{\n \"a\" 1}", 2, 6), ("{} {}", 1, 4), ("{\"a\":tru1}", 1, 9),
    ("{\"a\":\"\\x\"}", 1, 8), ("\u{FEFF}nope", 1, 5),
  ])
  func whatIsNotJSONIsNamedByLineAndColumn(text: String, line: Int, column: Int) throws {
    let error = try #require(throws: CacheFileError.self) { try read(text) }
    #expect(error.line == line)
    #expect(error.column == column)
    #expect(error.description.contains("line \(line), column \(column)"))
  }

  @Test func listOnTopIsNoCache() throws {
    let error = #expect(throws: CacheFileError.self) { try read("[]") }
    #expect(error?.reason == .notAnObject)
  }

  @Test(arguments: [(64, true), (65, false)])
  func nestingEndsAtSixtyFourLevels(depth: Int, isRead: Bool) throws {
    let text =
      "{\"a\":" + String(repeating: "[", count: depth - 1)
      + String(repeating: "]", count: depth - 1) + "}"
    guard !isRead else {
      _ = try read(text)
      return
    }
    let error = #expect(throws: CacheFileError.self) { try read(text) }
    #expect(error?.reason == .tooDeep)
    let bomb = String(repeating: "[", count: 1_000_000)
    #expect(throws: CacheFileError.self) { try read(bomb) }
  }

  @Test func trailingCommasAreTaken() throws {
    let text = """
      {"RefreshToken": {"k": {"credential_type": "RefreshToken", "client_id": "c", "environment": "e",
        "secret": "s", "home_account_id": "h", "list": [1, 2, ],},},}
      """
    #expect(try read(text).credentials.count == 1)
  }

  @Test func junkAndUnknownSectionsAreKeptAndReported() throws {
    let text = """
      {"RefreshToken": {"a": 1, "b\\u001b[31m\\u202e": {"credential_type": "RefreshToken"}}, "Future": [1],
       "Account": {"x": {"home_account_id": "h", "environment": "e", "authority_type": "Martian"}},
       "AccessToken": "none"}
      """
    let file = try read(text)
    #expect(file.credentials.isEmpty && file.accounts.isEmpty)
    let problems = [
      CacheProblem("AccessToken", "", "Expected an object of entries, kept as it is."),
      CacheProblem("Account", "x", "Unknown or missing authority_type."),
      CacheProblem("Future", "", "Unknown section, kept as it is."),
      CacheProblem("RefreshToken", "a", "Expected an object."),
      CacheProblem("RefreshToken", "b\u{1B}[31m\u{202E}", "No secret."),
    ]
    #expect(file.problems == problems)
    #expect(file.problems.last?.key == "b<U+001B>[31m<U+202E>")
    let document = try #require(file.keptDocument)
    let original = try JSONParser.parse(Data(text.utf8))
    #expect(try JSONParser.parse(document) == original)
  }

  @Test func entryIsReadByItsFieldsAndNeverByItsKey() throws {
    let text = """
      {"IdToken": {"nonsense": {"credential_type": "IDToken", "client_id": "c", "environment": "e",
        "secret": "s", "home_account_id": "h", "realm": "r"}}}
      """
    let file = try read(text)
    #expect(file.credentials.map(\.type) == [.idToken])
    #expect(file.credentials.map { CacheKey($0).service } == ["idtoken-c-r-"])
    #expect(file.credentials.first?[.credentialType] == "IDToken")
  }

  @Test func controlAndBidiCharactersInNamesSurviveAsData() throws {
    let text =
      #"{"Account":{"k":{"home_account_id":"h","environment":"e","authority_type":"MSSTS","#
      + #""name":"A\u001b[2J\u202egro\u0000\ud83d\ude00\ud800"}}}"#
    let account = try #require(try read(text).accounts.first)
    #expect(account.name == "A\u{1B}[2J\u{202E}gro\u{0}\u{1F600}\u{FFFD}")
    #expect(AccountItem(data: account.data) == account)
  }

  @Test func schemaFullCacheIsReadButForItsUnknownAuthorityType() throws {
    let file = try CacheReader.read(cacheSample("schema-vectors/AAD_cache_data__full_cache.json"))
    #expect(file.credentials.map(\.type) == [.accessToken, .idToken, .refreshToken])
    #expect(file.credentials.first?.expiresOn == Instant(9_999_999_999_999))
    #expect(file.problems.map(\.section) == ["Account"])
  }
}
