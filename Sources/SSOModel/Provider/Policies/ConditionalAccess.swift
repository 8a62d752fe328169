import SSOCore
import SSOReference

/// The directory's policies, applied to a request for tokens.
struct ConditionalAccess {
  let provider: ProviderResources

  /// The requirements that reject the poll of a device, and not the page where the user enters its code.
  private static let rejectPolls: Set<Policy.Requirement> = [
    .block, .supportedPlatform, .deviceAuthentication, .securityDefaults,
  ]

  /// Returns the results of the policies, sorted by name.
  ///
  /// The broker's sign-in is subject only to MFA policies and exempt from those about devices and apps, because it is
  /// how a device gets registered. Some policies are not applied to the page for another device: they reject the device's
  /// next poll (Azure/azure-cli#32809, Azure/azure-dev#1286, Azure/azure-powershell#9427).
  func results(
    _ person: DirectoryUser, tenantID: String, _ client: ClientRegistration, _ situation: AccessSituation,
    accessing scopes: RequestedScopes, isForOtherDevice: Bool = false
  ) throws -> [RuleResult] {
    let isBroker = client.clientID == ClientRegistration.brokerClientID
    let policies = try provider.directory.policies().filter {
      ![.certificate, .allowedExecutable].contains($0.requires)
        && !(isForOtherDevice && Self.rejectPolls.contains($0.requires)) && (!isBroker || $0.requires == .mfa)
        && $0.covers(person, tenantID: tenantID, clientID: client.clientID, situation)
    }
    guard !policies.isEmpty else { return [] }
    let device = try situation.deviceID.flatMap {
      try provider.directory.registration(deviceID: $0, tenantID: person.homeTenantID)
    }
    let enrollment = try situation.enrollmentID.flatMap { try provider.directory.appEnrollment(id: $0) }
      .flatMap {
        $0.username == person.username.lowercased()
          && $0.clientID.lowercased() == client.clientID.lowercased() ? $0 : nil
      }
    let management = try device.flatMap { try provider.directory.managedDevice(serial: $0.serial) }
    let resourceID = try provider.directory.resourceID(of: scopes)
    let isDeleted = try provider.directory.isDeviceDeleted(situation.deviceID, tenantID: person.homeTenantID)
    let refusal =
      isDeleted ? try provider.directory.errorOfDeletedDevice(tenantID: person.homeTenantID) : nil
    return policies.map {
      PolicyEvaluation(
        policy: $0, person: person, client: client, resourceID: resourceID, situation: situation,
        now: provider.now, device: device, management: management, enrollment: enrollment,
        refusalOfDeletedDevice: refusal
      ).result
    }
  }

  /// Returns whether a policy requires MFA that the user has not completed.
  func lacksSecondFactor(
    _ person: DirectoryUser, tenantID: String, _ situation: AccessSituation, _ client: String
  ) throws -> Bool {
    try situation.hasSecondFactor != true
      && provider.directory.policies().contains {
        $0.requires == .mfa && $0.covers(person, tenantID: tenantID, clientID: client, situation)
      }
  }

  /// Returns whether a policy redirects the user to the page of an external control.
  func redirectsToControl(
    _ person: DirectoryUser, tenantID: String, _ situation: AccessSituation, _ client: String
  ) throws -> Bool {
    try provider.directory.policies().contains {
      $0.requires == .externalControl
        && $0.covers(person, tenantID: tenantID, clientID: client, situation)
    }
  }

  /// Returns the number of seconds for which a sign-in counts, or `nil` if no policy limits it.
  func signInAge(
    _ person: DirectoryUser, tenantID: String, _ situation: AccessSituation, _ client: String
  ) throws -> Int? {
    try provider.directory.policies().filter {
      $0.requires == .signInFrequency && $0.covers(person, tenantID: tenantID, clientID: client, situation)
    }.map(\.seconds).min()
  }

  /// Returns the check of the certificate that a policy requires, or `nil` if no policy requires one.
  func certificateResult(
    _ person: DirectoryUser, tenantID: String, _ situation: AccessSituation, _ client: String
  ) throws -> RuleResult? {
    let policy = try provider.directory.policies().first {
      $0.requires == .certificate && $0.covers(person, tenantID: tenantID, clientID: client, situation)
    }
    guard let policy, let registration = try provider.directory.registration(clientID: client) else {
      return nil
    }
    return PolicyEvaluation(
      policy: policy, person: person, client: registration, resourceID: ProtectedResource.graphAppID,
      situation: situation, now: provider.now
    ).result
  }
}

