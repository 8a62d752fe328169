import Foundation
import Testing

@testable import SSOCore
@testable import SSOStore

/// The encoding of a trace's hops in the trace table.
struct HopBytesTests {
  private let hops = [
    Hop(from: .person, to: .app, actor: "com.contoso.one", action: "silent"),
    Hop(
      from: .sdk, to: .keychain, actor: "com.contoso.one", action: "read account", result: "1 item",
      sent: [NameValue("group", "TEAM.shared"), NameValue("", "\0 é 你好")],
      checks: [
        Check("entitled", expected: "TEAM.shared", found: "TEAM.shared", true, source: "keychain.md §2"),
        Check("entitled", expected: "TEAM.shared", found: "", verdict: .skipped, source: "keychain.md §2"),
      ]),
  ]

  @Test func hopsComeBackAsTheyWere() throws {
    for list in [[], hops, hops + hops] { #expect(try HopReader.decode(HopWriter.encode(list)) == list) }
  }

  /// Refusals are written after the hops, where an earlier version stops reading.
  @Test func refusalsComeBackWithTheirHops() throws {
    var list = hops + hops
    list[0].refusal = Refusal(error: "server_error", suberror: nil, number: nil, place: nil)
    list[3].refusal = Refusal(
      error: "invalid_grant", suberror: "bad_token", number: "AADSTS70000", place: .token)
    #expect(try HopReader.decode(HopWriter.encode(list)) == list)
  }

  @Test func textsAreWrittenOnce() {
    let once = HopWriter.encode(hops).count
    let fiftyTimes = HopWriter.encode((0..<50).flatMap { _ in hops }).count
    #expect(fiftyTimes < once + 50 * 40)
  }

  @Test func damagedBytesAreAnErrorWhereverTheyAreCut() {
    let bytes = HopWriter.encode(hops)
    for length in 0..<bytes.count {
      #expect(throws: (any Error).self) { try HopReader.decode(bytes.prefix(length)) }
    }
    #expect(throws: HopReader.Damage.self) { try HopReader.decode(Data([1, 0xFF, 0xFF, 0xFF, 0x7F, 9])) }
  }

  /// A property that is added later has to be written and read too.
  @Test func noPropertyIsForgotten() {
    #expect(Mirror(reflecting: hops[1]).children.count == 8)
    // Five are written with the check, and the words of a failure after the refusals. The remedy is not written,
    // because another field may be the right one now.
    #expect(Mirror(reflecting: hops[1].checks[0]).children.count == 7)
    #expect(Mirror(reflecting: hops[1].sent[0]).children.count == 2)
  }
}
