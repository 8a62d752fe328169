import SSOLab
import SSOReference

/// The causes at AD FS, which has its own numbers for the mistakes that Entra refuses too.
extension Cause {
  /// Returns the causes that AD FS answers with its own numbers.
  static func ofFederation(_ causes: [Cause]) -> [Cause] {
    let numbers: [(name: String, code: FederationCode)] = [
      ("client-not-registered", .clientOfRequestUnknown),
      ("redirect-uri-not-registered", .redirectURIOfRequestUnknown),
      ("secret-wrong", .clientNotAuthenticated),
      ("secret-missing", .clientNotAuthenticated),
      ("refresh-token-unused", .refreshTokenExpired), ("refresh-token-not-valid", .refreshTokenInvalid),
      ("code-not-valid", .codeInvalid), ("code-redeemed-twice", .codeInvalid),
      ("code-verifier-differs", .codeVerifierMismatch), ("grant-type-unsupported", .grantTypeUnsupported),
      ("password-wrong", .wrongPassword),
    ]
    return numbers.compactMap { name, code -> Cause? in
      guard var cause = causes.first(where: { $0.name == name }) else { return nil }
      cause.name += "-at-ad-fs"
      cause.codes = [code.text]
      if cause.callers.isEmpty {
        // A page's refresh token expires before its inactivity matters.
        cause.callers =
          cause.call.isSilent ? refresh.filter { $0 != .program(.page, .refreshToken) } : Self.code
      }
      cause.callers.removeAll { $0 == .program(.webServer, .onBehalfOf) }
      cause.changes.append(.app("authority=$federation"))
      return cause
    }
  }
}
