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

/// Entra's error numbers that this provider uses (Microsoft Learn, "Microsoft Entra authentication and
/// authorization error codes").
package enum AADSTSCode: Int, NumberedCode {
  case tokenIssuanceFailed = 50000
  case serviceUnavailable = 90006
  case tooManyRequests = 90055
  case severalSessions = 16000
  case userContextMismatch = 165000
  case severalResources = 28000
  case codeScopeMissing = 28003
  case severalResourcesOfToken = 700022
  case redirectURINotRegistered = 50011
  case redirectURIDiffers = 500112
  case noRedirectURIRegistered = 500113
  case redirectURIMalformed = 500116
  case redirectURINotSent = 900971
  case redirectURINotAbsolute = 90102
  case resourceNotFound = 500011
  case resourceDisabled = 500014
  case resourceNotNamed = 500013
  case accountNotInTenant = 50020
  case loginDomainInvalid = 500208
  case accountNotInTenantForMFA = 90072
  case accountNotFound = 50034
  case unknownInstance = 50049
  case accountLocked = 50053
  case passwordExpired = 50055
  case accountDisabled = 50057
  case notAssigned = 50105
  case noSession = 50058
  case mfaRequired = 50076
  case signInTookTooLong = 50089
  case wrongPassword = 50126
  case codeVerifierMismatch = 501481
  case codeVerifierMissing = 50148
  case codeChallengeSize = 501491
  case codeChallengeMissing = 501471
  case codeChallengeMethod = 50149
  case grantRevoked = 50173
  case notMultiTenant = 50194
  case mfaFailed = 500121
  case deviceNotCompliant = 53000
  case brokerNotInstalled = 50127
  case deviceNotRegistered = 50129
  case deviceNotFound = 700003
  case appNotApproved = 53002
  case appNotEnrolled = 53005
  case deviceNotJoined = 53001
  case blockedByPolicy = 53003
  case enrollmentBlockedByRisk = 53004
  case appProtectionUnsupported = 53009
  case codeAlreadyRedeemed = 54005
  case codeOfAnotherTenant = 700005
  case consentMissing = 65001
  case consentDeclined = 65004
  case grantInvalid = 70000
  case grantOfAnotherClient = 700007
  case clientAmbiguous = 7_000_110
  case tokenForItself = 90009
  case grantExpired = 70008
  case scopeInvalid = 70011
  case clientNotFound = 700016
  case clientIDEmpty = 700038
  case clientDisabled = 7_000_112
  case clientLoop = 50196
  case notConverged = 90130
  case responseTypeUnsupported = 70005
  case responseModeUnsupported = 70007
  case scopeOfIDTokenMissing = 700053
  case responseTypeNotEnabled = 700051
  case idTokenNotEnabled = 700054
  case scopeNotFound = 650053
  case resourceNotRequired = 650057
  case noPermissionListed = 650056
  case refreshTokenInactive = 700082
  case signInTooOld = 70043
  case sessionTooOld = 70044
  case singlePageTokenExpired = 700084
  case grantTypeUnsupported = 70003
  case clientSecretWrong = 7_000_215
  case clientSecretExpired = 7_000_222
  case clientProofMissing = 7_000_218
  case appProofMissing = 7_000_216
  case clientProvesTwice = 9_002_324
  case clientInvalid = 70002
  case clientHasNoFederatedCredential = 70025
  case assertionIsIDToken = 240002
  case versionWithoutPersonalAccounts = 90027
  case accountDeleted = 500341
  case sessionNotFound = 160021
  case accountNamedTwice = 90138
  case mfaEnrollmentByPolicy = 50072
  case strongAuthenticationNeeded = 50074
  case mfaEnrollment = 50079
  case deviceAuthenticationNeeded = 50097
  case conditionalAccessBlocked = 50131
  case externalChallenge = 50158
  case compliantDeviceRequired = 530002
  case managedDeviceRequired = 530003
  case deviceStateUnsupported = 9_001_011
  case tenantNotFound = 90002
  case tenantNameInvalid = 900023
  case tenantIDEmpty = 900021
  case fieldMissing = 90014
  case parameterInvalid = 90023
  case inputInvalid = 90013
  case adminConsentRequired = 90094
  case bodyParameterMissing = 900144
  case requestMalformed = 9_002_313
  case assertionInvalid = 50013
  case assertionAudience = 500131
  case assertionExpired = 500133
  case clientAssertionMalformed = 50027
  case clientAssertionAudiences = 5_002_741
  case clientAssertionAlgorithm = 5_002_738
  case clientAssertionKeyNotNamed = 5_002_723
  case sessionArtifactExpired = 50132
  case sessionArtifactRevoked = 50133
  case derivationVersionInvalid = 5_000_611
  case tenantNotNamed = 50059
  case authorizationPending = 70016
  case deviceCodeUnknown = 70018
  case userCodeExpired = 70019
  case deviceCodeExpired = 70020
  case clientAssertionSubject = 700021
  case clientAssertionSubjectDiffers = 50048
  case clientAssertionAudience = 700023
  case clientAssertionTime = 700024
  case clientIsPublic = 700025
  case clientHasNoKey = 700026
  case clientAssertionSignature = 700027
  case federatedIssuer = 700211
  case federatedAudience = 700212
  case federatedSubject = 700213
  case federatedSubjectCase = 7_002_138
  case federatedKeyUnknown = 7_000_272
  case federatedNotMachine = 700226
  case assertionWithoutPerson = 7_000_114
  case deviceCodeAnswered = 90120
  case userCodeMissing = 90119
  case instanceRequestMalformed = 50050
  case confirmationMalformed = 1_000_029
  case assertionOfAnotherTenant = 1_000_014
  case adminConsentWithoutTenant = 9_002_328
  case promptInvalid = 901001
  case methodNotAllowed = 900561
  case appScopeInvalid = 1_002_012
  case resourceDoesNotFit = 9_010_010
  case grantNeedsTenant = 9_001_023
  case requestTooLong = 90015
  case parameterRepeated = 9_000_411
  case pkceRequired = 9_002_325
  case crossOriginRefused = 9_002_326
  case crossOriginRequired = 9_002_327
  case organizationsOnly = 9_002_332
  case personalAccountsOnly = 9_002_346
  case redirectURINotSecure = 500117
  case versionWithoutPersonalAccount = 500201
  case appNotAssigned = 501051
  case clientIDNotGUID = 90112
  case redirectURIOfCodeMissing = 700009
  case deviceCodeInvalid = 7_000_014
  case grantOfAnotherTenant = 7_000_012
  case grantOfPersonalAccount = 70_000_121
  case platformNotSupported = 50005
  case passwordMissing = 50056
  case tokenNotBound = 530084
  case blockedBySecurityDefaults = 530035
  case servicePrincipalMissing = 7_000_229
  case notPreauthorized = 65002
  case accountTypeOfResource = 500207

  package var family: Explanation.Family { .aadsts }
}