/// The provider's knowledge of the device and app of a request, as the input of policies.
///
/// It is stored with codes and refresh tokens, so that later silent calls are evaluated with it too.
package struct AccessSituation: Codable, Hashable {
  /// The device to which the primary refresh token was issued.
  var deviceID: String?
  /// Whether the broker sent the request for the app, after it identified the app (claim B1).
  var isBrokered = false
  /// Intune's ID of the app's enrollment (docs/behaviour/broker.md §11(2)).
  var enrollmentID: String?
  /// Whether the app has the capability `ProtApp`.
  var canProtect = false
  /// Whether the user signed in with the certificate on the device.
  var hasCertificate = false
  /// Whether the user completed MFA or presented a certificate.
  ///
  /// `nil` in records of older versions, which means no.
  var hasSecondFactor: Bool?
  /// The time at which the user last signed in, or `nil` in records of older versions.
  var authenticatedAt: Instant?
  /// Whether the sign-in was for another device, with a device code.
  var usesDeviceCode: Bool?
  /// Whether the user passed the external control of a policy on its page.
  var hasExternalControl: Bool?
  /// Whether the request for the sign-in page, or for tokens, named a platform that Conditional Access knows.
  ///
  /// `nil` means no.
  var isPlatformKnown: Bool?
  /// The ID of the browser session in which the user signed in.
  var sessionID: String?
}

extension AccessSituation {
  /// Creates the situation of a browser request.
  ///
  /// Only a broker's web view sends a primary refresh token, and only the broker moves a certificate sign-in
  /// to the browser, with a redirect URI that begins with `RedirectOwner.certificatePrefix` (claim D4).
  init(of flow: SignInFlow, _ context: RequestContext, _ provider: ProviderResources) throws {
    canProtect = flow.claims?.canProtect ?? false
    authenticatedAt = flow.authenticatedAt
    usesDeviceCode = flow.deviceKey == nil ? nil : true
    isPlatformKnown = flow.isPlatformKnown
    enrollmentID = flow.enrollmentID
    isBrokered = flow.redirectURI.hasPrefix(RedirectOwner.certificatePrefix)
    if let primary = context.cookies[SSOSessions.primaryRefreshTokenCookie],
      let record = try provider.documents.refreshToken(secret: primary), record.kind == .primary
    {
      isBrokered = true
      deviceID = record.deviceID
      hasSecondFactor = record.situation?.hasSecondFactor
    }
    guard let username = flow.username else { return }
    hasCertificate = try Self.hasCertificate(context, of: username, provider)
    let session = try provider.sessions.storedSession(of: context.cookies)
    if hasCertificate || flow.hasSecondFactor == true
      || session?.secondFactors?.contains(username.lowercased()) == true
    {
      hasSecondFactor = true
    }
  }

  /// Returns whether the browser presented one of the user's certificates in its TLS handshake.
  private static func hasCertificate(
    _ context: RequestContext, of username: String, _ provider: ProviderResources
  ) throws -> Bool {
    guard let thumbprint = context.cookies[Provider.certificateCookie], !thumbprint.isEmpty,
      let person = try provider.directory.person(username: username)
    else { return false }
    return person.certificates.contains { isSameSecret($0, thumbprint) }
  }
}

/// One policy, applied to one request (claims A2, A3).
///
/// The AADSTS number of each requirement is Entra's. `additional_action` means that something must be done
/// outside the sign-in, `message_only` that the user can do nothing.
struct PolicyEvaluation {
  var policy: Policy
  var person: DirectoryUser
  var client: ClientRegistration
  /// The app ID of the API that the user wants to access.
  var resourceID: String
  var situation: AccessSituation
  var now: Instant
  var device: DeviceRegistration?
  var management: ManagedDevice?
  var enrollment: AppEnrollment?
  /// The error if the device of the token was deleted, in place of the error for a device that was never registered
  /// (AzureAD/azure-activedirectory-library-for-java#294, microsoft/fabric-toolbox#314).
  var refusalOfDeletedDevice: OAuthError?

