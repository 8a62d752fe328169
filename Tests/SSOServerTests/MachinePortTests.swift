import NIOCore
import SSOProvider
import Testing

@testable import SSOLab
@testable import SSOServer

/// The second listener, which serves a machine with managed identities.
@Suite struct MachinePortTests {
  /// The listener has its own port, has no TLS, and exists only if it was requested.
  @Test func aMachineWithManagedIdentitiesAnswersPlainHTTPAndNothingElse() async throws {
    let without = try await withServer { _, lab in try lab.read { try $0.provider.notedMachine() } }
    #expect(without == nil)
    try await withServer(machine: MachineOptions(kind: .imds)) { client, lab in
      let machine = try #require(try lab.read { try $0.provider.notedMachine() })
      let plain = RawClient(port: machine.port, authority: client.authority)
      func ask(_ line: String, host: String = "localhost:\(machine.port)") async throws -> String {
        try await plain.exchange(
          ByteBuffer(
            string: "\(line) HTTP/1.1\r\nHost: \(host)\r\nMetadata: true\r\nConnection: close\r\n\r\n"),
          tls: false)
      }
      let path =
        "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com"
      let answer = try await ask("GET \(path)")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("access_token"))
      let accounts = try lab.read { try $0.accounts.rows() }
      #expect(accounts.contains { $0.username == "lab-machine" })
      #expect(try await ask("GET \(path)", host: "evil.example").hasPrefix("HTTP/1.1 421 "))
      #expect(try await ask("POST \(path)").hasPrefix("HTTP/1.1 405 "))
      for other in ["/", "/common/oauth2/v2.0/token", "/v1.0/me", "/msi/token", "/lab/waiting?id=x"] {
        #expect(try await ask("GET \(other)").hasPrefix("HTTP/1.1 404 "), "\(other)")
      }
    }
  }
}
