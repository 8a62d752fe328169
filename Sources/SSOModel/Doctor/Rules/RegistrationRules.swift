import SSOCore
import SSODevice
import SSOReference

/// The rules that compare an app with the registration of its client ID.
struct RegistrationRules {
  private let app: InstalledApp
  private let subject: String
  private let registration: RegistrationFacts?
  /// The places of the redirect URI and the authority in the app.
  private let redirect: FilePlace
  private let authority: FilePlace
  private let isUnknown: Bool

  init(_ app: InstalledApp, _ facts: AppleFacts, subject: String, _ registrations: [RegistrationFacts]) {
    self.app = app.withDerivedRedirectURI(on: facts.platform)
    self.subject = subject
    registration = registrations.of(app.clientID)
    redirect = facts.source?.redirectURI.place ?? facts.origin
    authority = facts.source?.authority.place ?? facts.origin
    // Native authentication does not send its own redirect URI.
    let isNative = facts.source.map { $0.isNativeAuth && $0.redirectURI == .absent } ?? false
    // An app extension of iOS does not show a sign-in, so it never sends the SDK's default to a page.
    let isSilent = facts.isExtension && facts.platform == .iOS && app.redirectURI.isEmpty
    isUnknown = facts.hasUnknownRedirect || isNative || isSilent
  }

  func checks() -> [DoctorCheck] {
    guard let registration else { return [] }
    var checks: [DoctorCheck] = []
    if !isUnknown, !app.redirectURI.isEmpty {
      checks.append(
        registration.redirectCheck(
          of: app.redirectURI, usedAs: .publicClient, subject: subject, at: redirect))
    }
    if let audience = registration.audienceCheck(of: app.authority, subject: subject, at: authority) {
      checks.append(audience)
    }
    return checks
  }
}

extension [RegistrationFacts] {
  /// Returns the registration of a client ID, ignoring case, or `nil` if it was not read.
  func of(_ clientID: String) -> RegistrationFacts? {
    first { $0.clientID.value.lowercased() == clientID.lowercased() }
  }
}

extension RegistrationFacts {
  /// Returns the check that a redirect URI is registered for the kind of app that uses it.
  func redirectCheck(
    of uri: String, usedAs wanted: Kind, subject: String, at place: FilePlace
  ) -> DoctorCheck {
    let entries = redirects(of: uri)
    let kind = entries.first { $0.kind == wanted } ?? entries.first
    guard let kind else {
      let known = redirects.map(\.uri)
      return DoctorCheck(
        rule: .redirectRegistered, subject: subject,
        check: Check(
          "redirect URI is registered", expected: uri,
          found: known.isEmpty ? "no redirect URIs" : known.joined(separator: ", "), false,
          source: "real-apps.md §2"), mistake: "The redirect URI is not registered",
        place: place,
        refusal: DoctorCheck.Refusal(
          AADSTSCode.redirectURINotRegistered,
          "The redirect URI '\(uri)' specified in the request does not match the redirect URIs "
            + "configured for the application '\(clientID.value)'."),
        fix: manifestLine(uri, wanted))
    }
    let isRight = kind.kind == wanted
    let rule: DoctorRule =
      isRight
      ? .redirectRegistered : kind.kind == .web && wanted == .publicClient ? .clientType : .spaRedirect
    return DoctorCheck(
      rule: rule, subject: subject,
      check: Check(
        "redirect URI is registered as \(wanted.rawValue)", expected: wanted.rawValue,
        found: kind.kind.rawValue, isRight, source: "real-apps.md §2"),
      mistake: "The redirect URI is another platform's", place: kind.place,
      refusal: Self.refusal(of: kind, usedAs: wanted), fix: manifestLine(uri, wanted))
  }

