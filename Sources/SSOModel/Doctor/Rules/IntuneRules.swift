import SSOCore
import SSODevice

/// The rules for the Intune SDK, which creates an application object of MSAL with its own settings.
extension AppleRules {
  /// Returns the check of the application object that the Intune SDK creates with the redirect URI in its own settings.
  func intuneChecks(_ app: InstalledApp) -> [DoctorCheck] {
    guard let intune = facts.intune, let given = intune.redirectURI ?? intune.redirectScheme else {
      return []
    }
    var own = app
    own.redirectURI =
      intune.redirectURI?.value ?? intune.redirectScheme.map { "\($0.value)://\(app.bundleID)" } ?? ""
    own.clientID = intune.clientID?.value ?? app.clientID
    let fix =
      "<key>ADALRedirectUri</key>\n<string>\(PlatformDefaults.redirectURI(bundleID: app.bundleID))</string>"
    let conditions = MSALApplication(app: own, platform: facts.platform).conditions
    // ``setUpChecks(_:)`` makes this check if the app's own code creates the object.
    let isChecked = facts.querySchemes == nil || !facts.checksQuerySchemes || !facts.hasUnknownRedirect
    let queries = conditions.filter { $0.requirement == .querySchemes && !isChecked }.map { checked($0, own) }
    let redirects = conditions.filter { [.redirectScheme, .brokerCapable].contains($0.requirement) }
    guard let failed = redirects.first(where: { $0.check.verdict == .failed }) ?? redirects.last else {
      return queries
    }
    var check = failed.check
    check.name = "Intune: " + check.name
    let mistake =
      failed.requirement == .redirectScheme
      ? "Intune's redirect scheme is not registered" : "Intune's redirect URI is not broker-capable"
    return [self.check(.intuneRedirect, check, mistake, at: given.place, failed.error, fix: fix)] + queries
  }
}

extension DoctorRule {
  package static let intuneRedirect = DoctorRule(
    "intune-redirect", "Intune's redirect URI is one that the app can use",
    why: """
      The Intune SDK signs in with the redirect URI of IntuneMAMSettings, which is checked like \
      the app's own.
      """, reports: 2)
}
