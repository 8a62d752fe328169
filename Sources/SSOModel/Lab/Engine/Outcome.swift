import Essentials

/// What came of an intent.
package struct Outcome: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable { case succeeded, failed, cancelled }
  package var verdict: Verdict
  /// One line for people, such as "Signed in as ada@contoso.com through the broker".
  package var summary: String
  /// Exactly as the SDK prints it, if it failed in an SDK.
  package var errorText: String?
  /// `MSALErrorDomain`, or one of ADAL's.
  package var errorDomain: String?
  /// The precise one: of MSAL the internal code behind -50000, if it has one.
  package var errorCode: Int?
  /// The failed check, if one stopped it.
  package var failedCheck: Check?
  /// The next step, or `nil` if nothing is needed.
  package var next: Advice?
  package var username: String?
  package var homeAccountID: String?
  package var expiresOn: Instant?
  package var grantedScopes: [String]
  /// Where the token came from: "cache", "app refresh token", "family refresh token", "broker", "person".
  package var source: String?
  /// True if a person had to do something.
  package var prompted: Bool
  /// What the change did to the apps, a line each; nil for what is no edit.
  package var effects: [Advice]?
  /// The access token itself; never encoded, never printed unless asked for by `--unmask`.
  package var accessToken: String?
  /// When it came about, by the lab's clock; not encoded, the trace has a column for it.
  package var at: Instant?
  /// Whether it wrote what undo takes back: a token out of the cache, and what an external client was given, is nothing of
  /// that; not encoded.
  package var canUndo = false

  private enum CodingKeys: String, CodingKey {
    case verdict, summary, errorText, errorDomain, errorCode, failedCheck, next, username, homeAccountID,
      expiresOn, grantedScopes, source, prompted, effects
  }

  package init(
    _ verdict: Verdict, _ summary: String, errorText: String? = nil, errorDomain: String? = nil,
    errorCode: Int? = nil, failedCheck: Check? = nil, next: Advice? = nil, username: String? = nil,
    homeAccountID: String? = nil, expiresOn: Instant? = nil, grantedScopes: [String] = [],
    source: String? = nil, prompted: Bool = false, effects: [Advice]? = nil, accessToken: String? = nil
  ) {
    self.verdict = verdict
    self.summary = summary
    self.errorText = errorText
    self.errorDomain = errorDomain
    self.errorCode = errorCode
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
  /// As JSON for the trace table.
  package var encoded: String {
    (try? encodeJSON(self)).flatMap { String(bytes: $0, encoding: .utf8) } ?? "{}"
  }

  init?(encoded: String) {
    guard let outcome = try? decodeJSON(Outcome.self, from: Data(encoded.utf8)) else { return nil }
    self = outcome
  }
}
