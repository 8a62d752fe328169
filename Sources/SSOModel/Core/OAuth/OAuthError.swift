/// An error that the identity provider returns for a rejected request.
///
/// `code` is sent as `error` (RFC 6749 §5.2). `reason` is one sentence for the user and is sent in `error_description`,
/// after the AADSTS number. Two errors are equal if all of their properties are.
package struct OAuthError: Error, Hashable, Sendable {
  package var code: OAuthErrorCode
  package var reason: String
  /// Entra's error number, such as 50126 in `AADSTS50126`.
  package var aadsts: Int?
  /// The suberror: `bad_token`, `client_mismatch`, `consent_required`, `user_account_deleted`, and others.
  package var suberror: String?
  /// The claims challenge: JSON with what the client has to request next time.
  package var claims: String?

  package init(
    _ code: OAuthErrorCode, _ reason: String, aadsts: AADSTSCode? = nil, suberror: OAuthSuberror? = nil,
    claims: String? = nil
  ) {
    self.init(code, reason, number: aadsts?.number, suberror: suberror?.text, claims: claims)
  }

  /// Creates an error from a response, which may contain numbers and suberrors that are not explained here.
  package init(
    _ code: OAuthErrorCode, _ reason: String, number: Int?, suberror: String?, claims: String? = nil
  ) {
    self.code = code
    self.reason = reason
    aadsts = number
    self.suberror = suberror
    self.claims = claims
  }

  /// The error of instance discovery for an unknown host, whose message the SDKs use too.
  package static let unknownInstance = OAuthError(
    .invalidInstance, "Unknown or invalid instance.", aadsts: .unknownInstance)

  /// The AADSTS number and the reason: `AADSTS50126: Error validating credentials…`.
  package var message: String { aadsts.map { "AADSTS\($0): \(reason)" } ?? reason }
}
