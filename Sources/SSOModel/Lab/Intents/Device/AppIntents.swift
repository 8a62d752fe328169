import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

/// The termination of an app's process, and the loss of its SDK's memory (docs/behaviour/msal-cache.md §9).
package struct EndApp: AppIntent {
  package static let verb = "endApp"
  package var app: String

  package init(app: String) { self.app = app }

  package var displayText: String { "end \(app)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let ran = transaction.device.processes?[app.bundleID] != nil
    try transaction.store.setProcess(nil, of: app.bundleID, device: transaction.device.id)
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "end the app",
      result: ran ? "its memory is cleared" : "it was not running")
    return Outcome(.succeeded, ran ? "\(app.displayName) is ended." : "\(app.displayName) was not running.")
  }
}

/// The reinstallation of an app: NSUserDefaults is empty, the cookies of its own web view are deleted, and the keychain
/// is unchanged (docs/behaviour/keychain.md §1).
///
/// On Android, the cache is among the app's own data, which is deleted with it (docs/behaviour/android.md §3).
package struct ReinstallApp: AppIntent {
  package static let verb = "reinstall"
  package var app: String

  package init(app: String) { self.app = app }

  package var displayText: String { "reinstall \(app)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    try transaction.runtime.defaults(of: app).clear()
    try transaction.store.setProcess(nil, of: app.bundleID, device: transaction.device.id)
    try transaction.store.delete(.browserSession, transaction.device.id + "/" + app.bundleID)
    let left = try transaction.credentials.items(matching: KeychainQuery(accessGroups: app.entitledGroups))
    let isKept = app.builtDefaults.platform.isApple
    if !isKept { for item in left { try transaction.credentials.delete(item.key) } }
    let (lost, kept) =
      isKept
      ? (
        "its defaults are deleted",
        left.isEmpty
          ? "it has no keychain items"
          : left.count == 1 ? "its keychain item remains" : "its \(left.count) keychain items remain"
      )
      : ("its data is deleted", "its cache of \(counted(left.count, "item")) too")
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "delete and install \(app.displayName)",
      result: "\(lost), \(kept)")
    return Outcome(.succeeded, "\(app.displayName) is reinstalled: \(lost), \(kept).")
  }
}

/// The opening of a URL by an app: a request to the broker, or another app's scheme, tried on purpose.
package struct OpenURL: AppIntent {
  package static let verb = "openURL"
  var url: String
  package var app: String

  package init(_ url: String, from app: String) {
    self.url = url
    self.app = app
  }

  package var displayText: String { "open \(url.prefix { $0 != "?" }) from \(app)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let runtime = transaction.runtime
    let shown = String(url.prefix { $0 != "?" }.prefix(120))
    transaction.trace.add(.person, .app, actor: app.bundleID, "openURL \(shown)")
    func refused(_ summary: String, because reason: String? = nil) -> Outcome {
      let check = transaction.lastFailedCheck
      return Outcome(
        .failed, summary, errorText: check == nil ? reason : nil, failedCheck: check,
        prompted: transaction.hasPrompted)
    }
    var (answer, sender) = (url, app.bundleID)
    if isBrokerURL(url) {
      guard try runtime.launchBroker(for: url, from: app) else {
        return refused("\(app.displayName) cannot open \(shown).")
      }
      guard let reply = try runtime.broker(for: app).answer(url, from: app) else {
        let reason = transaction.trace.hops.last { $0.from == .broker && $0.action == "refuse" }?.result ?? ""
        return refused("The broker refused the request of \(app.displayName): \(reason)")
      }
      (answer, sender) = (reply, brokerBundleID)
    }
    guard let (bundleID, delivery) = try runtime.deliver(answer, sender: sender) else {
      let scheme = shown.prefix { $0 != ":" }
      return refused("No app opens \(shown).", because: "no app registers the URL scheme \(scheme)")
    }
    let receiver = try transaction.app(bundleID)
    guard let delivery else { return refused("\(receiver.displayName) received the URL, its SDK did not.") }
    return try AppCall(receiver, in: transaction).handle(delivery)
      ?? refused("\(receiver.displayName) ignores the URL.")
  }
}

/// The enrollment of an app for one account by Intune's SDK, which saves the ID in the app's defaults (docs/behaviour/broker.md §11).
package struct EnrollApp: AppIntent {
  package static let verb = "enroll"
  package var app: String
  var account: String

  package init(app: String, account: String) {
    self.app = app
    self.account = account
  }

  package var displayText: String { "enrol \(app) for \(account)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    if let check = transaction.device.simulationCheck { return Outcome(notMade: check) }
    let person = try transaction.directory.knownPerson(account)
    let id = transaction.random.uuid()
    try transaction.store.save(
      AppEnrollment(id: id, clientID: app.clientID, username: person.username.lowercased()))
    try transaction.runtime.defaults(of: app).enroll(
      IntuneEnrollment(
        tenantID: person.homeTenantID, objectID: person.objectID,
        homeAccountID: person.clientInfo.homeAccountID, userID: person.username, enrollmentID: id))
    transaction.trace.add(
      .app, .provider, actor: app.bundleID, "enrol at Intune", result: id,
      sent: [NameValue("user", person.username)])
    return Outcome(
      .succeeded, "Intune protects \(app.displayName) for \(person.username).", username: person.username,
      homeAccountID: person.clientInfo.homeAccountID)
  }
}
