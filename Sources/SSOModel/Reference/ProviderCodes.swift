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
  case sessionNotFound = 160021
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
