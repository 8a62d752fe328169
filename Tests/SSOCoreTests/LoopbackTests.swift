import Testing

@testable import SSOCore

@Suite struct LoopbackTests {
  @Test(
    arguments: [
      ("localhost", .name), ("LocalHost", .name), ("127.0.0.1", .ipv4), ("::1", .ipv6), ("[::1]", .ipv6),
      ("127.0.0.2", nil), ("[127.0.0.1]", nil), ("localhost.example", nil), ("", nil),
    ] as [(String, Loopback?)])
  func aHostIsReadInAnySpelling(_ host: String, _ found: Loopback?) {
    #expect(Loopback(host: host) == found)
  }

  /// A URL has brackets around an IPv6 address (RFC 3986 §3.2.2).
  @Test func aURLHasOneSpelling() {
    #expect(loopbackHosts == ["localhost", "127.0.0.1", "[::1]"])
    #expect(isLoopback("[::1]") && !isLoopback("::1") && !isLoopback("LOCALHOST"))
    #expect(Loopback.displayText == "localhost, 127.0.0.1, ::1")
  }
}
