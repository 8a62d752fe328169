import Foundation
import Testing

@testable import SSOCore
@testable import SSOKeychain

struct InstantTests {
  @Test(arguments: [Int.max, Int.min, 9_223_372_036_854_775])
  func aMomentOutOfAllMeasureIsCutAndDoesNotTrap(_ seconds: Int) throws {
    let moment = Instant(seconds)
    #expect(abs(moment.seconds) <= 100_000_000_000_000)
    #expect(moment.adding(seconds: seconds).seconds.signum() == seconds.signum())
    #expect(Instant(0).seconds(until: moment) == moment.seconds)
    let stored = Instant(milliseconds: Int64(seconds))
    #expect(abs(stored.adding(seconds: seconds).seconds(until: moment)) <= 200_000_000_000_000)
    #expect(try decodeJSON(Instant.self, from: Data("\(seconds)".utf8)) == stored)
  }

  @Test func anIDTokenEndsAtItsExpClaim() throws {
    let claims = Base64URL.encode(Array(#"{"exp":9223372036854775807}"#.utf8))
    let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
    let token = CredentialItem(type: .idToken, [.secret: "\(header).\(claims).AA"])
    #expect(token.expiry == Instant(Int.max))
    #expect(CredentialItem(type: .refreshToken, [.secret: "opaque"]).expiry == nil)
  }

  @Test(arguments: [
    (1_795_254_067, "2026-11-21T09:41:07Z"), (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
    (1_704_067_199, "2023-12-31T23:59:59Z"), (-62_135_596_801, "0000-12-31T23:59:59Z"),
  ])
  func isWrittenAsISO8601InUTC(_ seconds: Int, _ text: String) {
    #expect(Instant(seconds).iso8601 == text)
    #expect(Instant(seconds).displayText == text.replacing("T", with: " "))
    #expect(Instant(milliseconds: Int64(seconds) * 1000 + 999).iso8601 == text)
  }

  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_795_254_067, "Sat, 21 Nov 2026 09:41:07 GMT"),
  ])
  func isWrittenAsHTTPDoes(_ seconds: Int, _ text: String) { #expect(Instant(seconds).httpDate == text) }
}
