/// `MSALError` and `MSALInternalError` of MSAL for iOS and macOS (`MSALError.h`).
///
/// The first codes are returned to apps, the others are in `MSALInternalErrorCodeKey` with -50000.
package enum MSALCode: Int, NumberedCode {
  case internalError = -50000
  case workplaceJoinRequired = -50001
  case interactionRequired = -50002
  case serverDeclinedScopes = -50003
  case serverProtectionPoliciesRequired = -50004
  case userCanceled = -50005
  case serverError = -50006
  case insufficientDeviceStrength = -50007
  case mdmEnrollmentCompletedNeedsRetry = -50008
  case serverInvalidRequestResetPasswordRequired = -50142
  case invalidParameter = -42000
  case redirectSchemeNotRegistered = -42001
  case invalidRequest = -42002
  case invalidClient = -42003
  case invalidGrant = -42004
  case invalidScope = -42005
  case unauthorizedClient = -42006
  case unhandledResponse = -42007
  case unexpected = -42008
  case unexpectedHttpResponse = -42009
  case failedAuthorityValidation = -42010
  case invalidRedirectURI = -42011
  case mismatchedUser = -42101
  case ambiguousAccount = -42102
  case authorizationFailed = -42104
  case accountRequired = -42106
  case interactiveSessionAlreadyRunning = -42402
  case noViewController = -42403
  case attemptToOpenURLFromExtension = -42404
  case uiNotSupportedInExtension = -42405
  case invalidState = -42501
  case invalidResponse = -42600
  case nonHttpsRedirect = -42602
  case brokerResponseNotReceived = -42700
  case brokerNoResumeStateFound = -42701
  case brokerBadResumeStateFound = -42702
  case brokerMismatchedResumeState = -42703
  case brokerResponseHashMissing = -42704
  case brokerCorruptedResponse = -42705
  case brokerResponseDecryptionFailed = -42706
  case brokerResponseHashMismatch = -42707
  case brokerKeyFailedToCreate = -42708
  case brokerKeyNotFound = -42709
  case brokerUnknown = -42711
  case brokerApplicationTokenWriteFailed = -42712
  case brokerApplicationTokenReadFailed = -42713
  case brokerNotAvailable = -42714
  case invalidASWebAuthenticationURL = -42745

  package var family: Explanation.Family { number > -50_000 ? .msalInternal : .msal }
}

/// `MSIDErrorCode` of IdentityCore (`MSIDError.h`), the layer under both SDKs, as it appears in logs and in
/// `NSUnderlyingError`.
package enum IdentityCoreCode: Int, NumberedCode {
  case internalError = -51100
  case invalidInternalParameter = -51111
  case invalidDeveloperParameter = -51112
  case missingAccountParameter = -51113
  case unsupportedFunctionality = -51114
  case interactionRequired = -51115
  case serverNonHttpsRedirect = -51116
  case mismatchedAccount = -51117
  case redirectSchemeNotRegistered = -51118
  case invalidRedirectURI = -51119
  case cacheMultipleUsers = -51200
  case serverOauth = -51400
  case serverInvalidResponse = -51401
  case serverRefreshTokenRejected = -514102
  case serverInvalidRequest = -51410
  case serverInvalidClient = -51411
  case serverInvalidGrant = -51412
  case serverInvalidScope = -51413
  case serverUnauthorizedClient = -51414
  case serverDeclinedScopes = -51415
  case serverAccessDenied = -51416
  case serverError = -51417
  case serverInvalidState = -51420
  case serverProtectionPoliciesRequired = -51430
  case authorizationFailed = -51440
  case serverUnhandledResponse = -51500
  case unexpectedHttpResponse = -51501
  case authorityValidation = -51600
  case userCancel = -51700
  case sessionCanceledProgrammatically = -51701
  case interactiveSessionAlreadyRunning = -51710
  case noMainViewController = -51720
  case attemptToOpenURLFromExtension = -51730
  case uiNotSupportedInExtension = -51731
  case insufficientDeviceStrength = -51732
  case mdmEnrollmentNeedsRetry = -51733
  case invalidASWebAuthenticationURL = -51734
  case brokerResponseNotReceived = -51800
  case brokerNoResumeStateFound = -51801
  case brokerBadResumeStateFound = -51802
  case brokerMismatchedResumeState = -51803
  case brokerResponseHashMissing = -51804
  case brokerCorruptedResponse = -51805
  case brokerResponseDecryptionFailed = -51806
  case brokerResponseHashMismatch = -51807
  case brokerKeyFailedToCreate = -51808
  case brokerKeyNotFound = -51809
  case workplaceJoinRequired = -51810
  case brokerUnknown = -51811
  case brokerApplicationTokenWriteFailed = -51812
  case brokerApplicationTokenReadFailed = -51813
  case brokerNotAvailable = -51814

  package var family: Explanation.Family { .identityCore }
}

