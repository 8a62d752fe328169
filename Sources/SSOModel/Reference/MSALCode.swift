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