/// Azure AD B2C's error numbers that this provider uses (Microsoft Learn, "Error codes: Azure Active Directory B2C").
package enum B2CCode: Int, NumberedCode {
  case redirectURINotRegistered = 90006
  case noRedirectURIRegistered = 90007
  case clientIDMissing = 90008
  case scopeMissing = 90010
  case responseTypeUnsupported = 90013
  case responseModeUnsupported = 90014
  case clientNotFound = 90018
  case promptInvalid = 90043
  case tokenScopeMissing = 90055
  case implicitNotAllowed = 90057
  case noSession = 90077
  case clientNotOfB2C = 90068
  case clientProofMissing = 90079
  case grantExpired = 90080
  case clientSecretWrong = 90081
  case parameterMissing = 90083
  case clientIsPublic = 90084
  case grantTypeUnsupported = 90086
  case grantOfAnotherFlow = 90088
  case grantMalformed = 90090
  case userCancelled = 90091
  case clientDisabled = 90092
  case openIDMissing = 90110
  case scopeUnsupported = 90117
  case passwordForgotten = 90118
  case maxAgeInvalid = 90120
  case accountDeleted = 90128
  case grantRevoked = 90129
  case severalResources = 90146
  case codeVerifierMismatch = 90182
  case codeVerifierInvalid = 90183
  case codeChallengeMethod = 90184
  case resourceNotGranted = 90205
  case wrongPassword = 90225
  case grantOfAnotherClient = 90279
  case inputUnsafe = 90122
  case scopeIllegal = 99005
  case appScopeInvalid = 99068
  case publicClientNotAllowed = 90058

  package var family: Explanation.Family { .b2c }
}

/// The error numbers of AD FS that this provider uses, for which AD FS has a public witness
/// (docs/behaviour/provider.md §19).
package enum FederationCode: Int, NumberedCode {
  case clientOfRequestUnknown = 9223
  case redirectURIOfRequestUnknown = 9224
  case resourceUnknown = 9602
  case accessNotPermitted = 9605
  case clientUnknown = 9607
  case redirectURIUnknown = 9609
  case grantTypeUnsupported = 9611
  case codeInvalid = 9612
  case refreshTokenInvalid = 9614
  case refreshTokenExpired = 9615
  case clientNotAuthenticated = 9622
  case wrongPassword = 9659
  case codeVerifierMismatch = 9720

  package var family: Explanation.Family { .message }
  package var text: String { "MSIS\(rawValue)" }
}

