/// What an SDK asks of an app's set-up after its object was made: to be seen in the app's files, and met by a call only.
package struct SetUpChecks {
  /// A check of the set-up, and what the app gets where it fails.
  package typealias Asked = (check: Check, error: SDKError)

  private let app: InstalledApp

  package init(of app: InstalledApp) { self.app = app }

  /// The group that the SDK uses must be entitled, or the first read or write fails (docs/behaviour/keychain.md §4(7)).
  package var entitlement: Asked {
    let text = "Failed to get items from keychain."
    return (
      Check(
        "access group in its entitlements", expected: app.sharedAccessGroup,
        found: app.entitledGroups.joined(separator: ", "), app.isEntitled, source: "keychain.md §4",
        remedy: Remedy(.app, app.bundleID, "keychainAccessGroups+=\(app.sharedAccessGroup)")),
      app.sdk == .msal
        ? MSALError.make(keychain: .missingEntitlement, text)
        : SDKError(
          .adal, domain: ADALError.Domain.keychain.rawValue, code: KeychainError.missingEntitlement.number,
          text)
    )
  }

  /// The broker's answer must reach the SDK (docs/behaviour/broker.md §7(1)).
  package var forwarding: Asked {
    let check = URLForwarding.check(of: app)
    let fault = BrokerFault.notReceived(by: app.sdk, check: check)
    return (check, app.sdk == .msal ? MSALError.make(fault) : ADALError.make(fault))
  }

  /// A B2C authority outside of Azure AD's hosts must be declared as known (docs/behaviour/interactive-call.md §4(6)).
  ///
  /// nil: it is not of B2C.
  package var validation: Asked? {
    guard let authority = try? Authority(app.authority), authority.kind == .b2c else { return nil }
    let check = MSALAuthorities.validation(of: authority, isKnown: authority.isKnown(to: app))
    return (check, MSALAuthorities.notValidated())
  }

  /// The host of an Azure AD authority must be one of a cloud, or declared as known (docs/behaviour/interactive-call.md §4).
  ///
  /// Nil: no instance discovery is made for it.
  package var instance: Asked? {
    guard let authority = try? Authority(app.authority), authority.hasInstanceDiscovery else { return nil }
    let isKnown =
      EnvironmentAliases.trustedHosts.contains(authority.host)
      || EnvironmentAliases.publicCloud.cloud(of: authority.host) != nil || authority.isKnown(to: app)
    return (
      Check(
        "the authority's host is known", expected: "a host of Azure AD, or knownAuthorities",
        found: authority.host, isKnown, source: "interactive-call.md §4",
        remedy: Remedy(.app, app.bundleID, "knownAuthorities+=\(app.authority)")),
      MSALAuthorities.invalidInstance()
    )
  }
}
