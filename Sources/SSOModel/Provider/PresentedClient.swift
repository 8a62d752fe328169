import Foundation
import SSOCore

/// Who a client says it is, and what it proves it with (RFC 6749 §2.3, OpenID Connect Core §9).
package struct PresentedClient {
  enum Proof: Hashable {
    case none
    case secret(String)
    case assertion(String)
  }

  package var clientID: String
  var proof: Proof

  /// Takes the `Authorization` header before the body. oidc-agent sends `client_id:` there for a public client:
  /// an empty secret is none.
  /// - Throws: `invalid_client` for a header that cannot be read, or that names another client than the body;
  ///   `invalid_request` for two proofs (RFC 6749 §2.3).
  package init(_ request: HTTPRequest) throws(OAuthError) {
    let named = request.field("client_id") ?? ""
    let basic = try Self.basic(request.header("Authorization") ?? "")
    let proofs =
      [basic?.secret, request.form["client_secret"], request.form["client_assertion"]]
      .filter { $0?.isEmpty == false }
    guard proofs.count <= 1 else {
      throw OAuthError(
        .invalidRequest,
        "The client authenticates in more than one way: send the Authorization header, 'client_secret' or "
          + "'client_assertion'.")
    }
    if let basic {
      guard named.isEmpty || named.lowercased() == basic.clientID.lowercased() else {
        throw OAuthError(
          .invalidClient,
          "The Authorization header names the client '\(basic.clientID)', the body '\(named)'.",
          aadsts: 7_000_215)
      }
      clientID = basic.clientID
      proof = basic.secret.isEmpty ? .none : .secret(basic.secret)
    } else if let assertion = request.form["client_assertion"], !assertion.isEmpty {
      guard request.form["client_assertion_type"] == ClientAssertion.type else {
        throw OAuthError(
          .invalidRequest, "The 'client_assertion_type' must be '\(ClientAssertion.type)'.", aadsts: 900_144)
      }
      clientID = named.isEmpty ? ClientAssertion.subject(of: assertion) ?? "" : named
      proof = .assertion(assertion)
    } else {
      let secret = request.form["client_secret"] ?? ""
      clientID = named
      proof = secret.isEmpty ? .none : .secret(secret)
    }
  }

  /// RFC 7617 §2; both halves are form-encoded (RFC 6749 §2.3.1), or raw where that cannot be. Nil: not Basic.
  private static func basic(_ header: String) throws(OAuthError) -> (clientID: String, secret: String)? {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic" else { return nil }
    let bytes = Data(base64Encoded: words[1].trimmed)
    let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }
    let pair = text?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    guard pair.count == 2 else {
      throw OAuthError(
        .invalidClient, "The Authorization header is no base64 of client ID, colon, secret.",
        aadsts: 7_000_215)
    }
    let halves = pair.map { FormEncoding.decodeText($0) ?? String($0) }
    return (halves[0], halves[1])
  }

  /// `azpacr` of an access token: how the client proved itself.
  var authenticationClass: String {
    switch proof {
    case .none: "0"
    case .secret: "1"
    case .assertion: "2"
    }
  }
}

/// A client that is registered, and proved itself as far as it has to.
struct AuthenticatedClient {
  var registration: ClientRegistration
  /// `azpacr`: `0` public, `1` by a secret, `2` by a key.
  var authenticationClass: String
}

extension Provider {
  /// The client that a request to the token endpoint and its like comes from, once it has proved itself.
  func authenticateClient(
    _ tenant: AuthorityTenant, _ exchange: inout Exchange
  ) throws -> AuthenticatedClient {
    let request = exchange.request
    try exchange.checks.require(checkTenantExists(tenant))
    try exchange.checks.require(checkNothingIsRepeated(request.repeatedField))
    exchange.authenticatesByHeader = request.header("Authorization") != nil
    let presented = try PresentedClient(request)
    let found = try directory.registration(clientID: presented.clientID)
    try exchange.checks.require(checkClientIsKnown(found, clientID: presented.clientID, tenant: tenant))
    guard let client = found else { throw OAuthError(.unauthorizedClient, "Unknown client.", aadsts: 700016) }
    switch presented.proof {
    case .none: try exchange.checks.require(checkMayProveNothing(client))
    case .secret(let secret): try exchange.checks.require(checkSecret(secret, of: client))
    case .assertion(let compact):
      try exchange.checks.require(checkIsConfidential(client))
      try exchange.checks.require(
        ClientAssertion.rules,
        of: ClientAssertion(
          compact: compact, client: client, audiences: ClientAssertion.audiences(request, tenant), now: now))
    }
    exchange.authenticatesByHeader = nil
    return AuthenticatedClient(
      registration: client, authenticationClass: presented.authenticationClass)
  }

  /// For the grants that only a confidential client may use.
  func requireProof(_ request: TokenRequest, _ exchange: inout Exchange) throws {
    exchange.authenticatesByHeader = exchange.request.header("Authorization") != nil
    try exchange.checks.require(checkProof(isGiven: request.authenticationClass != "0"))
    exchange.authenticatesByHeader = nil
  }
}

private func checkMayProveNothing(_ client: ClientRegistration) -> Finding {
  client.isConfidential
    ? checkProof(isGiven: false) : checkProof(isGiven: true, expected: "none", found: "none")
}

private func checkProof(
  isGiven: Bool, expected: String = "client_secret or client_assertion", found: String? = nil
) -> Finding {
  Finding(
    "client authentication", expected: expected, found: found ?? (isGiven ? "given" : "none"), isGiven,
    source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
      aadsts: 7_000_218))
}

private func checkIsConfidential(_ client: ClientRegistration) -> Finding {
  Finding(
    "client authentication", expected: client.isConfidential ? "a proof" : "none: the client is public",
    found: "a proof", client.isConfidential, source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
      aadsts: 700_025))
}

private func checkSecret(_ secret: String, of client: ClientRegistration) -> Finding {
  guard client.isConfidential else { return checkIsConfidential(client) }
  let isRight = (client.secrets ?? []).contains { isSameSecret($0, secret) }
  return Finding(
    "client authentication", expected: "a secret of the client", found: isRight ? "the same" : "another",
    isRight,
    source: "RFC 6749 §2.3",
    else: OAuthError(
      .invalidClient,
      "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, "
        + "not the client secret ID, for a secret added to app '\(client.clientID)'.",
      aadsts: 7_000_215))
}
