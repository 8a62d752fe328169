import SSOCore
import SSODevice
import SSOReference

/// The rules for the authority with which an iOS or macOS app creates the application object.
extension AppleRules {
  func authorityChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard let place = (facts.source?.authority.found ?? facts.source?.patternedAuthority?.url)?.place else {
      return []
    }
    let classes = classChecks
    // Nothing else is known about an authority that the SDK does not create.
    guard !classes.contains(where: \.hasFailed) else { return classes }
    let setUp = SetUpChecks(of: app)
    if facts.source?.hasUnknownKnownAuthorities == false, let (check, error) = setUp.validation {
      return classes + [
        self.check(
          .authority, check, "knownAuthorities lacks the B2C authority", at: place, error,
          fix: "config.knownAuthorities = [authority]")
      ]
    }
    guard let (check, error) = setUp.instance else { return classes }
    return classes + [
      self.check(
        .authority, check, "The authority's host is not known", at: place, error,
        fix: "https://\(PublicCloud.preferredNetwork)/"
          + (app.msalAuthority?.tenant ?? "common"))
    ] + [tenantCheck(app)].compactMap(\.self)
  }

  /// The finding of a tenant that is neither an ID nor a domain, or `nil`.
  private func tenantCheck(_ app: InstalledApp) -> DoctorCheck? {
    guard facts.hasBroker != false, let name = EntraTenant.impossible(in: app.authority) else { return nil }
    var found = check(
      .authority,
      Check(
        "the authority's path is the tenant", expected: "an ID, a domain, or common", found: name, false,
        source: "real-apps.md §2"), "The tenant is neither an ID nor a domain",
      at: facts.source?.authorityParts.first { $0.value.lowercased() == name }?.place
        ?? facts.source?.authority.place,
      fix: "https://\(Authority.host(in: app.authority))/<tenant ID or domain>")
    found.refusal = EntraTenant.refusal(of: name)
    return found
  }

  /// The checks of authorities that are created with `MSALAADAuthority`, which accepts only URLs of Azure AD, and with
  /// `MSALB2CAuthority`, which never uses a broker.
  var classChecks: [DoctorCheck] {
    let made = facts.source?.typedAuthorities ?? []
    return made.compactMap { made in
      let ownClass = AuthorityClass(rawValue: made.className)
      if ownClass == .b2c { return policyCheck(made) }
      guard let (check, error) = ownClass?.check(of: made.url.value) else { return nil }
      return self.check(
        .authority, check, "The authority is made with another kind's class", at: made.url.place, error,
        fix: Authority.isADFS(made.url.value)
          ? check.expected
          : "\(check.expected)(url: \(made.isPattern ? "url" : "URL(string: \"\(made.url.value)\")!"))")
    }
  }

  /// The check that a B2C authority has a policy, without which the tenant's own pages answer at Entra's hosts, and none
  /// at B2C's (AzureAD/microsoft-identity-web#456).
  private func policyCheck(_ made: SourceFacts.TypedAuthority) -> DoctorCheck? {
    guard let parts = URLParts(made.url.value) else { return nil }
    let path = parts.path.split(separator: "/")
    let isLong = PublicCloud.aliases.contains(parts.host.lowercased()) || path.first?.lowercased() == "tfp"
    var refusal: SDKError?
    do throws(SDKError) { _ = try Authority(made.url.value) } catch { refusal = error }
    let isCertain = !made.isPattern && (refusal != nil || parts.host.lowercased().hasSuffix(".b2clogin.com"))
    return check(
      .authority,
      Check(
        "a B2C authority has a tenant and a policy", expected: "https://<host>/tfp/<tenant>/<policy>",
        found: made.url.value, path.count >= (isLong ? 3 : 2), source: "interactive-call.md §4"),
      "The B2C authority lacks its tenant or policy", at: made.url.place,
      severity: isCertain ? .fails : .worksInSomeCases, isCertain ? refusal : nil,
      fix: "https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>")
  }
}