  /// Returns the token endpoint's error for a code that was sent to another platform's redirect URI.
  private static func refusal(of redirect: Redirect, usedAs wanted: Kind) -> DoctorCheck.Refusal {
    if redirect.kind == .spa {
      return DoctorCheck.Refusal(
        AADSTSCode.crossOriginRequired,
        "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via "
          + "cross-origin requests.")
    }
    if wanted == .spa {
      let origin = URLParts(redirect.uri)?.origin ?? redirect.uri
      return DoctorCheck.Refusal(
        AADSTSCode.crossOriginRefused,
        "Cross-origin token redemption is permitted only for the 'Single-Page Application' "
          + "client-type. Request origin: '\(origin)'.")
    }
    return DoctorCheck.Refusal(
      AADSTSCode.clientProofMissing,
      "The request body must contain the following parameter: 'client_assertion' or "
        + "'client_secret'.")
  }

  private func manifestLine(_ uri: String, _ kind: Kind) -> String {
    switch kind {
    case .publicClient: "\"publicClient\": { \"redirectUris\": [\"\(uri)\"] }"
    case .web: "\"web\": { \"redirectUris\": [\"\(uri)\"] }"
    case .spa: "\"spa\": { \"redirectUris\": [\"\(uri)\"] }"
    }
  }

  /// Returns the check that an app uses an authority for the accounts that its registration accepts.
  ///
  /// A registration for one tenant needs that tenant's own authority, one for personal accounts only needs `consumers`,
  /// and one for organizations only must not have it.
  func audienceCheck(of url: String, subject: String, at place: FilePlace) -> DoctorCheck? {
    if let check = personalCheck(of: url, subject: subject, at: place) { return check }
    guard audience?.value == "AzureADMyOrg", let authority = try? Authority(url),
      authority.hasInstanceDiscovery
    else { return nil }
    return DoctorCheck(
      rule: .audience, subject: subject,
      check: Check(
        "authority agrees with signInAudience", expected: "the tenant's own authority",
        found: url, !authority.isTenantless, source: "real-apps.md §2"), mistake: Self.audienceMistake,
      place: place,
      refusal: DoctorCheck.Refusal(
        AADSTSCode.notMultiTenant,
        "Application '\(clientID.value)' is not configured as a multi-tenant application. Usage of "
          + "the /common endpoint is not supported for such applications created after '10/15/2018'. Use a tenant-specific endpoint or configure the "
          + "application to be multi-tenant."),
      fix: "https://\(authority.host)/<tenant ID>")
  }

  private static let audienceMistake = "The authority does not fit signInAudience"

  private func personalCheck(of url: String, subject: String, at place: FilePlace) -> DoctorCheck? {
    guard let authority = try? Authority(url), authority.hasInstanceDiscovery else { return nil }
    let asksPersonal = ["consumers", PublicCloud.personalTenantID].contains(authority.tenant.lowercased())
    let isPersonal = audience?.value == "PersonalMicrosoftAccount"
    let isForeign = ["AzureADMyOrg", "AzureADMultipleOrgs"].contains(audience?.value) && asksPersonal
    guard isPersonal || isForeign else { return nil }
    let wanted = isPersonal ? "consumers" : "a tenant or organizations"
    let refusal =
      isPersonal
      ? DoctorCheck.Refusal(
        AADSTSCode.personalAccountsOnly,
        "Application '\(clientID.value)' is configured for use by Microsoft Account users only. "
          + "Please use the /consumers endpoint to serve this request.")
      : DoctorCheck.Refusal(
        AADSTSCode.organizationsOnly,
        "Application '\(clientID.value)' is configured for use by Azure Active Directory users only. "
          + "Please do not use the /consumers endpoint to serve this request.")
    return DoctorCheck(
      rule: .audience, subject: subject,
      check: Check(
        "authority agrees with signInAudience", expected: wanted, found: url, asksPersonal == isPersonal,
        source: "real-apps.md §2"), mistake: Self.audienceMistake, place: place, refusal: refusal,
      fix: "https://\(authority.host)/\(isPersonal ? "consumers" : "organizations")")
  }

