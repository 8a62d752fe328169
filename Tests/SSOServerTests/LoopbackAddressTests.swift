import Testing

@testable import SSOLab
@testable import SSOServer

@Suite struct LoopbackAddressTests {
  @Test(arguments: [
    (nil, [LoopbackAddress.ipv4, .ipv6]), ("localhost", [.ipv4, .ipv6]), ("127.0.0.1", [.ipv4]),
    ("::1", [.ipv6]), ("[::1]", [.ipv6]),
  ])
  func loopbackIsListenedOn(_ name: String?, _ addresses: [LoopbackAddress]) throws {
    #expect(try LoopbackAddress.listening(on: name) == addresses)
  }

  @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "example.com", "", "127.0.0.1.nip.io", "localhost."])
  func whatOthersReachIsRefusedWithTheReason(_ name: String) {
    let error = #expect(throws: LabError.self) { try LoopbackAddress.listening(on: name) }
    #expect(error?.what == "The provider does not listen on \(name).")
    #expect(error?.why.contains("only this machine may reach it") == true)
  }
}
