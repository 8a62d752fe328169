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
