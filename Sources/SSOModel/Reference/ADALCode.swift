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
