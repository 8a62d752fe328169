import Foundation

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// A lab with a confidential client, and requests as they arrive over the socket.
extension ProviderLab {
  static let origin = "https://localhost:8443"
  static let server: ClientRegistration = {
    var server = notes
    (server.clientID, server.secrets, server.isPreauthorized) = ("server", ["s3cret"], true)
    return server
  }()

  static func withServer() throws -> ProviderLab {
    let lab = try ProviderLab()
    try lab.documents.save(server)
    return lab
  }

  func token(
    _ form: KeyValuePairs<String, String>, tenant: String = "contoso.com"
  ) throws -> HTTPResponse {
    try post("/\(tenant)/oauth2/v2.0/token", form).http
  }

  /// Returns the claims of a token, verified with the published keys.
  func claims(_ compact: String) throws -> [String: JSONValue] {
    try JSONWebToken(verifying: compact, keys: provider.resources.keys.published(), resolvesNonce: true)
      .claims
  }

  func get(_ path: String, bearer: String?) throws -> HTTPResponse {
    try send(
      HTTPRequest(
        "GET", origin: Self.origin, path: path,
        headers: bearer.map { [NameValue("Authorization", "Bearer " + $0)] } ?? [])
    ).http
  }
}

extension HTTPResponse {
  var json: JSONValue? { JSONValue(bounded: body) }
}