  var result: RuleResult {
    switch policy.requires {
    case .registeredDevice: registeredDevice
    case .compliantDevice: compliantDevice
    case .approvedApp: approvedApp
    case .appProtection: appProtection
    case .certificate: certificate
    case .mfa: secondFactor
    case .allowedExecutable: allowedExecutable
    case .block: block
    case .signInFrequency: signInFrequency
    case .joinedDevice: joinedDevice
    case .managedDevice: managedDevice
    case .externalControl: externalControl
    case .tokenProtection: tokenProtection
    case .supportedPlatform: supportedPlatform
    case .deviceAuthentication: deviceAuthentication
    case .securityDefaults: securityDefaults
    }
  }

  private func result(
    _ requirement: String, expected: String, found: String, _ holds: Bool, _ refusal: OAuthError
  ) -> RuleResult {
    var refusal = refusal
    // A block and a missing second factor name the policy (Microsoft Learn, "Credential chains in the Azure Identity client
    // library for C++"; AzureAD/microsoft-authentication-library-for-dotnet#559).
    let named: [AADSTSCode] = [.blockedByPolicy, .mfaEnrollmentByPolicy]
    if let number = refusal.aadsts, named.contains(where: { $0.number == number }) {
      let id = guid(of: "policy " + policy.name)
      refusal.claims = "{\"access_token\":{\"capolids\":{\"essential\":true,\"values\":[\"\(id)\"]}}}"
    }
    return RuleResult(
      "policy “\(policy.name)”: \(requirement)", expected: expected, found: found, holds,
      source: "claim A2, Entra", else: refusal)
  }

  private var deviceWords: String {
    guard situation.isBrokered else { return "no device ID: only the broker sends one" }
    return device == nil ? "a device that is not registered" : "device \(device?.deviceID ?? "")"
  }

  private var registeredDevice: RuleResult {
    result(
      "registered device", expected: "a device that the directory knows", found: deviceWords, device != nil,
      refusalOfDeletedDevice
        ?? OAuthError(
          .interactionRequired, "Workplace join is required to register the device.",
          aadsts: .deviceNotRegistered,
          suberror: .additionalAction))
  }

  private var compliantDevice: RuleResult {
    let found = device == nil ? deviceWords : management == nil ? "not managed" : "not compliant"
    let holds = device != nil && management?.isCompliant == true
    return result(
      "compliant device", expected: "a registered device that device management reports as compliant",
      found: holds ? "compliant" : found, holds,
      refusalOfDeletedDevice
        ?? OAuthError(
          .interactionRequired,
          "Device is not in required device state: compliant. Conditional Access policy requires a compliant "
            + "device, and the device is not compliant. The user must enroll their device with an approved MDM "
            + "provider like Intune.", aadsts: .deviceNotCompliant, suberror: .additionalAction))
  }

  /// The check that the device is joined to a domain, which always fails in the lab, because only Windows computers can
  /// be joined to one.
  private var joinedDevice: RuleResult {
    result(
      "domain-joined device", expected: "a device of the organisation's domain",
      found: device == nil ? deviceWords : "registered, and not joined to a domain", false,
      OAuthError(
        .interactionRequired,
        "Device is not in required device state: domain_joined. Conditional Access policy requires a domain joined "
          + "device, and the device is not domain joined.", aadsts: .deviceNotJoined, suberror: .messageOnly))
  }

  /// The check that the device is managed.
  ///
  /// Entra's condition for the number is not public; it was seen where no device ID was sent (Azure/azure-cli#29282).
  private var managedDevice: RuleResult {
    let found = device == nil ? deviceWords : management == nil ? "not managed" : "managed"
    return result(
      "managed device", expected: "a registered device with device management", found: found,
      device != nil && management != nil,
      OAuthError(
        .interactionRequired, "Your device is required to be managed to access this resource.",
        aadsts: .managedDeviceRequired, suberror: .additionalAction))
  }

  /// The check that the user has passed another vendor's control, or accepted terms of use, on a separate page.
  private var externalControl: RuleResult {
    let isPassed = situation.hasExternalControl == true
    return result(
      "external control", expected: "passed on a page", found: isPassed ? "passed" : "not passed", isPassed,
      OAuthError(
        .interactionRequired,
        "External security challenge not satisfied. User will be redirected to another page or authentication provider "
          + "to satisfy additional authentication challenges.", aadsts: .externalChallenge))
  }

