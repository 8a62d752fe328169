import Foundation
import SSOLab
import SSOReference
import SSOScenarios
import Testing

@testable import SSOReproduce

/// Each row of the table of causes, with the text by which a source shows it.
struct CauseTests {
  /// A text that shows a failure, and the expected reproduction.
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var number: Int?
    var sdkCode: Int?
    /// The remaining causes, or the only one.
    var causes: [String]
    var testDescription: String { text }

    init(_ text: String, number: Int? = nil, sdkCode: Int? = nil, _ causes: String...) {
      (self.text, self.number, self.sdkCode, self.causes) = (text, number, sdkCode, causes)
    }
  }

  static let cases = [
    Case(
      "MSALErrorDomain Code=-50000 MSALInternalErrorCodeKey=-42001", sdkCode: -42001, "url-scheme-missing",
      "query-schemes-missing"),
    Case("Error Domain=MSALErrorDomain Code=-50003", sdkCode: -50003, "scopes-declined"),
    Case("AADSTS50011: The redirect URI does not match", number: 50011, "redirect-uri-not-registered"),
    Case(
      "TID=1 MSAL 1.4.0 iOS 17.4 [2026-01-05 10:00:00 - 1f3c2a10-0000-4d92-a1c6-7e4f90b2d385] [MSAL] acquireTokenSilent "
        + "returning with error: (MSALErrorDomain, -50003) Masked(not-null)", sdkCode: -50003,
      "scopes-declined-silently"),
    Case("AADSTS65001: consent", number: 65001, "consent-missing"),
    Case("AADSTS50020: User account does not exist in tenant", number: 50020, "not-a-guest"),
    Case(
      "AADSTS53000: Device is not in required device state", number: 53000, "policy-compliantDevice-at-broker"
    ),
    Case("AADSTS90094: needs permission", number: 90094, "administrator-consent-needed"),
    Case("AADSTS500011: The resource principal was not found", number: 500011, "resource-unknown"),
    Case("OSStatus error -34018", sdkCode: -34018, "keychain-group-missing"),
    Case("Error Domain=MSALErrorDomain Code=-50002", sdkCode: -50002, "no-account"),
    Case("MSALInternalErrorCodeKey=-42011", sdkCode: -42011, "redirect-uri-of-another-bundle"),
    Case("Error Domain=MSALErrorDomain Code=-50002", sdkCode: -50002, "username-changed"),
    Case("MSALInternalErrorCodeKey=-42402", sdkCode: -42402, "calls-overlap"),
    Case("Error Domain=MSIDErrorDomain Code=-51111", sdkCode: -51111, "username-blank"),
    Case("MSALInternalErrorCodeKey=-42700", sdkCode: -42700, "answer-not-forwarded"),
    Case("AADSTS700016: Application was not found", number: 700016, "client-not-registered"),
    Case("AADSTS700082: inactive", number: 700082, "refresh-token-unused"),
    Case("AADSTS50173: revoked", number: 50173, "sessions-revoked"),
    Case("AADSTS50034: does not exist", number: 50034, "account-unknown"),
    Case("AADSTS90002: Tenant not found", number: 90002, "tenant-unknown"),
    Case(
      "AADSTS50049: Unknown or invalid instance. -42010", number: 50049, sdkCode: -42010,
      "authority-host-unknown"),
    Case(
      "MSALErrorDescriptionKey=clientId is a required parameter and must not be nil or empty., "
        + "MSALInternalErrorCodeKey=-42000", sdkCode: -42000, "client-id-empty"),
    Case(
      "MSALErrorDescriptionKey={(openid)} are reserved scopes and may not be specified in the acquireToken call., "
        + "MSALInternalErrorCodeKey=-42000", sdkCode: -42000, "reserved-scopes"),
    Case(
      "Error Domain=MSALErrorDomain Code=-50005", sdkCode: -50005, "cancelled", "redirect-uri-not-registered"),
    Case(
      "AADSTS53003: Access has been blocked by Conditional Access policies", number: 53003, "policy-block"),
    Case(
      "msal.application: Refresh failed. invalid_grant: AADSTS530003: Your device is required to be managed",
      number: 530_003, "policy-managedDevice"),
    Case(
      "Microsoft.Identity.Client AcquireTokenSilent AADSTS53001: Device is not in required device state: domain_joined.",
      number: 53001, "policy-joinedDevice"),
    Case(
      "Error Domain=MSALErrorDomain Code=-50000 UserInfo={MSALErrorDescriptionKey=AADSTS9001011:+Device+policy+contains, "
        + "MSALOAuthErrorKey=invalid_request, MSALInternalErrorCodeKey=-42002}", number: 9_001_011,
      "policy-joinedDevice-at-sign-in"),
    Case("AADSTS50158: External security challenge not satisfied.", number: 50158, "policy-externalControl"),
    Case("AADSTS7000112: Application 'x'(Notes) is disabled.", number: 7_000_112, "client-disabled"),
    Case(
      "AADSTS700038: 00000000-0000-0000-0000-000000000000 is not a valid application identifier.",
      number: 700_038, "client-id-of-zeros"),
    Case(
      "AADSTS500113: No reply address is registered for the application.", number: 500_113,
      "no-redirect-uri-registered"),
    Case(
      "O365-HomeAssistant flask: AADSTS900971: No reply address provided", number: 900_971,
      "redirect-uri-not-sent"),
    Case(
      "AADSTS90130: Application 'x' (Test) is not supported over the /common or /consumers endpoints.",
      number: 90130, "not-converged"),
    Case(
      "az login AADSTS90072: User account from identity provider", number: 90072, "guest-lacks-second-factor"),
    Case("AADB2C90068: The provided application with ID 'x' is not valid", "client-not-of-user-flows"),
    Case(
      "InteractionRequiredAuthError: interaction_required: AADSTS16000: Either multiple user identities are available",
      number: 16000, "several-sessions"),
    Case(
      "com.microsoft.identity.client.exception.MsalClientException: There is no signed in account.",
      "no-current-account"),
    Case(
      "azd auth token ERROR: AADSTS530084: Access has been blocked by conditional access token protection policy",
      number: 530_084, "policy-tokenProtection"),
    Case(
      "az login --use-device-code AADSTS50005: User tried to log in to a device from a platform (Unknown)",
      number: 50005, "policy-supportedPlatform-at-device-code"),
    Case(
      "Connect-AzAccount: AADSTS50097: Device authentication is required.", number: 50097,
      "policy-deviceAuthentication-at-device-code"),
    Case(
      "AcquireTokenByUsernamePassword AADSTS50056: Invalid or missing password: password does not exist",
      number: 50056, "password-not-in-directory"),
    Case(
      "msal-browser AADB2C90058: The provided application is not configured to allow public clients.",
      "public-client-not-allowed-at-user-flow"),
    Case("AADSTS50079: you must enroll", number: 50079, "account-must-register-second-factor"),
    Case(
      "next-auth AADSTS9002325: Proof Key for Code Exchange is required", number: 9_002_325,
      "server-sends-no-challenge"),
    Case(
      "WorkloadIdentityCredential: AADSTS7000272: The certificate with identifier x used to sign the federated credential",
      number: 7_000_272, "federated-key-unknown"),
    Case(
      "azure/login@v2 ClientAssertionCredential: AADSTS700213: No matching federated identity record",
      number: 700_213, "federated-subject-differs"),
    Case(
      "service principal AADSTS700024: Client assertion is not within its valid time range.", number: 700_024,
      "federated-token-expired"),
    Case(
      "on-behalf-of AADSTS240002: Input id_token cannot be used", number: 240_002, "assertion-is-id-token"),
    Case("AADB2C90182: The supplied code_verifier does not match", "code-verifier-differs-at-user-flow"),
    Case(
      "{\"error\":\"invalid_request\",\"error_description\":\"Required query variable 'resource' is missing\"}",
      "machine-without-resource"),
    Case("AADSTS53005: Application needs to enforce Intune", number: 53005, "app-not-enrolled"),
    Case(
      "UsernamePasswordCredential authentication failed: AADSTS50196: The server terminated an operation",
      number: 50196,
      "client-loop"),
    Case(
      "AADSTS500014: The service principal for resource is disabled", number: 500_014, "resource-disabled"),
    Case(
      "username-password com.microsoft.aad.msal4j AADSTS65001: The user or administrator has not consented",
      number: 65001, "consent-missing-with-password"),
    Case(
      "secureworks AADSTS65002: Consent between first party application", number: 65002,
      "microsoft-app-not-preauthorized"),
    Case(
      "ClientSecretCredential authentication failed: AADSTS7000229: The client application x is missing service principal",
      number: 7_000_229, "service-principal-missing"),
    Case(
      "az login --use-device-code AADSTS530035: Access has been blocked by security defaults.",
      number: 530_035,
      "policy-securityDefaults-at-device-code"),
    Case(
      "msal-browser AADSTS500207: The account type can't be used for the resource you're trying to access.",
      number: 500_207, "several-tenants-at-external-tenant"),
    Case(
      "next-auth AADSTS900561: The endpoint only accepts POST, OPTIONS requests. Received a GET request.",
      number: 900_561, "token-endpoint-opened"),
    Case("AADSTS650056: Misconfigured application.", number: 650_056, "no-permission-listed"),
    Case(
      "fastapi AADSTS500208: The domain is not a valid login domain for the account type.", number: 500_208,
      "external-tenant-at-common-host"),
    Case(
      "refresh_token() AADSTS70000: The request was denied because one or more scopes requested are unauthorized or expired.",
      number: 70000, "scopes-not-granted-by-personal-account"),
    Case(
      "acquire_token_by_username_password AADSTS7000218: The request body must contain: 'client_secret'.",
      number: 7_000_218, "public-flows-not-allowed"),
    Case("AADSTS50089: Flow token expired", number: 50089, "sign-in-took-too-long"),
    Case("AADSTS50105: not assigned to a role", number: 50105, "not-assigned"),
    Case("AADSTS70043: sign-in frequency checks", number: 70043, "sign-in-too-old"),
    Case("access_denied AADB2C90118: The user has forgotten their password.", "password-forgotten"),
    Case("AADB2C90091: The user has cancelled", "user-flow-cancelled"),
    Case(
      "next-auth AADSTS700005: Provided Authorization Code is intended to use against other tenant",
      number: 700_005, "code-of-another-tenant"),
    Case("AADSTS900021: Requested tenant identifier is not valid", number: 900_021, "tenant-id-empty"),
    Case("AADSTS7000218: client_assertion or client_secret", number: 7_000_218, "redirect-uri-of-type-web"),
    Case("ClientSecretCredential authentication failed: AADSTS7000215: x", number: 7_000_215, "secret-wrong"),
    Case("AADSTS7000222: The provided client secret keys are expired", number: 7_000_222, "secret-expired"),
    Case("az login --use-device-code AADSTS7000218: x", number: 7_000_218, "public-flows-not-allowed"),
    Case(
      "msal-browser ServerError: AADSTS9002326: Cross-origin", number: 9_002_326, "redirect-uri-not-of-a-page"
    ),
    Case("msal-browser AADSTS50011: redirect URI", number: 50011, "redirect-uri-not-registered"),
    Case("acquire_token_for_client AADSTS700016: x", number: 700_016, "client-not-registered"),
    Case("AcquireTokenByUsernamePassword AADSTS50057: x", number: 50057, "account-disabled"),
    Case("AcquireTokenOnBehalfOf AADSTS50013: x", number: 50013, "assertion-not-verified"),
    Case("AcquireTokenOnBehalfOf AADSTS65001: x", number: 65001, "consent-missing-for-server"),
    Case("azidentity: AADSTS700082: x", number: 700_082, "refresh-token-unused"),
    Case(
      "E/AndroidRuntime: The redirect URI in the configuration file doesn't match with the one generated with package name "
        + "and signature hash.", "signature-hash-differs"),
    Case("Error: Intent filter for: BrowserTabActivity is missing", "intent-filter-missing"),
    Case("MsalUiRequiredException: No refresh token was found.", "no-refresh-token"),
    Case("Microsoft.Identity.Client.MsalClientException: User canceled authentication.", "cancelled"),
    Case(
      "ClientAuthError: endpoints_resolution_error: could not resolve endpoints",
      "authority-without-configuration", "authority-not-reached"),
    Case(
      "com.microsoft.identity.client.exception.MsalServiceException: AADSTS50011: x", number: 50011,
      "redirect-uri-not-registered"),
    Case(
      "com.microsoft.identity.client.exception.MsalUiRequiredException: AADSTS700082: x", number: 700_082,
      "refresh-token-unused"),
    Case(
      "AADSTS900144: must contain the following parameter: 'device_code'.", number: 900_144,
      "parameter-missing"),
    Case("BrowserAuthError: hash_empty_error: Hash value cannot be processed", "answer-cleared"),
    Case("ClientAuthError: state_not_found: State not found", "state-missing"),
    Case("ClientAuthError: network_error: Network request failed.", "token-endpoint-not-reached"),
    Case("400 Bad request - Invalid request - Identity not found", "identity-not-assigned"),
    Case(
      "RequestFailedException: ManagedIdentityCredential authentication failed: 400",
      "identity-not-assigned-to-app"),
    Case(
      "site-packages/msal: ValueError: Unable to get authority configuration for https://x",
      "authority-without-configuration"),
    Case(
      "msal-browser AADB2C90088: The provided grant has not been issued for this endpoint.",
      "code-of-another-user-flow"),
  ]

  @Test(arguments: cases)
  func eachFailureIsReproducedAndMended(_ one: Case) throws {
    let result = reproduce(one.text)
    #expect(result.verdict == .reproduced, "\(result.difference ?? "")")
    if let number = one.number { #expect(result.failure?.aadsts == number) }
    if let code = one.sdkCode { #expect(result.failure?.sdkCode == code) }
    #expect(result.changes.first.map { $0.next.isEmpty } == true, "no proved change")
    let file = try ScenarioFile(ScenarioSource(path: "repro.yaml", text: #require(result.scenario)))
    #expect(file.steps.last?.expectation.error?.number == result.failure?.number)
    #expect(try Lab.run(file).passed, "the call fails as the file says")
    #expect(try Lab.run(file.fixed()).passed, "the change mends it")
    let names = Set(result.alternatives.map(\.name) + [result.cause].compactMap(\.self))
    #expect(names.isSuperset(of: one.causes))
  }

  /// Every row of the table is a failure that the lab knows, with one of its codes, and one of its changes fixes it,
  /// for each of its callers.
  @Test(arguments: Cause.all.map(\.name))
  func eachRowFailsAsItSays(_ name: String) throws {
    let cause = try #require(Cause.all.first { $0.name == name })
    let reproducer = Reproducer(Evidence())
    for caller in cause.callers.isEmpty ? [.app] : cause.callers {
      let setting = reproducer.setting(of: caller).adapted(to: cause, reproducer.evidence)
      let attempt = try #require(reproducer.attempt(for: cause, setting))
      let found = try #require(
        reproducer.candidate(cause, attempt, setting),
        "\(caller.displayText): no call fails: \(attempt.run())")
      #expect(
        found.attempt.steps.count == attempt.steps.count, "\(caller.displayText): an earlier step fails")
      #expect(
        !cause.codes.filter(found.failure.codes.contains).isEmpty,
        "\(caller.displayText): \(found.failure.displayText)")
      #expect(
        !reproducer.changes(for: found, atMost: 1).isEmpty, "\(caller.displayText): no change mends it")
    }
  }

  /// Every number that the provider can return is reached by a row, except those that no program causes.
  @Test func everyNumberHasARow() {
    let reached = Set(Cause.all.flatMap(\.codes))
    let missing = AADSTSCode.allCases.filter { !reached.contains($0.text) }
    #expect(Set(missing) == Set(Self.unreached))
    let ofFlows = B2CCode.allCases.filter { !reached.contains($0.text) }
    #expect(ofFlows == Self.unreachedOfUserFlows)
  }

  /// Numbers of mistakes in one request, each of which has its own row for Entra.
  private static let unreachedOfUserFlows: [B2CCode] = [
    .accountDeleted, .appScopeInvalid,
  ]

  /// Numbers that require a broken SDK, a signing key, two people in one browser, or a fault of the lab, and numbers
  /// that are only explained.
  private static let unreached: [AADSTSCode] = [
    .userContextMismatch, .sessionArtifactExpired,
    .sessionArtifactRevoked, .derivationVersionInvalid, .userCodeExpired, .deviceCodeAnswered,
    .deviceCodeUnknown,
    .grantOfPersonalAccount,
    .requestTooLong, .tooManyRequests,
    .clientAssertionSubject, .clientAssertionSubjectDiffers, .clientAssertionAudience, .resourceNotNamed,
    .federatedNotMachine,
    .versionWithoutPersonalAccounts, .versionWithoutPersonalAccount, .clientIDNotGUID,
    .enrollmentBlockedByRisk, .strongAuthenticationNeeded,
    .conditionalAccessBlocked, .compliantDeviceRequired,
    .adminConsentWithoutTenant, .assertionOfAnotherTenant, .confirmationMalformed, .instanceRequestMalformed,
    .promptInvalid, .userCodeMissing,
  ]

  @Test func namesOfRowsAreUnique() {
    #expect(Set(Cause.all.map(\.name)).count == Cause.all.count)
  }
}

/// Reproduces what one text shows, perhaps with the caller that the user names.
func reproduce(_ text: String, keepsIDs: Bool = false, caller: String? = nil) -> Reproduction {
  var reader = EvidenceReader()
  try? reader.read(EvidenceFile(name: "app.log", data: .init(text.utf8)))
  let chosen = caller.map { [EvidenceFact.Name.caller: $0] } ?? [:]
  return Reproducer(reader.finish(), chosen, keepsIDs: keepsIDs).reproduce()
}
