import DoctorTestSupport
import Foundation
import SSOReference
import Testing

@testable import SSODoctor

/// The metadata of protected resources (RFC 9728), as servers for the Model Context Protocol publish them.
@Suite struct ResourceMetadataTests {
  private static let issuer =
    "https://login.microsoftonline.com/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/v2.0"
  private static let server = "https://mcp.contoso.com/orders"

  private func diagnosis(_ resource: String, _ issuer: String, _ scopes: [String]) throws -> Diagnosis {
    let path = FileManager.default.temporaryDirectory.appending(path: "resource-\(UUID()).json").path
    let list = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
    let text = """
      {
        "resource": "\(resource)",
        "authorization_servers": ["\(issuer)"],
        "scopes_supported": ["openid", \(list)],
        "resource_name": "Orders"
      }
      """
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Doctor.examine([path])
  }

  @Test(
    arguments: [
      (server, issuer, server + "/read", []),
      (server, issuer, "api://5e4a0000-0000-4000-8000-000000000001/read", [.resourceScopes]),
      (server, issuer, "https://MCP.contoso.com/orders/read", [.resourceScopes]),
      (server + "/", issuer, server + "//read", [.resourceSlash]),
      (server + "/", issuer, server + "/read", [.resourceSlash]),
      ("api://orders", issuer, "api://orders/read", [.resourceURL]),
      ("http://mcp.contoso.com", issuer, "http://mcp.contoso.com/read", [.resourceURL]),
      (server + "#a", issuer, server + "#a/read", [.resourceURL]),
      ("http://localhost:8000/mcp", issuer, "http://localhost:8000/mcp/read", []),
      (server, issuer, "offline_access", [.resourceScopes]),
      (server, issuer, "read", [.resourceScopes]),
      (server, "https://login.microsoftonline.com/common/v2.0", server + "/read", [.resourceIssuer]),
      (server, String(issuer.dropLast(5)), server + "/read", [.resourceIssuer]),
      (server, issuer + "/", server + "/read", [.resourceIssuer]),
      (server, "https://id.example", "read", []),
    ] as [(String, String, String, [DoctorRule])])
  func checksWhatEntraCompares(_ resource: String, _ issuer: String, _ scope: String, _ rules: [DoctorRule])
    throws
  {
    let diagnosis = try diagnosis(resource, issuer, [scope])
    #expect(diagnosis.findings.map(\.rule) == rules)
    #expect(diagnosis.fails == !rules.isEmpty)
    #expect(diagnosis.isUnchecked == issuer.contains("example"))
  }

  /// RFC 9728 §2 defines both members as arrays.
  @Test func aTextInPlaceOfAnArrayIsFound() throws {
    let text = """
      {
        "resource": "\(Self.server)",
        "authorization_servers": "\(Self.issuer)",
        "scopes_supported": "\(Self.server)/read"
      }
      """
    let findings = try withFolder(of: ["resource.json": text]) { try Doctor.examine([$0 + "/resource.json"]) }
      .findings
    #expect(
      findings.map(\.mistake) == [
        "authorization_servers is not an array", "scopes_supported is not an array",
      ] && findings.map(\.place.line) == [3, 4])
  }

  /// RFC 9728 §2 recommends the scopes, and does not require them: the challenge of the server may name them.
  @Test func aDocumentWithoutScopesSaysThatTheyAreNotChecked() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "resource-\(UUID()).json").path
    let text = #"{"resource": "\#(Self.server)", "authorization_servers": ["\#(Self.issuer)"]}"#
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let diagnosis = try Doctor.examine([path])
    #expect(diagnosis.findings.isEmpty && !diagnosis.isUnchecked)
    #expect(diagnosis.subjects.first?.notSeen?.contains("It does not list scopes") == true)
  }

  @Test(
    arguments: [
      ".well-known/oauth-protected-resource", "public/.well-known/oauth-protected-resource",
      "src/oauth-protected-resource.json", "static/.well-known/oauth-protected-resource/orders",
    ])
  func aProjectsDocumentsAreFoundUnderTheirNames(_ path: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "resource-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let text = #"{"resource": "\#(Self.server)/", "authorization_servers": ["\#(Self.issuer)"]}"#
    try Data(text.utf8).write(to: file)
    let diagnosis = try Doctor.examine([folder.path])
    #expect(diagnosis.findings.map(\.rule) == [.resourceSlash])
  }

  @Test func aFindingSaysWhereAndWhatToWrite() throws {
    let found = try #require(try diagnosis(Self.server, Self.issuer, ["api://orders/read"]).findings.first)
    #expect(found.place.line == 4 && found.subject == "Orders")
    #expect(found.fix == "\"https://mcp.contoso.com/orders/read\"")
    #expect(found.refusal?.code == "AADSTS9010010" && found.explanations.map(\.code) == ["AADSTS9010010"])
  }
}
