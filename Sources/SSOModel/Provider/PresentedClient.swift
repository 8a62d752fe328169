internal import Foundation

/// Who a client says it is, and what it proves it with (RFC 6749 §2.3, OpenID Connect Core §9).
struct PresentedClient {
  enum Proof: Hashable {
    case none
    case secret(String)
  }

  var clientID: String
  var proof: Proof

  /// Takes the `Authorization` header before the body. oidc-agent sends `client_id:` there for a public client:
  /// an empty secret is none.
  /// - Throws: `invalid_client` for a header that cannot be read, or that names another client than the body.
  init(_ request: HTTPRequest) throws(OAuthError) {
    let named = request.form["client_id"] ?? ""
    guard let header = request.header("Authorization"), let basic = try Self.basic(header) else {
      self.init(clientID: named, secret: request.form["client_secret"])
      return
    }
    guard named.isEmpty || named.lowercased() == basic.clientID.lowercased() else {
      throw OAuthError(
        .invalidClient, "The Authorization header names the client '\(basic.clientID)', the body '\(named)'.",
        aadsts: 7_000_215)
    }
    self.init(clientID: basic.clientID, secret: basic.secret)
  }

  private init(clientID: String, secret: String?) {
    self.clientID = clientID
    proof = secret.map { $0.isEmpty ? .none : .secret($0) } ?? .none
  }

  /// RFC 7617 §2; both halves are form-encoded (RFC 6749 §2.3.1), or raw where that cannot be. Nil: not Basic.
  private static func basic(_ header: String) throws(OAuthError) -> (clientID: String, secret: String)? {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic" else { return nil }
    let bytes = Data(base64Encoded: words[1].trimmed)
    let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }
    guard let pair = text?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false),
      pair.count == 2
    else {
      throw OAuthError(
        .invalidClient, "The Authorization header is no base64 of client ID, colon, secret.",
        aadsts: 7_000_215)
    }
    let halves = pair.map { FormEncoding.decodeText($0) ?? String($0) }
    return (halves[0], halves[1])
  }
}

extension Provider {
  /// The registered client that a request to the token endpoint and its like comes from, once it has proved
  /// itself.
  func authenticateClient(
    _ tenant: AuthorityTenant, _ exchange: inout Exchange
  ) throws -> ClientRegistration {
    exchange.authenticatesByHeader = exchange.request.header("Authorization") != nil
    let presented = try PresentedClient(exchange.request)
    let found = try directory.registration(clientID: presented.clientID)
    try exchange.checks.require(checkClientIsKnown(found, clientID: presented.clientID, tenant: tenant))
    guard let client = found else { throw OAuthError(.unauthorizedClient, "Unknown client.", aadsts: 700016) }
    try exchange.checks.require(checkClientProof(presented.proof, of: client))
    exchange.authenticatesByHeader = nil
    return client
  }
}

/// A confidential client proves itself, a public one has nothing to prove itself with.
func checkClientProof(_ proof: PresentedClient.Proof, of client: ClientRegistration) -> Finding {
  func finding(
    expected: String, found: String, _ holds: Bool, _ reason: String, _ aadsts: Int
  ) -> Finding {
    Finding(
      "client authentication", expected: expected, found: found, holds, source: "RFC 6749 §2.3",
      else: OAuthError(.invalidClient, reason, aadsts: aadsts))
  }
  switch proof {
  case .none:
    return finding(
      expected: client.isConfidential ? "client_secret or client_assertion" : "none", found: "none",
      !client.isConfidential,
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
      7_000_218)
  case .secret where !client.isConfidential:
    return finding(
      expected: "none: the client is public", found: "client_secret", false,
      "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.", 700_025)
  case .secret(let secret):
    let isRight = (client.secrets ?? []).contains { isSameSecret($0, secret) }
    return finding(
      expected: "a secret of the client", found: isRight ? "the same" : "another", isRight,
      "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, "
        + "not the client secret ID, for a secret added to app '\(client.clientID)'.", 7_000_215)
  }
}
