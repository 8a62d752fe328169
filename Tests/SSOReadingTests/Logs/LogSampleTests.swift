import Foundation
import SSOCore
import SSOReading
import SSOReference
import TestSamples
import Testing

/// A log in `Samples/logs`, and its expected contents.
struct LogSample: CustomTestStringConvertible, Sendable {
  var name: String
  /// The steps of each call.
  var calls: [[String]]
  /// The summary of each call.
  var outcomes: [String]
  var unknown = 0
  var strings = false
  var testDescription: String { name }

  func data() throws -> Data { try Data(contentsOf: sampleFolder.appending(path: "logs/\(name).log")) }

  func logStrings() throws -> LogStrings {
    guard strings else { return LogStrings() }
    return try LogStrings(Data(contentsOf: sampleFolder.appending(path: "logs/log-strings-mapping.json")))
  }
}

struct LogSampleTests {
  @Test(arguments: LogSample.all)
  func eachSampleIsReadToItsCalls(_ sample: LogSample) throws {
    let reading = readLog(try sample.data(), strings: try sample.logStrings())
    #expect(reading.traces.map(\.steps) == sample.calls)
    #expect(reading.traces.map(\.summary.summary) == sample.outcomes)
    #expect(reading.unknownCount == sample.unknown, "\(reading.unknown)")
    let text = String(decoding: try sample.data(), as: UTF8.self)
    if let verdict = reading.verdict { expectSeen(verdict, in: text) }
  }

  @Test(arguments: LogSample.all)
  func theSizeOfThePiecesChangesNothing(_ sample: LogSample) throws {
    let data = try sample.data()
    let whole = readLog(data, strings: try sample.logStrings())
    for size in [1, 7, 64, 1000] {
      let pieces = readLog(data, pieces: size, strings: try sample.logStrings())
      #expect(pieces.traces == whole.traces)
      #expect(pieces.unknown == whole.unknown)
    }
  }

  private static let oneOfEach = [
    "apple-cached", "dotnet-client-secret", "android-two-threads", "linux-broker", "javascript", "runtime",
    "python-az-refused",
  ]

  /// Preceding lines of another kind change nothing, because a kind is recognised by its own marks.
  @Test(arguments: oneOfEach, oneOfEach)
  func eachKindIsRecognisedBehindAnyOther(_ first: String, _ second: String) throws {
    func data(_ name: String) throws -> Data {
      try Data(contentsOf: sampleFolder.appending(path: "logs/\(name).log"))
    }
    let (before, after) = (try data(first), try data(second))
    let together = readLog(before + Data("\n".utf8) + after).counts
    #expect(together == readLog(before).counts.merging(readLog(after).counts, uniquingKeysWith: +))
  }

  @Test
  func aSampleNeverShowsASecret() throws {
    let data = try Data(contentsOf: sampleFolder.appending(path: "logs/secrets.log"))
    let reading = readLog(data)
    let text = String(describing: reading)
    let secrets = [
      "eyJ", "secretsecret", "codecode", "hunter2", "correct", "horse", "tr0ub4dor", "abcdefgh", "c2lnbmF0",
    ]
    for secret in secrets { #expect(!text.contains(secret), "\(secret)") }
    #expect(text.contains("access_token=<hash:"))
    #expect(text.contains("-50000"))
  }

  /// An app prints it this way with `print(error)`: the relevant code is in its user info.
  @Test
  func theErrorBehindALineOfItsCallBelongsToIt() {
    let reading = readLog(
      """
      TID=1 MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:07 - 00000001-0000-4000-8000-000000000000] Beginning broker flow.
      TID=1 MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:09 - 00000001-0000-4000-8000-000000000000] acquireToken returning with \
      error: (MSALErrorDomain, -50000)
      Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=Application did not receive \
      response from broker., MSALInternalErrorCodeKey=-42700}

      """)
    #expect(reading.unknownCount == 0 && reading.traces.count == 1)
    #expect(reading.traces.first?.outcome?.next?.description.contains("handleMSALResponse") == true)
  }

  @Test
  func namesBehindTheMasksAreThoseOfKnownPeople() throws {
    var people = KnownPeople()
    people.add(username: "Ada@contoso.com", homeAccountID: "1.2")
    let data = try Data(contentsOf: sampleFolder.appending(path: "logs/apple-refresh-refused.log"))
    #expect(readLog(data).traces.first?.summary.title == "acquireTokenSilent")
    let reading = readLog(data, people: people)
    #expect(reading.traces.first?.summary.title == "acquireTokenSilent for Ada@contoso.com")
    #expect(reading.traces.first?.outcome?.username == "Ada@contoso.com")
  }
}
