/// `ADPromptBehavior`.
package enum ADALPrompt: String, Hashable {
  case auto = "AD_PROMPT_AUTO"
  case always = "AD_PROMPT_ALWAYS"
  case force = "AD_FORCE_PROMPT"
  case refreshSession = "AD_PROMPT_REFRESH_SESSION"

  /// The query parameter, or `nil` for auto.
  var parameter: String? {
    switch self {
    case .auto: nil
    case .always, .force: "login"
    case .refreshSession: "refresh_session"
    }
  }
}

/// `ADUserIdentifierType`: the meaning of the user ID that an app passes.
///
/// See docs/behaviour/adal.md §8 and docs/behaviour/broker.md §4.
package enum UserIDType: String, Codable, CaseIterable, Hashable, Sendable {
  /// The default: the user who signs in must have this displayable ID.
  case requiredDisplayableID = "RequiredDisplayableId"
  /// A hint: a different user who signs in is accepted too.
  case optionalDisplayableID = "OptionalDisplayableId"
  /// The object ID (or `sub`); the user who signs in must have it.
  case uniqueID = "UniqueId"
}

/// One call of `acquireTokenWithResource:…` or `acquireTokenSilentWithResource:…`.
package struct ADALRequest: Hashable {
  package var resource: String
  /// The user ID, or `nil` for the only user in the cache.
  package var userID: String?
  var userIDType: UserIDType = .requiredDisplayableID
  package var prompt: ADALPrompt = .auto
  /// The requested claims, with which cached access tokens cannot be used.
  package var claims: String?
  package var forceRefresh = false
  var correlationID: String

  var skipsAccessTokens: Bool { forceRefresh || claims?.isEmpty == false }
}

extension ADALPrompt {
  /// Creates the prompt by SSOTerm's own mapping: ADAL has no prompt for choosing an account or for consent.
  init(_ prompt: PromptBehavior) {
    self =
      switch prompt {
      case .whenRequired: .auto
      case .selectAccount: .always
      case .login: .force
      case .consent: .refreshSession
      }
  }
}
