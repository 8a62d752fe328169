import Foundation
import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOTerm
@testable import SSOTermApp

@Suite("What view --watch says of a change") struct CacheWatchTests {
  private func cache(_ targets: [String]) throws -> CacheFile {
    let items: [String: JSONValue] = Dictionary(
      uniqueKeysWithValues: targets.enumerated().map { number, target in
        (
          "key\(number)",
          [
            "credential_type": "AccessToken", "client_id": "c1", "home_account_id": "u.t",
            "environment": "login.example.com", "realm": "t", "target": .string(target), "secret": "x",
            "cached_at": "1000", "expires_on": "5000", "extended_expires_on": "5000",
          ]
        )
      })
    return try CacheReader.read(Data(JSONValue.object(["AccessToken": .object(items)]).text(.wire).utf8))
  }

  private func lines(_ old: [String], _ new: [String]) throws -> [String] {
    CacheChanges(
      from: try cache(old), to: try cache(new), at: Instant(2000), unmasked: false
    ).lines(TextInk())
  }

  @Test func aLongerColumnChangesNoOtherRecord() throws {
    let lines = try lines(["a", "b"], ["a", "b", "a.much.longer.scope/.default"])
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.first == "  client c1" && lines.last?.hasPrefix("  +  AccessToken") == true)
  }

  @Test func aClientThatIsNewOrGoneIsMarkedInItsTitle() throws {
    #expect(try lines([], ["a"]).first == "+ client c1")
    #expect(try lines(["a"], []).first == "- client c1")
    #expect(try lines(["a"], ["a"]).isEmpty)
  }
}
