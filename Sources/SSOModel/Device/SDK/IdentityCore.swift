/// The conversion of codes of IdentityCore, the layer below the SDKs.
///
/// IdentityCore's `MSALErrorConverter` and `ADAuthenticationErrorConverter` do this.
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

  /// MSAL's code for this error.
  package var msal: MSALCode { Self.msalCodes[self] ?? .internalError }

  /// ADAL's code for an error between the app and the broker.
  ///
  /// An error that prevents reading a response is 505; a key that cannot be created for a request is -1
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
  /// Whether the app can act on the code, which is then delivered unchanged; otherwise, it accompanies -50000.
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
  /// MSAL's code for an OAuth error, converted through IdentityCore's.
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
