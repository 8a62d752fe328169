import Foundation
import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOTerm
@testable import SSOTermApp

struct JSONRowTests {
  private static let row = TokenRow(
    id: "t1", type: "RefreshToken", clientID: "c", redirectURIs: [], apps: [], homeAccountID: "u.t",
    username: nil, environment: "login.microsoftonline.com", realm: nil, target: nil, familyID: nil,
    accessGroup: "G", state: .valid, expiresOn: nil, cachedAt: nil, secondsLeft: nil, secret: "s3cret",
    keychain: KeychainKey(accessGroup: "G", account: "a", service: "s"))

  @Test("Every promised key of a token row is there, null where there is nothing")
  func keys() throws {
    let fields = try #require(Self.row.json(unmasked: false).object)
    let promised = [
      "id", "type", "clientID", "redirectURIs", "apps", "homeAccountID", "username", "environment", "realm",
      "target", "familyID", "accessGroup", "state", "expiresOn", "secondsLeft",
    ]
    #expect(promised.allSatisfy { fields[$0] != nil })
    for key in ["username", "realm", "target", "familyID", "expiresOn", "secondsLeft"] {
      #expect(fields[key] == .null)
    }
  }

  @Test("A secret is printed only if it was asked for")
  func secrets() throws {
    #expect(!Self.row.json(unmasked: false).text(.document).contains("s3cret"))
    #expect(Self.row.json(unmasked: true).text(.document).contains("s3cret"))
    var outcome = Outcome(.succeeded, "")
    outcome.accessToken = "s3cret"
    #expect(!outcome.json(traceID: 1, unmasked: false).text(.document).contains("s3cret"))
    #expect(outcome.json(traceID: 1, unmasked: true).text(.document).contains("s3cret"))
  }

  @Test("Dates are ISO 8601 and keys sorted")
  func dates() throws {
    var row = Self.row
    row.expiresOn = Instant(1_795_254_067)
    row.secondsLeft = 60
    let text = row.json(unmasked: false).text(.document)
    #expect(text.contains(#""expiresOn" : "2026-11-21T09:41:07Z""#))
    let keys = text.split(separator: "\n").compactMap { $0.split(separator: "\"").dropFirst().first }
    #expect(keys == keys.sorted())
  }

  @Test("The tree shows a credential once, under every redirect URI that can use it")
  func tree() {
    var shared = Self.row
    shared.redirectURIs = ["msauth.one://auth", "msauth.two://auth"]
    shared.familyID = "1"
    var alone = Self.row
    alone.id = "t2"
    let lines = tokenTreeText([shared, alone], unmasked: false, TextInk()).split(separator: "\n").map(
      String.init)
    #expect(
      lines == [
        "client c", "  redirect msauth.one://auth", "  redirect msauth.two://auth", "    for each of the 2:",
        "    t1  RefreshToken  ● valid  u.t  family 1", "  redirect no installed app",
        "    t2  RefreshToken  ● valid  u.t",
      ])
  }

  @Test("A trace is printed as numbered hops, fields, checks and the outcome")
  func trace() {
    let check = Check("redirect URI", expected: "a", found: "b", false, source: "claim B2")
    let hop = Hop(
      from: .sdk, to: .provider, action: "POST /token", result: "400", sent: [NameValue("scope", "x")],
      checks: [check])
    let summary = TraceSummary(
      id: 7, title: "silent", correlationID: "C", at: Instant(1_795_254_067), verdict: "failed",
      summary: "No.", hopCount: 1)
    let text = traceText(Trace(summary: summary, hops: [hop], outcome: Outcome(.failed, "No.")), TextInk())
    #expect(
      text == """
        Trace 7  silent
        2026-11-21T09:41:07Z  correlation ID C
        1  MSAL -> Provider  POST /token  400
             scope = x
           ✗ redirect URI: expected a, found b  claim B2
        ✗ No.
        """)
  }

  @Test("A cache file's document has accounts, credentials and problems")
  func cacheFile() throws {
    let cache = try CacheReader.read(Data("{}".utf8))
    let document = cache.json(name: "f", now: Instant(0), unmasked: false)
    #expect(document["credentials"] == .array([]))
    #expect(document["accounts"] == .array([]))
    #expect(document["problems"] == .array([]))
  }
}
