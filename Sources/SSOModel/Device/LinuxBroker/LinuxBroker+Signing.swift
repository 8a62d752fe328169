import Crypto
import Essentials

/// The objects that the broker signs: a browser's credential, and a program's HTTP request.
extension LinuxBroker {
  /// Returns the cookie that signs a browser in, in the formats of newer and older brokers
  /// (docs/behaviour/linux-broker.md §6).
  ///
  /// If no account is specified, it is for the most recently used one.
  func cookie() throws -> LinuxBrokerAnswer {
    _ = try trustedOrigin(of: request.ssoURL)
    let account = request.account.isEmpty ? try context.accounts().first : try namedAccount()
    guard let account else {
      throw LinuxBrokerError(.accountNotFound, "The broker holds no account.")
    }
    guard account.expiresOn > context.now else {
      throw LinuxBrokerError.needsPerson("The primary refresh token of \(account.username) has expired.")
    }
    let nonce = URLParts(request.ssoURL)?.query.flatMap { FormEncoding.decode($0) }?["sso_nonce"]
    let content = PrimaryRefreshTokenCookie.signed(
      account.primaryRefreshToken, nonce: nonce, at: context.now, context: context.random.bytes(24),
      by: try sessionKey(of: account))
    let name = JSONValue.string(PrimaryRefreshTokenCookie.name)
    return LinuxBrokerAnswer(
      [
        "account": account.linuxJSON, "cookieName": name, "cookieContent": .string(content),
        "cookieItems": [["cookieName": name, "cookieContent": .string(content)]],
      ], username: account.username)
  }

  private func sessionKey(of account: BrokerAccount) throws -> SessionKey {
    guard let key = account.sessionKey.flatMap(SessionKey.init(encoded:)) else {
      throw LinuxBrokerError(
        .keyNotFound, "The session key of \(account.username) is missing. Sign in again.")
    }
    return key
  }
}

// MARK: - Signed HTTP requests

extension LinuxBroker {
  /// Returns a signed HTTP request (draft-ietf-oauth-signed-http-request-03 §3).
  ///
  /// The key belongs to the specified account or, if none is specified, to the most recently used one. No source
  /// documents the name of the field in the response; this one is taken from the method.
  func signedRequest() throws -> LinuxBrokerAnswer {
    guard let proof = request.proof, !proof.host.isEmpty else {
      throw LinuxBrokerError(.apiContractViolation, "The request has no popParams.uriHost.")
    }
    guard
      let account = try context.accounts().first(where: {
        request.account.isEmpty || $0.isNamed(by: request.account)
      })
    else { throw LinuxBrokerError(.accountNotFound, "The broker holds no account.") }
    let seed = try sessionKey(of: account).derivedKey(
      context: Array(request.clientID.lowercased().utf8), payload: [], .one)
    let key = try P256.Signing.PrivateKey(rawRepresentation: seed)
    let point = key.publicKey.rawRepresentation
    let publicKey: JSONValue = [
      "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point.prefix(32))),
      "y": .string(Base64URL.encode(point.suffix(32))),
    ]
    // RFC 7638: the hash of the key's members, sorted by name.
    let thumbprint = Base64URL.encode(sha256(publicKey.bytes(.wire)))
    var claims: [String: JSONValue] = [
      "ts": .integer(Int64(context.now.seconds)), "m": .string(proof.method.uppercased()),
      "u": .string(proof.host), "p": .string(proof.path), "cnf": ["jwk": publicKey],
    ]
    claims["nonce"] = proof.nonce.map(JSONValue.string)
    claims["client_claims"] = proof.clientClaims.map(JSONValue.string)
    let header: JSONValue = ["alg": "ES256", "kid": .string(thumbprint), "typ": "pop"]
    let text = [header, .object(claims)].map { Base64URL.encode($0.bytes(.wire)) }.joined(separator: ".")
    let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
    return LinuxBrokerAnswer(
      ["signedHttpRequest": .string(text + "." + Base64URL.encode(signature))], username: account.username)
  }
}