  /// The check that the tokens are bound to the device, as those of a primary refresh token are (Microsoft Learn,
  /// "Microsoft Entra Conditional Access: Token protection"; Azure/azure-cli#31428, Azure/azure-dev#7704).
  private var tokenProtection: RuleResult {
    result(
      "token protection", expected: "a refresh token that is bound to a registered device",
      found: situation.isBrokered ? deviceWords : "an app's own refresh token, which is not bound",
      device != nil,
      OAuthError(
        .interactionRequired,
        "Access has been blocked by conditional access token protection policy configured by this organization. To "
          + "learn more, see https://aka.ms/TBCADocs.", aadsts: .tokenNotBound))
  }

  /// The check that Entra can tell the platform from the request, which it cannot for a device code or a request by a
  /// library (Azure/azure-dev#1286, Azure/azure-cli#22629).
  private var supportedPlatform: RuleResult {
    let isKnown = situation.isBrokered || situation.isPlatformKnown == true
    return result(
      "supported platform", expected: "iOS, Android, Mac, or Windows",
      found: isKnown ? "such a platform" : "a request that does not name one", isKnown,
      OAuthError(
        .interactionRequired,
        "User tried to log in to a device from a platform (Unknown) that's currently not supported through Conditional "
          + "Access policy. Supported device platforms are: iOS, Android, Mac, and Windows flavors.",
        aadsts: .platformNotSupported))
  }

  /// The check that the device proves which one it is.
  ///
  /// It was seen where the device could not (Azure/azure-powershell#9427 and #12527,
  /// AzureAD/azure-activedirectory-library-for-dotnet#1543).
  private var deviceAuthentication: RuleResult {
    result(
      "device authentication", expected: "a device that proves which one it is", found: deviceWords,
      device != nil,
      OAuthError(
        .interactionRequired, "Device authentication is required.", aadsts: .deviceAuthenticationNeeded))
  }

  private var approvedApp: RuleResult {
    guard client.isApprovedApp else {
      return result(
        "approved app", expected: "an app of the list of approved apps", found: client.displayName, false,
        OAuthError(
          .interactionRequired, "The app used is not an approved app for Conditional Access.",
          aadsts: .appNotApproved, suberror: .messageOnly))
    }
    return brokered("approved app")
  }

  private var appProtection: RuleResult {
    guard situation.isBrokered else { return brokered("app protection") }
    guard situation.canProtect || enrollment != nil else {
      return result(
        "app protection", expected: "the client capability ProtApp", found: "not among its capabilities",
        false,
        OAuthError(
          .interactionRequired, "Application needs to enforce Intune protection policies.",
          aadsts: .appProtectionUnsupported,
          suberror: .messageOnly))
    }
    return result(
      "app protection", expected: "an app that Intune protects for this user",
      found: enrollment == nil ? "not enrolled" : "enrolled", enrollment != nil,
      OAuthError(
        .unauthorizedClient, "Application needs to enforce Intune protection policies.",
        aadsts: .appNotEnrolled,
        suberror: .protectionPolicyRequired))
  }

  private func brokered(_ requirement: String) -> RuleResult {
    result(
      requirement, expected: "the broker authenticates the app",
      found: situation.isBrokered ? "asked by the broker" : "the app asks without the broker",
      situation.isBrokered,
      OAuthError(
        .interactionRequired, "User needs to install a broker app to gain access to this content.",
        aadsts: .brokerNotInstalled, suberror: .additionalAction))
  }

  /// The check for programs, which the broker has already made.
  private var allowedExecutable: RuleResult {
    result(
      "allowed program", expected: "checked by the broker", found: "checked by the broker", true,
      OAuthError(
        .accessDenied, "Access has been blocked by Conditional Access policies.", aadsts: .blockedByPolicy))
  }

  private var block: RuleResult {
    result(
      "block", expected: "no such sign-in",
      found: situation.usesDeviceCode == true
        ? "a sign-in with a device code" : "a sign-in to \(client.displayName)",
      false,
      OAuthError(
        .interactionRequired,
        "Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.",
        aadsts: .blockedByPolicy, suberror: .messageOnly))
  }