/// `ADErrorCode` of ADAL for Objective-C 4 (`ADErrorCodes.h`).
///
/// `MULTLIPLE` is the product's spelling.
package enum ADALCode: Int, NumberedCode {
  case succeeded = 0
  case unexpected = -1
  case developerInvalidArgument = 100
  case developerAuthorityValidation = 101
  case serverUserInputNeeded = 200
  case serverOAuth = 202
  case serverRefreshTokenRejected = 203
  case serverWrongUser = 204
  case serverAuthorizationCode = 211
  case serverInvalidResponse = 212
  case serverProtectionPolicyRequired = 213
  case cacheMultipleUsers = 300
  case uiMultipleInteractiveRequests = 400
  case uiNotSupportedInAppExtension = 402
  case uiUserCancel = 403
  case tokenBrokerUnknown = 500
  case tokenBrokerInvalidRedirectURI = 501
  case tokenBrokerResponseHashMismatch = 502
  case tokenBrokerResponseNotReceived = 503
  case tokenBrokerDecryptionFailed = 505
  case tokenBrokerNoResumeState = 507
  case tokenBrokerBadResumeState = 508
  case tokenBrokerMismatchedResumeState = 509
  case tokenBrokerHashMissing = 510

  package var family: Explanation.Family { .adal }
}

/// `status` of an error that the broker on Linux returns (docs/behaviour/linux-broker.md §5).
///
/// The cases are in the order of their numbers, starting with 0.
package enum LinuxBrokerStatus: String, ExplainedCode {
  case unexpected = "Status_Unexpected"
  case reserved = "Status_Reserved"
  case interactionRequired = "Status_InteractionRequired"
  case noNetwork = "Status_NoNetwork"
  case networkTemporarilyUnavailable = "Status_NetworkTemporarilyUnavailable"
  case serverTemporarilyUnavailable = "Status_ServerTemporarilyUnavailable"
  case apiContractViolation = "Status_ApiContractViolation"
  case userCanceled = "Status_UserCanceled"
  case applicationCanceled = "Status_ApplicationCanceled"
  case incorrectConfiguration = "Status_IncorrectConfiguration"
  case insufficientBuffer = "Status_InsufficientBuffer"
  case authorityUntrusted = "Status_AuthorityUntrusted"
  case notUsed = "Status_12"
  case accountUnusable = "Status_AccountUnusable"
  case userDataRemovalRequired = "Status_UserDataRemovalRequired"
  case transientError = "Status_TransientError"
  case accountSwitch = "Status_AccountSwitch"
  case deviceNotRegistered = "Status_DeviceNotRegistered"
  case keyNotFound = "Status_KeyNotFound"
  case accountNotFound = "Status_AccountNotFound"
  case requiredBrokerMissing = "Status_RequiredBrokerMissing"
  case fallbackToNativeMsal = "Status_FallbackToNativeMsal"

  package var family: Explanation.Family { .linuxBroker }

  /// The number in the response, 0 to 21.
  package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}

/// The `OSStatus` values that the keychain returns here (Apple, `SecBase.h`).
package enum KeychainError: Int, NumberedCode, Error {
  case itemNotFound = -25300
  case duplicateItem = -25299
  case missingEntitlement = -34018
  case interactionNotAllowed = -25308

  package var family: Explanation.Family { .keychain }
}
