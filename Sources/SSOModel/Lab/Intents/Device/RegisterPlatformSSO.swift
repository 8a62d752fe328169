import SSOCore
import SSODevice
import SSOProvider

/// The registration of a Mac and its user for Platform SSO, after which that user's apps do not need a sign-in page
/// (docs/behaviour/broker.md §13).
package struct RegisterPlatformSSO: Intent {
  package static let verb = "registerPlatformSSO"
  var account: String

  package init(account: String) { self.account = account }

  package var displayText: String { "register the Mac and \(account) for Platform SSO" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let person = try transaction.directory.knownPerson(account)
    let device = transaction.device
    let checks = device.platformSSOChecks
    transaction.trace.add(
      .person, .system, actor: Device.platformSSOAgent, "register for Platform SSO", result: person.username,
      checks: checks)
    let failed = checks.first { $0.verdict == .failed }
    guard failed == nil, let method = device.ssoProfile?.platformSSO?.authenticationMethod else {
      return Outcome(.failed, "The Mac cannot be registered for Platform SSO.", failedCheck: failed)
    }
    let agent = InstalledApp(
      bundleID: Device.platformSSOAgent, teamID: "", displayName: "macOS", vendor: "Apple", sdkVersion: "",
      clientID: "", redirectURI: "", authority: "", keychainAccessGroups: [], keychainSharingGroup: nil,
      urlSchemes: [], queriesSchemes: [], brokerUse: .none)
    let broker = transaction.runtime.broker(for: agent)
    guard
      let account = try broker.registerPlatformSSO(
        person.username, tenantID: person.homeTenantID, correlationID: transaction.random.upperUUID())
    else {
      return Outcome(
        .cancelled, "The Mac is not registered: \(person.username) did not sign in.",
        failedCheck: transaction.lastFailedCheck, prompted: transaction.hasPrompted)
    }
    transaction.device.platformSSORegistration = PlatformSSORegistration(
      homeAccountID: account.homeAccountID, username: account.username, method: method)
    try transaction.saveDevice()
    let status = transaction.device.platformSSOStatus(among: [account])
    transaction.trace.add(
      .broker, .system, actor: Device.platformSSOAgent, "complete the registration", result: status.rawValue)
    return Outcome(
      .succeeded, "The Mac and \(account.username) are registered for Platform SSO by \(method.rawValue).",
      username: account.username, homeAccountID: account.homeAccountID, prompted: transaction.hasPrompted)
  }
}
