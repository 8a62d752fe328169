/// The checks of an app's setup that an SDK makes only after its object was created.
///
/// The app's files show the result, but only a call fails because of it.
package struct SetUpChecks {
  /// A check of the setup, and the error that the app receives if it fails.
  package typealias Asked = (check: Check, error: SDKError)

  private let app: InstalledApp

  package init(of app: InstalledApp) { self.app = app }

  /// The check that the app is entitled to the SDK's access group.
  ///
  /// Otherwise, the first read or write fails (docs/behaviour/keychain.md §4(7)).
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

  /// The check that the broker's response reaches the SDK (docs/behaviour/broker.md §7(1)).
  package var forwarding: Asked {
    let check = URLForwarding.check(of: app)
    let fault = BrokerFault.notReceived(by: app.sdk, check: check)
    return (check, app.sdk == .msal ? MSALError.make(fault) : ADALError.make(fault))
  }

  /// The check of a B2C authority, or `nil` for any other authority.
  ///
  /// An authority outside Azure AD's hosts must be declared as known (docs/behaviour/interactive-call.md §4(6)).
  package var validation: Asked? {
    guard let authority = try? Authority(app.authority), authority.kind == .b2c else { return nil }
    let check = MSALAuthorities.validation(of: authority, isKnown: authority.isKnown(to: app))
    return (check, MSALAuthorities.notValidated())
  }

  /// The check of an Azure AD authority's host, or `nil` if there is no instance discovery for the authority.
  ///
  /// The host must belong to a cloud or be declared as known (docs/behaviour/interactive-call.md §4).
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
