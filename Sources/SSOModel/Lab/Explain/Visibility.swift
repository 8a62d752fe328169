import SSOCore
import SSODevice

/// The extent to which an app can use another app's sign-in on the device (docs/behaviour/adal.md §4).
package struct Visibility: Codable, Hashable, Sendable {
  /// The extent, from nothing to a token without a prompt.
  package enum Extent: String, Codable, CaseIterable, Sendable {
    /// The same format and client: access tokens, ID tokens, refresh tokens, and accounts.
    case all = "all"
    case accessAndRefreshToken = "AT+RT"
    case refreshToken = "RT"
    case nothing = "nothing"
  }

  /// The bundle ID of the app that is signed in.
  package var signedIn: String
  package var looking: String
  package var extent: Extent
  /// The consequence for the user, such as "silent through the legacy refresh token".
  package var displayText: String
  /// The conditions, in order.
  package var checks: [Check]
  /// Whether both apps use the broker, which keeps the sign-in for interactive calls of either.
  package var isThroughBroker: Bool

  /// Whether only the broker lets the app use the sign-in: an interactive call then needs no password.
  package var isOnlyThroughBroker: Bool { isThroughBroker && extent == .nothing }

  /// The assumption behind every cell, whatever the state of the apps' tokens.
  package static let assumption = "Assumed: a new sign-in with the one app, and valid tokens."
}

extension Visibility {
  /// Creates the visibility of a pair of apps; `limit` is the failed check of a device whose caches the lab does not
  /// simulate.
  init(_ shared: SharedSignIn, isThroughBroker: Bool = false, limit: Check? = nil) {
    self.isThroughBroker = isThroughBroker
    signedIn = shared.other.bundleID
    looking = shared.deciding.app.app.bundleID
    if let limit {
      (extent, displayText, checks) = (.nothing, limit.reason, [limit])
      return
    }
    // The deciding check has its reason as text.
    let failure = shared.firstFailure
    checks = shared.checks.map { check in failure.flatMap { $0 == check ? $0 : nil } ?? check }
    (extent, displayText) = Self.extent(shared)
    guard isThroughBroker, extent == .nothing else { return }
    displayText =
      "through the broker, without a password; nothing is silent: \(failure?.reason ?? "no token")"
  }

  private static func extent(_ shared: SharedSignIn) -> (Extent, String) {
    let (app, usable) = (shared.deciding.app, shared.usable)
    if let failure = shared.firstFailure { return (.nothing, "nothing: \(failure.reason)") }
    if let token = usable.first(where: { $0.kind == .accessToken }) {
      let (mine, theirs) = (app.app, shared.other)
      guard token.format == .unified else {
        return (
          .accessAndRefreshToken,
          mine.resource.lowercased() == theirs.resource.lowercased()
            ? "silent from the cache" : "silent through the refresh token: another resource"
        )
      }
      let granted = Set(theirs.scopes.map { $0.lowercased() })
      guard mine.scopes.allSatisfy({ granted.contains($0.lowercased()) }) else {
        return (.all, "silent through the refresh token: other scopes")
      }
      return (.all, "silent from the cache" + tenantRemark(mine, theirs))
    }
    return (.refreshToken, displayText(through: usable, app, writer: shared.deciding.credential.writer))
  }

  /// Returns a remark on the tenant, because an access token is for one tenant.
  private static func tenantRemark(_ app: InstalledApp, _ other: InstalledApp) -> String {
    guard let mine = app.msalAuthority, let theirs = other.msalAuthority,
      mine.realm != theirs.realm, !(mine.isTenantless && theirs.isTenantless)
    else { return "" }
    return ", if the tenant is the same"
  }

  private static func displayText(through usable: [SharedCredential], _ app: SharingApp, writer: SharingApp?)
    -> String
  {
    switch (writer?.generation, app.generation) {
    case (.legacyOnly, .unified): "account by username, silent through the legacy refresh token"
    case (.both, .unified): "account by identifier and by username, silent through the refresh token"
    case (_, .unified): "account, and silent through the family refresh token"
    default:
      usable.contains { $0.format == .legacy }
        ? "silent through the family refresh token"
        : "silent through the unified refresh token, if the userId is handed over"
    }
  }
}

extension WhyQueries {
  /// Returns the visibility for every ordered pair of apps on the current device.
  package func visibility() throws -> [Visibility] {
    let apps = try SharingQueries(reader: reader).installedApps()
    let limit = reader.device.simulationCheck
    let brokered = apps.filter { app in
      app.runsOnDevice && limit == nil
        && !brokerChecks(of: app.app).contains { $0.verdict == .failed }
    }
    let users = Set(brokered.map(\.app.bundleID))
    return apps.flatMap { writer in
      apps.filter { $0.app.bundleID != writer.app.bundleID }.map {
        Visibility(
          SharedSignIn(with: writer, for: $0),
          isThroughBroker: users.contains(writer.app.bundleID) && users.contains($0.app.bundleID),
          limit: limit)
      }
    }
  }
}