  /// Returns the check that the registration belongs to an app given with it, or `nil` if the client IDs of the apps
  /// are unknown.
  func ownerCheck(among clientIDs: [Found<String>]) -> DoctorCheck? {
    guard !clientIDs.isEmpty else { return nil }
    let objectID = objectID?.lowercased()
    let use = clientIDs.first { $0.value.lowercased() == objectID }
    // White space around it is a finding of the app.
    let isOwn = clientIDs.contains { $0.value.trimmed.lowercased() == clientID.value.lowercased() }
    return DoctorCheck(
      rule: .registration, subject: name,
      check: Check(
        "an app here has its client ID", expected: clientID.value,
        found: clientIDs.map(\.value).joined(separator: ", ")
          + (use == nil ? "" : ": the object ID of the registration, which is not a client ID"),
        isOwn, source: "real-apps.md §2"),
      mistake: use == nil ? "No app here has this client ID" : "The app uses the registration's object ID",
      // The object ID is the app's mistake, and not the registration's.
      place: isOwn ? clientID.place : use?.place ?? clientID.place,
      refusal: .clientNotFound((use ?? clientIDs[0]).value),
      fix: use == nil ? nil : clientID.value)
  }

  /// Returns the checks of the redirect URIs that were not checked for an app.
  func checks(besides checked: Set<String>) -> [DoctorCheck] {
    redirects.filter { !checked.contains($0.uri) }.compactMap { redirect in
      let scheme = urlScheme(of: redirect.uri)?.lowercased() ?? ""
      if redirect.kind != .publicClient, scheme == "http", let parts = URLParts(redirect.uri) {
        let check = Self.pageCheck(parts, Found(redirect.uri, redirect.place), subject: name)
        if check.hasFailed { return check }
      }
      let isNative = !["http", "https", "brk-multihub", "ms-appx-web"].contains(scheme)
      let others = redirects(of: redirect.uri).filter { $0.kind != redirect.kind }
      guard isNative || redirect.kind == .spa || !others.isEmpty else { return nil }
      let wanted: Kind = isNative ? .publicClient : redirect.kind
      guard redirect.kind == wanted else {
        return redirectCheck(of: redirect.uri, usedAs: wanted, subject: name, at: redirect.place)
      }
      let isAlone = others.isEmpty
      return DoctorCheck(
        rule: .spaRedirect, subject: name,
        check: Check(
          "redirect URI has one platform", expected: redirect.kind.rawValue,
          found: ([redirect] + others).map(\.kind.rawValue).joined(separator: ", "),
          isAlone || redirect.kind != .spa,
          source: "real-apps.md §2"), mistake: "The redirect URI has two platforms",
        place: others.first?.place ?? redirect.place,
        refusal: Self.refusal(of: redirect, usedAs: .publicClient),
        fix: manifestLine(redirect.uri, redirect.kind))
    }
  }
}

/// The rules for registrations.
extension DoctorRule {
  package static let registrations: [DoctorRule] = [
    .registration, .redirectRegistered, .clientType, .spaRedirect, .nestedApp, .audience,
  ]

  package static let registration = DoctorRule(
    "registration", "The registration is that of an app here",
    why: """
      A registration of another client ID says nothing about the app. The object ID of a \
      registration is not a client ID.
      """)

  package static let redirectRegistered = DoctorRule(
    "redirect-registered", "The redirect URI is registered for the client",
    why: "The provider compares the redirect URI character by character.")

  package static let clientType = DoctorRule(
    "client-type", "The app's redirect URI is registered for a public client",
    why: """
      A redirect URI of the platform Web belongs to a client with a secret. An app on a device has \
      none, so its code is not redeemed.
      """, reports: 11)

  package static let spaRedirect = DoctorRule(
    "spa-redirect", "A redirect URI is registered for the kind of app that uses it",
    why: """
      A code that came to a single-page application's redirect URI is redeemed only from a \
      browser's page, and no other code is redeemed from there.
      """, reports: 12)

  package static let nestedApp = DoctorRule(
    "nested-app", "A nested app has a brk-multihub:// redirect URI",
    why: "The host redeems for the nested app, with a redirect URI that begins with brk-multihub://.",
    reports: 6)

  package static let audience = DoctorRule(
    "audience", "The authority agrees with the accounts that the registration accepts",
    why: "A registration for one tenant is not served at common, organizations or consumers.")
}
