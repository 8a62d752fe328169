import Foundation
import NIOCore
import SSOCore
import SSOProvider
import Testing

@testable import SSOLab
@testable import SSOServer

/// The keys that a running server publishes, requested with each form of address that a user may have.
@Suite struct KeySetFetchTests {
  /// Returns the key set.
  ///
  /// It runs outside the pool of tasks, because the call blocks until the response. The server answers when the pool
  /// has a thread for it, which may take minutes while every other suite runs.
  private static func keySet(
    _ address: String, trusting files: [String]
  ) async -> Result<JSONValue, KeySetFetch.Failure> {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let result: Result<JSONValue, KeySetFetch.Failure>
        do throws(KeySetFetch.Failure) {
          result = .success(try KeySetFetch(trusting: files, patience: .hours(1)).keySet(at: address))
        } catch { result = .failure(error) }
        continuation.resume(returning: result)
      }
    }
  }

  @Test func aServersKeysAreFetchedByIssuerDiscoveryDocumentOrKeySet() async throws {
    try await withServer { client, lab in
      let file = NSTemporaryDirectory() + "keys-\(UUID().uuidString).pem"
      defer { try? FileManager.default.removeItem(atPath: file) }
      try Data(client.authority.utf8).write(to: URL(filePath: file))
      let tenant = try #require(try lab.read { try $0.directory.tenants() }.first?.id)
      let base = "https://127.0.0.1:\(client.port)/\(tenant)"
      for address in [
        base + "/v2.0", base + "/v2.0/", base + "/v2.0/.well-known/openid-configuration",
        base + "/discovery/v2.0/keys",
      ] {
        let keys = try await Self.keySet(address, trusting: [file]).get()["keys"]?.array ?? []
        #expect(!keys.isEmpty && keys.allSatisfy { TokenVerificationKey($0) != nil }, "\(address)")
      }
      let failure = await Self.keySet(base + "/v2.0", trusting: [])
      #expect(throws: KeySetFetch.Failure.self) { try failure.get() }
      let missing = await Self.keySet(base + "/nothing/keys", trusting: [file])
      #expect(throws: KeySetFetch.Failure.self) { try missing.get() }
    }
  }

  @Test(arguments: ["http://login.contoso.com/common", "ftp://x", "https://", "https://127.0.0.1:1/x"])
  func whatIsNoServerIsAnError(_ address: String) async throws {
    let result = await Self.keySet(address, trusting: [])
    #expect(throws: KeySetFetch.Failure.self) { try result.get() }
  }

  /// A document of another machine does not make the program send requests to servers of this machine.
  @Test(arguments: [
    "http://127.0.0.1", "https://127.0.0.1", "https://127.0.0.2", "https://localhost", "https://[::1]",
  ])
  func aDocumentOfAnotherMachineLeadsToNoServerOfThisMachine(_ origin: String) async throws {
    try await withServer { client, _ in
      let address = "\(origin):\(client.port)/federation/keys"
      let why = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          do throws(KeySetFetch.Failure) {
            _ = try KeySetFetch(trusting: [], patience: .hours(1))
              .document(at: address, reach: .otherMachines)
            continuation.resume(returning: "")
          } catch { continuation.resume(returning: error.why) }
        }
      }
      #expect(
        ["plain HTTP", "server of this machine", "refused"].contains { why.contains($0) },
        "\(address): \(why)")
    }
  }
}
