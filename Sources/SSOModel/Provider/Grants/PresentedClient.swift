import Essentials

/// The client ID and the authentication that a client sent (RFC 6749 §2.3, OpenID Connect Core §9).
package struct PresentedClient {
  enum Proof: Hashable {
    case none
    case secret(String)
    case assertion(String)
  }

  package var clientID: String
  var proof: Proof

  /// Reads the `Authorization` header, or else the body.
  ///
  /// oidc-agent sends `client_id:` in the header for a public client, so an empty secret counts as none.
  ///
  /// - Throws: `invalid_client` for a header that is not valid or that contains a different client than the
  ///   body; `invalid_request` for two kinds of authentication (RFC 6749 §2.3).
  package init(_ request: HTTPRequest) throws(OAuthError) {
    let named = request.field("client_id") ?? ""
    let basic = try Self.basic(request.header("Authorization") ?? "")
    let proofs =
      [basic?.secret, request.form["client_secret"], request.form["client_assertion"]]
      .filter { $0?.isEmpty == false }
    guard proofs.count <= 1 else {
      throw OAuthError(
        .invalidRequest,
        "The client authenticates in more than one way: send only one of the Authorization header, 'client_secret' or "
          + "'client_assertion'.")
    }
    if let basic {
      guard named.isEmpty || named.lowercased() == basic.clientID.lowercased() else {
        throw OAuthError(
          .invalidClient,
          "The Authorization header names the client '\(basic.clientID)', the body '\(named)'.",
          aadsts: .clientSecretWrong)
      }
      clientID = basic.clientID
      proof = basic.secret.isEmpty ? .none : .secret(basic.secret)
    } else if let assertion = request.form["client_assertion"], !assertion.isEmpty {
      guard request.form["client_assertion_type"] == ClientAssertion.type else {
        throw OAuthError(
          .invalidRequest, "The 'client_assertion_type' must be '\(ClientAssertion.type)'.",
          aadsts: .bodyParameterMissing)
      }
      clientID = named.isEmpty ? ClientAssertion.subject(of: assertion) ?? "" : named
      proof = .assertion(assertion)
    } else {
      let secret = request.form["client_secret"] ?? ""
      clientID = named
      proof = secret.isEmpty ? .none : .secret(secret)
    }
  }

  /// Parses a Basic header (RFC 7617 §2), or returns `nil` for another scheme.
  ///
  /// Both halves are form-encoded (RFC 6749 §2.3.1), or raw if they cannot be decoded.
  private static func basic(_ header: String) throws(OAuthError) -> (clientID: String, secret: String)? {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "basic" else { return nil }
    let bytes = Data(base64Encoded: words[1].trimmed)
    let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }
    let pair = text?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    guard pair.count == 2 else {
      throw OAuthError(
        .invalidClient, "The Authorization header is not base64 of client ID, colon, secret.",
        aadsts: .clientSecretWrong)
    }
    let halves = pair.map { FormEncoding.decodeText($0) ?? String($0) }
    return (halves[0], halves[1])
  }

  /// `azpacr` of an access token: the kind of client authentication.
  var authenticationClass: String {
    switch proof {
    case .none: "0"
    case .secret: "1"
    case .assertion: "2"
    }
  }
}
