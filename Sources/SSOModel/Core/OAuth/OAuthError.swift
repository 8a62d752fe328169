/// Why the identity provider refused a request.
///
/// `code` goes on the wire as `error` (RFC 6749 §5.2); `reason` is one sentence for the person and goes into
/// `error_description`, behind the AADSTS number. Two errors are equal when all of it is.
package struct OAuthError: Error, Hashable, Sendable {
  package var code: OAuthErrorCode
  package var reason: String
  /// Entra's number, 50126 in `AADSTS50126`.
  package var aadsts: Int?
  /// `bad_token`, `client_mismatch`, `consent_required`, `user_account_deleted` .
  package var suberror: String?
  /// What the client has to ask for next time, as JSON: a claims challenge.
  package var claims: String?

  package init(
    _ code: OAuthErrorCode, _ reason: String, aadsts: AADSTSCode? = nil, suberror: OAuthSuberror? = nil,
    claims: String? = nil
  ) {
    self.init(code, reason, number: aadsts?.number, suberror: suberror?.text, claims: claims)
  }

  /// As it was read from an answer, which may carry numbers and words that are not explained here.
  package init(
    _ code: OAuthErrorCode, _ reason: String, number: Int?, suberror: String?, claims: String? = nil
  ) {
    self.code = code
    self.reason = reason
    aadsts = number
    self.suberror = suberror
    self.claims = claims
  }

  /// What instance discovery says of a host that it does not know; an SDK says the same of one that it was told of.
  package static let unknownInstance = OAuthError(
    .invalidInstance, "Unknown or invalid instance.", aadsts: .unknownInstance)

  /// `AADSTS50126: Error validating credentials…`.
  package var message: String { aadsts.map { "AADSTS\($0): \(reason)" } ?? reason }
}