extension AADSTSCode {
  /// Returns Microsoft's page on a number, which need not be explained here.
  package static func page(
    on number: some CustomStringConvertible, at host: String = "login.microsoftonline.com"
  ) -> String {
    "https://\(host)/error?code=\(number)"
  }

  /// The numbers that the look-up page does not know.
  ///
  /// Entra omits `error_uri` for them. They were seen without it (docs/behaviour/provider.md §19), except 70044, 700212,
  /// 700213, and 7002138, which belong to the same check as their neighbours.
  package static let withoutPage: Set = [
    50005, 70025, 70043, 70044, 700025, 700_211, 700_212, 700_213, 7_000_012, 7_002_138, 9_002_325, 9_002_327,
  ]

  /// The errors that policies cause at a sign-in or a refresh: Conditional Access, and MFA by policy.
  package static let ofPolicies: Set<AADSTSCode> = [
    .mfaRequired, .mfaEnrollment, .mfaEnrollmentByPolicy, .strongAuthenticationNeeded, .externalChallenge,
    .deviceAuthenticationNeeded, .brokerNotInstalled, .deviceNotRegistered, .conditionalAccessBlocked,
    .deviceNotCompliant, .deviceNotJoined, .appNotApproved, .blockedByPolicy, .enrollmentBlockedByRisk,
    .appNotEnrolled, .appProtectionUnsupported, .compliantDeviceRequired, .managedDeviceRequired,
    .deviceStateUnsupported, .platformNotSupported, .tokenNotBound, .blockedBySecurityDefaults,
    .signInTooOld, .sessionTooOld,
  ]
}

/// `error` of a rejected request.
///
/// The codes are those of RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core §3.1.2.6, RFC 8628 §3.5, RFC 6750
/// §3.1, RFC 7009 §2.2.1 and RFC 7591 §3.2.2, and Entra's own.
package enum OAuthErrorCode: String, ExplainedCode {
  case invalidRequest = "invalid_request"
  case invalidClient = "invalid_client"
  case invalidGrant = "invalid_grant"
  case invalidScope = "invalid_scope"
  case unauthorizedClient = "unauthorized_client"
  case unsupportedGrantType = "unsupported_grant_type"
  case unsupportedResponseType = "unsupported_response_type"
  case accessDenied = "access_denied"
  case serverError = "server_error"
  case temporarilyUnavailable = "temporarily_unavailable"
  case interactionRequired = "interaction_required"
  case loginRequired = "login_required"
  case consentRequired = "consent_required"
  case accountSelectionRequired = "account_selection_required"
  case invalidTenant = "invalid_tenant"
  case invalidInstance = "invalid_instance"
  case authorizationPending = "authorization_pending"
  case slowDown = "slow_down"
  case expiredToken = "expired_token"
  case authorizationDeclined = "authorization_declined"
  case badVerificationCode = "bad_verification_code"
  case invalidResource = "invalid_resource"
  case invalidTarget = "invalid_target"
  case metadataHeaderMissing = "bad_request_102"
  case invalidToken = "invalid_token"
  case insufficientScope = "insufficient_scope"
  case insufficientClaims = "insufficient_claims"
  case unsupportedTokenType = "unsupported_token_type"
  case invalidRedirectURI = "invalid_redirect_uri"
  case redirectURIMismatch = "redirect_uri_mismatch"
  case invalidClientMetadata = "invalid_client_metadata"
  case requestNotSupported = "request_not_supported"
  case requestURINotSupported = "request_uri_not_supported"

  package var family: Explanation.Family { .oauth }
}

/// `suberror` of a rejected request, which is Entra's own: the kind of `error`.
package enum OAuthSuberror: String, ExplainedCode {
  case badToken = "bad_token"
  case clientMismatch = "client_mismatch"
  case userAccountDeleted = "user_account_deleted"
  case protectionPolicyRequired = "protection_policy_required"
  case additionalAction = "additional_action"
  case messageOnly = "message_only"
  case basicAction = "basic_action"
  case tokenExpired = "token_expired"
  case userPasswordExpired = "user_password_expired"

  /// The `error_subcode` of a page that the user left by its own button.
  ///
  /// It is not a suberror of the token endpoint, and as an everyday word it is not looked for in texts.
  package static let leftPage = "cancel"

  package var family: Explanation.Family { .oauth }
}
