/// The broker app, as the system knows it (docs/behaviour/broker.md §7).
package let brokerBundleID = "com.microsoft.azureauthenticator"

/// The broker's team. Another one than any app's, so that they share no keychain (docs/behaviour/keychain.md §2); the letters are our choice.
package let brokerTeamID = "SGGM6D27TK"

/// The schemes that the broker app registers.
package let brokerSchemes = ["msauth", "msauthv2", "msauthv3"]

extension Device {
  /// `canOpenURL` by `app`: the scheme must be in its `LSApplicationQueriesSchemes` *and* somebody must have registered it (broker.md §1).
  /// Both checks are returned, so that the first failed one can be shown.
  package func canOpen(scheme: String, askedBy app: InstalledApp, installed: [InstalledApp]) -> [Check] {
    let queried = app.queriesSchemes.contains(scheme)
    let handlers = handlers(of: scheme, installed: installed)
    var checks = [
      Check(
        "LSApplicationQueriesSchemes contains \(scheme)", expected: scheme,
        found: app.queriesSchemes.isEmpty ? "no schemes" : app.queriesSchemes.joined(separator: ", "),
        queried, source: "broker.md §1"),
      Check(
        "an installed app registers \(scheme)", expected: "an app with \(scheme)",
        found: handlers.isEmpty ? "none" : handlers.joined(separator: ", "), !handlers.isEmpty,
        source: "broker.md §1"),
    ]
    if let apps = brokerManagement?.apps, handlers.contains(brokerBundleID) {
      checks.append(
        Check(
          "the administrator lets the broker serve this app", expected: app.bundleID,
          found: apps.isEmpty ? "no app" : apps.joined(separator: ", "), apps.contains(app.bundleID),
          source: "claim A4"))
    }
    return checks
  }

  /// Bundle IDs of the apps that registered the scheme; the system compares schemes without case.
  package func handlers(of scheme: String, installed: [InstalledApp]) -> [String] {
    let wanted = scheme.lowercased()
    var handlers = installed.filter { app in
      app.urlSchemes.contains { $0.lowercased() == wanted }
    }.map(\.bundleID)
    if brokerVersion != nil, platform.hasURLBroker, brokerSchemes.contains(wanted) {
      handlers.append(brokerBundleID)
    }
    return handlers
  }
}
