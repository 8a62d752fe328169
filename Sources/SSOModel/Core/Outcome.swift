import Essentials
import SSOReference

/// The values of an error that an SDK reports, or that a program receives from the provider.
package struct ReportedError: Codable, Hashable, Sendable {
  /// The public code, or `nil` for an SDK whose codes are words.
  package var code: Int?
  /// MSAL's cause of a public code.
  package var internalCode: Int?
  /// The code as a word, for an SDK whose codes are words.
  package var symbol: String?
  /// `error` of the provider's response.
  package var oauth: String?
  package var suberror: String?

  package init(
    code: Int? = nil, internalCode: Int? = nil, symbol: String? = nil, oauth: String? = nil,
    suberror: String? = nil
  ) {
    self.code = code
    self.internalCode = internalCode
    self.symbol = symbol
    self.oauth = oauth
    self.suberror = suberror
  }
}

/// The outcome of an intent.
package struct Outcome: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable { case succeeded, failed, cancelled }
  package var verdict: Verdict
  /// A line for users, such as "Signed in as ada@contoso.com through the broker".
  package var summary: String
  /// The error exactly as the SDK prints it, if an SDK failed.
  package var errorText: String?
  /// `MSALErrorDomain`, or one of ADAL's.
  package var errorDomain: String?
  /// The precise error code.
  ///
  /// For MSAL it is the internal code behind -50000, if there is one.
  package var errorCode: Int?
  /// The values of the error, as a program reads them, or `nil` if no SDK and no program failed.
  package var error: ReportedError?
  /// The failed check, if one stopped it.
  package var failedCheck: Check?
  /// The next step, or `nil` if nothing is needed.
  package var next: Advice?
  package var username: String?
  package var homeAccountID: String?
  package var expiresOn: Instant?
  package var grantedScopes: [String]
  /// The source of the token: "cache", "app refresh token", "family refresh token", "broker", or "person".
  package var source: String?
  /// Whether the user was prompted.
  package var prompted: Bool
  /// The effects of the change on the apps, one line each, or `nil` for intents that are not edits.
  package var effects: [Advice]?
  /// The access token.
  ///
  /// It is never encoded, and printed only with `--unmask`.
  package var accessToken: String?
  /// The time of the outcome by the lab's clock.
  ///
  /// It is not encoded, because the trace has a column for it.
  package var at: Instant?
  /// Whether undo applies to the changes.
  ///
  /// It does not apply to tokens from the cache or tokens of an external client. It is not encoded.
  package var canUndo = false

  private enum CodingKeys: String, CodingKey {
    case verdict, summary, errorText, errorDomain, errorCode, error, failedCheck, next, username,
      homeAccountID, expiresOn, grantedScopes, source, prompted, effects
  }

  package init(
    _ verdict: Verdict, _ summary: String, errorText: String? = nil, errorDomain: String? = nil,
    errorCode: Int? = nil, error: ReportedError? = nil, failedCheck: Check? = nil, next: Advice? = nil,
    username: String? = nil,
    homeAccountID: String? = nil, expiresOn: Instant? = nil, grantedScopes: [String] = [],
    source: String? = nil, prompted: Bool = false, effects: [Advice]? = nil, accessToken: String? = nil
  ) {
    self.verdict = verdict
    self.summary = summary
    self.errorText = errorText
    self.errorDomain = errorDomain
    self.errorCode = errorCode
    self.error = error
    self.failedCheck = failedCheck
    self.next = next
    self.username = username
    self.homeAccountID = homeAccountID
    self.expiresOn = expiresOn
    self.grantedScopes = grantedScopes
    self.source = source
    self.prompted = prompted
    self.effects = effects
    self.accessToken = accessToken
  }
}

extension Outcome {
  /// The JSON for the trace table.
  package var encoded: String {
    (try? encodeJSON(self)).flatMap { String(bytes: $0, encoding: .utf8) } ?? "{}"
  }

  package init?(encoded: String) {
    guard let outcome = try? decodeJSON(Outcome.self, from: Data(encoded.utf8)) else { return nil }
    self = outcome
  }
}