  /// The check that the sign-in did not use a device code, which security defaults block (GitHub code search:
  /// “AADSTS530035”).
  private var securityDefaults: RuleResult {
    let usesDeviceCode = situation.usesDeviceCode == true
    return result(
      "security defaults", expected: "a sign-in without a device code",
      found: usesDeviceCode ? "a sign-in with a device code" : "a sign-in on a page", !usesDeviceCode,
      OAuthError(
        .interactionRequired, "Access has been blocked by security defaults.",
        aadsts: .blockedBySecurityDefaults))
  }

  private var signInFrequency: RuleResult {
    let age = situation.authenticatedAt.map { $0.seconds(until: now) }
    return result(
      "sign-in frequency", expected: "a sign-in in the last \(policy.seconds) s",
      found: age.map { "\($0) s ago" } ?? "at an unknown time", age.map { $0 <= policy.seconds } ?? false,
      OAuthError(
        .interactionRequired,
        "The refresh token has expired or is invalid due to sign-in frequency checks by conditional access. The "
          + "token was issued on \((situation.authenticatedAt ?? now).ticks) and the maximum allowed lifetime for "
          + "this request is \(policy.seconds).",
        aadsts: .signInTooOld, suberror: .tokenExpired))
  }

  private var secondFactor: RuleResult {
    let isGiven = situation.hasSecondFactor == true
    guard isGiven || person.hasNoSecondFactor != true else {
      return result(
        "second factor", expected: "a registered second factor", found: "none registered", false,
        .secondFactorNotRegistered(.interactionRequired, .mfaEnrollmentByPolicy, accessing: resourceID))
    }
    return result(
      "second factor", expected: "sign-in with a second factor", found: isGiven ? "given" : "not given",
      isGiven,
      Fault.Kind.Requirement.mfa.refusal(accessing: resourceID))
  }

  private var certificate: RuleResult {
    result(
      "certificate", expected: "sign-in with the certificate on the device",
      found: situation.hasCertificate ? "certificate" : "no certificate was presented",
      situation.hasCertificate,
      OAuthError(
        .interactionRequired,
        "Access has been blocked by Conditional Access policies: the account signs in with a certificate.",
        aadsts: .blockedByPolicy, suberror: .messageOnly))
  }
}

extension OAuthError {
  /// Returns the error of a user who must register a second factor first, which the sign-in page lets them do.
  ///
  /// `number` is 50072 if a policy requires it, and 50079 if the account itself does.
  static func secondFactorNotRegistered(
    _ code: OAuthErrorCode, _ number: AADSTSCode, accessing resourceID: String
  ) -> OAuthError {
    secondFactor("enroll in", code, number, accessing: resourceID)
  }

  /// Returns the error of a user who must complete MFA, and has a second factor.
  static func secondFactorMissing(
    _ code: OAuthErrorCode, accessing resourceID: String, claims: String? = nil
  ) -> OAuthError {
    secondFactor("use", code, .mfaRequired, accessing: resourceID, claims: claims)
  }

  /// Returns an error with the sentence of AADSTS50076, 50072, and 50079 (microsoft/vscode#240536,
  /// Azure/azure-sdk-for-js#28882).
  private static func secondFactor(
    _ verb: String, _ code: OAuthErrorCode, _ number: AADSTSCode, accessing resourceID: String,
    claims: String? = nil
  ) -> OAuthError {
    OAuthError(
      code,
      "Due to a configuration change made by your administrator, or because you moved to a new location, you must "
        + "\(verb) multi-factor authentication to access '\(resourceID)'.",
      aadsts: number, suberror: .basicAction, claims: claims)
  }
}

extension OAuthError {
  /// The response to an app on a phone, which cannot be joined to a domain
  /// (AzureAD/microsoft-authentication-library-for-objc#1235).
  fileprivate static let deviceStateUnsupported = OAuthError(
    .invalidRequest, "Device policy contains unsupported required device state: domain_joined.",
    aadsts: .deviceStateUnsupported)
}

extension ProviderResources {
  /// Returns the seconds for which a user's earlier sign-in serves this one, which the client and policies limit, or
  /// `nil` without a limit.
  func maximumAge(of username: String, for flow: SignInFlow) throws -> Int? {
    guard let person = try directory.person(username: username) else { return flow.maxAge }
    let tenant = try AuthorityTenant(flow.authoritySegment, in: directory)
    let limit = try ConditionalAccess(provider: self).signInAge(
      person, tenantID: tenant.issuingTenantID(for: person) ?? person.homeTenantID,
      AccessSituation(usesDeviceCode: flow.deviceKey != nil), flow.clientID)
    return [flow.maxAge, limit].compactMap(\.self).min()
  }

