/// `ADErrorCode` (fact sheet §6.3). `MULTLIPLE` is the product's spelling.
package enum ADALErrorCode: Int, CaseIterable, Sendable {
  case unexpected = -1
  case succeeded = 0
  case developerInvalidArgument = 100
  case developerAuthorityValidation = 101
  case serverUserInputNeeded = 200
  case serverWPJRequired = 201
  case serverOAuth = 202
  case serverRefreshTokenRejected = 203
  case serverWrongUser = 204
  case serverNonHTTPSRedirect = 205
  case serverInvalidIDToken = 206
  case serverMissingAuthenticateHeader = 207
  case serverAuthenticateHeaderBadFormat = 208
  case serverUnauthorizedCodeExpected = 209
  case serverUnsupportedRequest = 210
  case serverAuthorizationCode = 211
  case serverInvalidResponse = 212
  case serverProtectionPolicyRequired = 213
  case cacheMultipleUsers = 300
  case cacheVersionMismatch = 301
  case cacheBadFormat = 302
  case cacheNoRefreshToken = 303
  case uiMultipleInteractiveRequests = 400
  case uiNoMainViewController = 401
  case uiNotSupportedInAppExtension = 402
  case uiUserCancel = 403
  case uiNotOnMainThread = 404
  case tokenBrokerUnknown = 500
  case tokenBrokerInvalidRedirectURI = 501
  case tokenBrokerResponseHashMismatch = 502
  case tokenBrokerResponseNotReceived = 503
  case tokenBrokerFailedToCreateKey = 504
  case tokenBrokerDecryptionFailed = 505
  case tokenBrokerNotABrokerResponse = 506
  case tokenBrokerNoResumeState = 507
  case tokenBrokerBadResumeState = 508
  case tokenBrokerMismatchedResumeState = 509
  case tokenBrokerHashMissing = 510
  case tokenBrokerNotSupportedInExtension = 511

  /// As the header file names it.
  package var name: String {
    switch self {
    case .unexpected: "AD_ERROR_UNEXPECTED"
    case .succeeded: "AD_ERROR_SUCCEEDED"
    case .developerInvalidArgument: "AD_ERROR_DEVELOPER_INVALID_ARGUMENT"
    case .developerAuthorityValidation: "AD_ERROR_DEVELOPER_AUTHORITY_VALIDATION"
    case .serverUserInputNeeded: "AD_ERROR_SERVER_USER_INPUT_NEEDED"
    case .serverWPJRequired: "AD_ERROR_SERVER_WPJ_REQUIRED"
    case .serverOAuth: "AD_ERROR_SERVER_OAUTH"
    case .serverRefreshTokenRejected: "AD_ERROR_SERVER_REFRESH_TOKEN_REJECTED"
    case .serverWrongUser: "AD_ERROR_SERVER_WRONG_USER"
    case .serverNonHTTPSRedirect: "AD_ERROR_SERVER_NON_HTTPS_REDIRECT"
    case .serverInvalidIDToken: "AD_ERROR_SERVER_INVALID_ID_TOKEN"
    case .serverMissingAuthenticateHeader: "AD_ERROR_SERVER_MISSING_AUTHENTICATE_HEADER"
    case .serverAuthenticateHeaderBadFormat: "AD_ERROR_SERVER_AUTHENTICATE_HEADER_BAD_FORMAT"
    case .serverUnauthorizedCodeExpected: "AD_ERROR_SERVER_UNAUTHORIZED_CODE_EXPECTED"
    case .serverUnsupportedRequest: "AD_ERROR_SERVER_UNSUPPORTED_REQUEST"
    case .serverAuthorizationCode: "AD_ERROR_SERVER_AUTHORIZATION_CODE"
    case .serverInvalidResponse: "AD_ERROR_SERVER_INVALID_RESPONSE"
    case .serverProtectionPolicyRequired: "AD_ERROR_SERVER_PROTECTION_POLICY_REQUIRED"
    case .cacheMultipleUsers: "AD_ERROR_CACHE_MULTIPLE_USERS"
    case .cacheVersionMismatch: "AD_ERROR_CACHE_VERSION_MISMATCH"
    case .cacheBadFormat: "AD_ERROR_CACHE_BAD_FORMAT"
    case .cacheNoRefreshToken: "AD_ERROR_CACHE_NO_REFRESH_TOKEN"
    case .uiMultipleInteractiveRequests: "AD_ERROR_UI_MULTLIPLE_INTERACTIVE_REQUESTS"
    case .uiNoMainViewController: "AD_ERROR_UI_NO_MAIN_VIEW_CONTROLLER"
    case .uiNotSupportedInAppExtension: "AD_ERROR_UI_NOT_SUPPORTED_IN_APP_EXTENSION"
    case .uiUserCancel: "AD_ERROR_UI_USER_CANCEL"
    case .uiNotOnMainThread: "AD_ERROR_UI_NOT_ON_MAIN_THREAD"
    case .tokenBrokerUnknown: "AD_ERROR_TOKENBROKER_UNKNOWN"
    case .tokenBrokerInvalidRedirectURI: "AD_ERROR_TOKENBROKER_INVALID_REDIRECT_URI"
    case .tokenBrokerResponseHashMismatch: "AD_ERROR_TOKENBROKER_RESPONSE_HASH_MISMATCH"
    case .tokenBrokerResponseNotReceived: "AD_ERROR_TOKENBROKER_RESPONSE_NOT_RECEIVED"
    case .tokenBrokerFailedToCreateKey: "AD_ERROR_TOKENBROKER_FAILED_TO_CREATE_KEY"
    case .tokenBrokerDecryptionFailed: "AD_ERROR_TOKENBROKER_DECRYPTION_FAILED"
    case .tokenBrokerNotABrokerResponse: "AD_ERROR_TOKENBROKER_NOT_A_BROKER_RESPONSE"
    case .tokenBrokerNoResumeState: "AD_ERROR_TOKENBROKER_NO_RESUME_STATE"
    case .tokenBrokerBadResumeState: "AD_ERROR_TOKENBROKER_BAD_RESUME_STATE"
    case .tokenBrokerMismatchedResumeState: "AD_ERROR_TOKENBROKER_MISMATCHED_RESUME_STATE"
    case .tokenBrokerHashMissing: "AD_ERROR_TOKENBROKER_HASH_MISSING"
    case .tokenBrokerNotSupportedInExtension: "AD_ERROR_TOKENBROKER_NOT_SUPPORTED_IN_EXTENSION"
    }
  }
}
