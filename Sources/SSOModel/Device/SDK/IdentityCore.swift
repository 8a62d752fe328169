/// How the SDKs pass on the codes of the layer below them (IdentityCore's `MSALErrorConverter` and `ADAuthenticationErrorConverter`).
extension IdentityCoreCode {
  private static let msalCodes: [IdentityCoreCode: MSALCode] = [
    .invalidDeveloperParameter: .invalidParameter, .missingAccountParameter: .accountRequired,
    .interactionRequired: .interactionRequired, .serverNonHttpsRedirect: .nonHttpsRedirect,
    .mismatchedAccount: .mismatchedUser, .redirectSchemeNotRegistered: .redirectSchemeNotRegistered,
    .invalidRedirectURI: .invalidRedirectURI, .cacheMultipleUsers: .ambiguousAccount,
    .serverOauth: .authorizationFailed, .serverInvalidResponse: .invalidResponse,
    .serverInvalidRequest: .invalidRequest, .serverInvalidClient: .invalidClient,
    .serverInvalidGrant: .invalidGrant, .serverInvalidScope: .invalidScope,
    .serverUnauthorizedClient: .unauthorizedClient, .serverDeclinedScopes: .serverDeclinedScopes,
    .serverAccessDenied: .userCanceled, .serverError: .serverError, .serverInvalidState: .invalidState,
    .serverProtectionPoliciesRequired: .serverProtectionPoliciesRequired,
    .authorizationFailed: .authorizationFailed, .serverUnhandledResponse: .unhandledResponse,
    .unexpectedHttpResponse: .unexpectedHttpResponse, .authorityValidation: .failedAuthorityValidation,
    .userCancel: .userCanceled, .sessionCanceledProgrammatically: .userCanceled,
    .interactiveSessionAlreadyRunning: .interactiveSessionAlreadyRunning,
    .noMainViewController: .noViewController,
    .attemptToOpenURLFromExtension: .attemptToOpenURLFromExtension,
    .uiNotSupportedInExtension: .uiNotSupportedInExtension,
    .insufficientDeviceStrength: .insufficientDeviceStrength,
    .mdmEnrollmentNeedsRetry: .mdmEnrollmentCompletedNeedsRetry,
    .invalidASWebAuthenticationURL: .invalidASWebAuthenticationURL,
    .brokerResponseNotReceived: .brokerResponseNotReceived,
    .brokerNoResumeStateFound: .brokerNoResumeStateFound,
    .brokerBadResumeStateFound: .brokerBadResumeStateFound,
    .brokerMismatchedResumeState: .brokerMismatchedResumeState,
    .brokerResponseHashMissing: .brokerResponseHashMissing,
    .brokerCorruptedResponse: .brokerCorruptedResponse,
    .brokerResponseDecryptionFailed: .brokerResponseDecryptionFailed,
    .brokerResponseHashMismatch: .brokerResponseHashMismatch,
    .brokerKeyFailedToCreate: .brokerKeyFailedToCreate, .brokerKeyNotFound: .brokerKeyNotFound,
    .workplaceJoinRequired: .workplaceJoinRequired, .brokerUnknown: .brokerUnknown,
    .brokerApplicationTokenWriteFailed: .brokerApplicationTokenWriteFailed,
    .brokerApplicationTokenReadFailed: .brokerApplicationTokenReadFailed,
    .brokerNotAvailable: .brokerNotAvailable,
  ]

  /// MSAL's code for it.
  package var msal: MSALCode { Self.msalCodes[self] ?? .internalError }

  /// ADAL's code for what can go wrong between the app and the broker.
  ///
  /// Whatever keeps an answer from being read is 505; a key that cannot be made for a request is -1
  /// (docs/behaviour/broker.md §4(5), §7(6)).
  package var adal: ADALCode {
    switch self {
    case .interactiveSessionAlreadyRunning: .uiMultipleInteractiveRequests
    case .brokerResponseNotReceived: .tokenBrokerResponseNotReceived
    case .brokerNoResumeStateFound: .tokenBrokerNoResumeState
    case .brokerBadResumeStateFound: .tokenBrokerBadResumeState
    case .brokerMismatchedResumeState: .tokenBrokerMismatchedResumeState
    case .brokerResponseHashMissing: .tokenBrokerHashMissing
    case .brokerKeyNotFound, .brokerCorruptedResponse, .brokerResponseDecryptionFailed:
      .tokenBrokerDecryptionFailed
    case .brokerResponseHashMismatch: .tokenBrokerResponseHashMismatch
    case .brokerKeyFailedToCreate: .unexpected
    default: .tokenBrokerUnknown
    }
  }
}

extension MSALCode {
  /// Whether the app can do something about it: then it is delivered as it is, otherwise it is beside -50000.
  var isRecoverable: Bool {
    switch self {
    case .workplaceJoinRequired, .interactionRequired, .serverDeclinedScopes,
      .serverProtectionPoliciesRequired,
      .userCanceled, .serverInvalidRequestResetPasswordRequired:
      true
    default: false
    }
  }
}

extension OAuthErrorCode {
  /// MSAL's code for an OAuth error, by way of IdentityCore's.
  var msal: MSALCode {
    switch self {
    case .invalidRequest: .invalidRequest
    case .invalidClient: .invalidClient
    case .invalidGrant: .invalidGrant
    case .invalidScope: .invalidScope
    case .unauthorizedClient: .unauthorizedClient
    case .interactionRequired: .interactionRequired
    case .accessDenied: .userCanceled
    case .serverError: .serverError
    default: .authorizationFailed
    }
  }
}