  /// Returns whether a sign-in can continue with a user of the browser session without a password.
  func allows(_ username: String, of session: SSOSession?, to flow: SignInFlow) throws -> Bool {
    guard let session, flow.prompt != "login" else { return false }
    return session.knows(username, maxAge: try maximumAge(of: username, for: flow), at: now)
  }
}

extension OngoingSignIn {
  /// The App Store page of the broker.
  private static let brokerAppLink = "https://apps.apple.com/app/microsoft-authenticator/id983156458"
  /// The policy errors that a broker can resolve.
  private static let brokerHelps = [
    AADSTSCode.brokerNotInstalled, .deviceNotRegistered, .deviceNotCompliant, .managedDeviceRequired,
  ]

  /// Responds to a policy's rejection (docs/behaviour/broker.md §10).
  ///
  /// An app on a phone is redirected to the broker, or to the store page where the broker can be installed.
  /// Any other client gets an error page.
  func refuseByPolicy(
    _ error: OAuthError, _ person: DirectoryUser, _ situation: AccessSituation,
    _ context: inout RequestContext
  ) throws -> ProviderResponse {
    try end()
    if error.aadsts == AADSTSCode.deviceNotJoined.number,
      ReportedCaller.bundleID(in: flow.redirectURI) != nil
    {
      return try response.withError(.deviceStateUnsupported, &context)
    }
    guard Self.brokerHelps.map(\.number).contains(error.aadsts), !situation.isBrokered,
      ReportedCaller.bundleID(in: flow.redirectURI) != nil
    else { return context.errorPage(error) }
    context.refusal = error
    let query = FormEncoding.encode([
      NameValue("username", person.username), NameValue("app_link", Self.brokerAppLink),
    ])
    let address = flow.isEmbedded == true ? "msauth://wpj" : flow.redirectURI + "/msauth/wpj"
    return ProviderResponse(to: address + "?" + query)
  }

  /// Returns whether a policy requires MFA that was completed neither in this sign-in nor in the browser
  /// session.
  func lacksSecondFactor(
    _ person: DirectoryUser, _ tenant: AuthorityTenant, _ context: RequestContext
  ) throws -> Bool {
    var flow = flow
    flow.username = person.username
    return try ConditionalAccess(provider: provider).lacksSecondFactor(
      person, tenantID: tenant.issuingTenantID(for: person) ?? person.homeTenantID,
      AccessSituation(of: flow, context, provider), flow.clientID)
  }

  /// Signs the user in with a certificate if a policy requires one, without showing the password page.
  ///
  /// Without the certificate, an embedded web view sends the user to the system browser, which can present
  /// it.
  ///
  /// - Returns: The response, or `nil` if no policy requires a certificate.
  func byCertificate(
    _ person: DirectoryUser, _ tenant: AuthorityTenant, _ context: inout RequestContext
  ) throws -> ProviderResponse? {
    let tenantID = tenant.issuingTenantID(for: person) ?? person.homeTenantID
    var signIn = self
    signIn.flow.username = person.username
    let situation = try AccessSituation(of: signIn.flow, context, provider)
    let policies = ConditionalAccess(provider: provider)
    guard
      let result = try policies.certificateResult(person, tenantID: tenantID, situation, flow.clientID)
    else { return nil }
    do throws(OAuthError) { try context.require(result) } catch {
      try end()
      // A browser cannot switch to another one, so it shows the error.
      guard flow.isEmbedded == true else { return context.errorPage(error) }
      context.refusal = error
      let hint = FormEncoding.encode([NameValue("login_hint", person.username)])
      return ProviderResponse(
        to: "browser://\(PublicCloud.preferredNetwork)/\(tenantID)/oauth2/v2.0/authorize?" + hint)
    }
    signIn.flow.authenticatedAt = provider.now
    let cookie = try provider.sessions.signIn(
      person.username, isFresh: true, hasSecondFactor: true, cookies: context.cookies, random: provider.random
    )
    return try signIn.proceed(as: person, cookies: [cookie], &context)
  }
}
