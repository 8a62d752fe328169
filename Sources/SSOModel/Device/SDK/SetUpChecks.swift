import SSOCore
import SSOKeychain
import SSOReference

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
        remedy: Remedy(.app, app.bundleID, "keychainAccessGroups+=\(app.sharedAccessGroup)"),
        failure: "its entitlements lack its access group"),
      app.sdk.errors.make(keychain: .missingEntitlement, text)
    )
  }

  /// The check that the broker's response reaches the SDK (docs/behaviour/broker.md §7(1)).
  package var forwarding: Asked {
    let check = URLForwarding.check(of: app)
    return (check, app.sdk.errors.make(BrokerFault.notReceived(by: app.sdk, check: check)))
  }

  /// The check of a B2C authority, or `nil` for any other authority.
  ///
  /// An authority outside Azure AD's hosts must be declared as known (docs/behaviour/interactive-call.md §4(6)).
  package var validation: Asked? {
    guard let authority = app.msalAuthority, authority.kind == .b2c else { return nil }
    let check = MSALAuthorities.validation(of: authority, isKnown: authority.isKnown(to: app))
    return (check, MSALAuthorities.notValidated())
  }

  /// The check of an Azure AD authority's host, or `nil` if the authority does not use instance discovery.
  ///
  /// The host must belong to a cloud or be declared as known (docs/behaviour/interactive-call.md §4).
  package var instance: Asked? {
    guard let authority = app.msalAuthority, authority.hasInstanceDiscovery else { return nil }
    let isKnown =
      Cloud.trustedHosts.contains(authority.host)
      || EnvironmentAliases.publicCloud.cloud(of: authority.host) != nil || authority.isKnown(to: app)
    return (
      Check(
        "the authority's host is known", expected: "a host of Azure AD, or knownAuthorities",
        found: authority.host, isKnown, source: "interactive-call.md §4",
        remedy: Remedy(.app, app.bundleID, "knownAuthorities+=\(app.authority)"),
        failure: "the host of its authority is not known"),
      MSALAuthorities.invalidInstance()
    )
  }
}

extension URLForwarding {
  /// Returns the check that the delegate that the system calls with a URL forwards it to the SDK (claim D6).
  ///
  /// ADAL replaces the app delegate's method, so it forwards the URL automatically; its first versions have nothing that
  /// a scene delegate could call (docs/behaviour/broker.md §7(1)).
  package static func check(of app: InstalledApp) -> Check {
    let called = app.usesScenes ? URLForwarding.sceneDelegate : .appDelegate
    let forwarding = app.urlForwarding ?? .both
    let swizzled = app.builtDefaults.replacesAppDelegate && called == .appDelegate
    guard !app.usesScenes || app.builtDefaults.supportsScenes else {
      return Check(
        "the SDK takes a URL from a scene delegate", expected: "ADAL 2.7.15 or 4.0.3, or later",
        found: "ADAL \(app.sdkVersion)", false, source: "broker.md §7",
        remedy: Remedy(.app, app.bundleID, "usesScenes=no"),
        failure: "its version of ADAL does not handle a URL from a scene delegate")
    }
    return Check(
      "the delegate that the system calls forwards the URL to the SDK", expected: called.displayText,
      found: swizzled ? "ADAL's own app delegate method" : forwarding.displayText,
      swizzled || forwarding == .both || forwarding == called, source: "claim D6",
      remedy: Remedy(.app, app.bundleID, "urlForwarding=\(called.rawValue)"),
      failure: "\(called.displayText) does not forward the URL to the SDK")
  }

  /// The delegates in words that can follow "forwarded by".
  var displayText: String {
    switch self {
    case .appDelegate: "the app delegate"
    case .sceneDelegate: "the scene delegate"
    case .both: "both delegates"
    case .neither: "neither delegate"
    }
  }
}
