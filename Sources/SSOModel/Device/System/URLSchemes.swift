import SSOCore

/// The bundle ID of the broker app (docs/behaviour/broker.md §7).
package let brokerBundleID = "com.microsoft.azureauthenticator"

extension Device {
  /// The version of a broker that is installed without specifying one.
  package static let currentBrokerVersion = "6.8.30"

  /// Returns the checks of whether `app` can reach the broker, in the order in which its SDK makes them.
  ///
  /// `schemes` are the schemes that the SDK queries on platforms where apps call the broker by URL. A silent call can
  /// reach the broker only where nothing is shown.
  func brokerReach(
    _ schemes: [BrokerScheme], of app: InstalledApp, installed: [InstalledApp], isSilent: Bool = false
  ) -> [Check] {
    let byExtension = extensionChecks(for: app)
    switch brokerCall(for: app, isSilent: isSilent) {
    case .ssoExtension: return byExtension
    case .xpc:
      return [
        Check(
          "MSAL may call the broker by XPC", expected: "ssoExtBackup or primary",
          found: (app.xpcMode ?? .disabled).rawValue, true, source: "broker.md §13")
      ]
    case nil where !byExtension.isEmpty: return byExtension
    case .url, .boundService, .webAccountManager, nil:
      return byExtension.map(\.asDecision) + platformReach(schemes, of: app, installed: installed)
    }
  }

  /// Only the call by a URL asks for an app extension (`isExecutingInAppExtension` in
  /// `CC/controllers/broker/ios/MSIDBrokerInteractiveController.m`).
  private static func extensionCheck(_ app: InstalledApp) -> Check {
    Check(
      "not an app extension", expected: "an app", found: app.isExtension ? "an app extension" : "an app",
      !app.isExtension, source: "broker.md §1", failure: "it is an app extension")
  }

  /// Returns the checks of whether `app` can reach the broker without an SSO extension.
  func platformReach(
    _ schemes: [BrokerScheme], of app: InstalledApp, installed: [InstalledApp]
  ) -> [Check] {
    let call = platform.brokerCall
    let own = app.sdk == .msal && platform.isApple ? [Self.extensionCheck(app)] : []
    let hasCall = Check(
      "platform has a broker called by \((call ?? .url).rawValue)", expected: "not macOS",
      found: platform.rawValue, call != nil, source: "claim E7",
      failure: "\(platform.rawValue) has no broker that an app could call")
    guard let call, call != .url else {
      return own + [hasCall]
        + schemes.flatMap { canOpen(scheme: $0.rawValue, askedBy: app, installed: installed) }
    }
    let isInstalled = Check(
      "a broker is installed", expected: "a broker", found: brokerVersion ?? "none", brokerVersion != nil,
      source: "broker.md §1", remedy: brokerRemedy, failure: "no broker is installed")
    return [hasCall, isInstalled] + managementCheck(app)
  }

  /// Returns the checks that `canOpenURL` performs for `app`.
  ///
  /// The scheme must be in its `LSApplicationQueriesSchemes` *and* an installed app must register it (broker.md §1).
  /// Both checks are returned, so that the first failed one can be shown.
  package func canOpen(scheme: String, askedBy app: InstalledApp, installed: [InstalledApp]) -> [Check] {
    let queried = app.queriesSchemes.contains(scheme)
    let handlers = handlers(of: scheme, installed: installed)
    let checks = [
      Check(
        "LSApplicationQueriesSchemes contains \(scheme)", expected: scheme,
        found: app.queriesSchemes.isEmpty ? "no schemes" : app.queriesSchemes.joined(separator: ", "),
        queried, source: "broker.md §1", remedy: Remedy(.app, app.bundleID, "queriesSchemes+=\(scheme)"),
        failure: "its LSApplicationQueriesSchemes lacks \(scheme)"),
      Check(
        "an installed app registers \(scheme)", expected: "an app with \(scheme)",
        found: handlers.isEmpty ? "none" : handlers.joined(separator: ", "), !handlers.isEmpty,
        source: "broker.md §1",
        remedy: BrokerScheme(rawValue: scheme) != nil && platform.brokerCall == .url ? brokerRemedy : nil,
        failure: "no installed app registers \(scheme)"),
    ]
    return checks + (handlers.contains(brokerBundleID) ? managementCheck(app) : [])
  }

  private var brokerRemedy: Remedy { Remedy(.device, id, "brokerVersion=\(Self.currentBrokerVersion)") }

  private func managementCheck(_ app: InstalledApp) -> [Check] {
    guard let apps = brokerManagement?.apps else { return [] }
    return [
      Check(
        "the administrator lets the broker serve this app", expected: app.bundleID,
        found: apps.isEmpty ? "no app" : apps.joined(separator: ", "), apps.contains(app.bundleID),
        source: "claim A4", failure: "the administrator does not let the broker serve this app")
    ]
  }

  /// Returns the bundle IDs of the apps that registered the scheme; the system compares schemes ignoring case.
  package func handlers(of scheme: String, installed: [InstalledApp]) -> [String] {
    let wanted = scheme.lowercased()
    var handlers = installed.filter { app in
      app.urlSchemes.contains { $0.lowercased() == wanted }
    }.map(\.bundleID)
    if brokerVersion != nil, platform.brokerCall == .url, BrokerScheme(rawValue: wanted) != nil {
      handlers.append(brokerBundleID)
    }
    return handlers
  }
}
