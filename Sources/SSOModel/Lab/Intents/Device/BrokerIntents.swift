import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// The installation of the broker app, by the user, or by an administrator for some or all apps (claim A4).
///
/// It also changes how an installed broker is managed.
package struct InstallBroker: Intent {
  package static let verb = "installBroker"
  /// The version, or `nil` for the installed version or, without one, the current version.
  var version: String?
  /// The management by an administrator, or `nil` if the user installs the broker.
  var management: BrokerManagement?

  package init(version: String? = nil, managed management: BrokerManagement? = nil) {
    self.version = version
    self.management = management
  }

  package var displayText: String {
    management == nil ? "install the broker" : "push the broker as an administrator"
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects { try install(in: transaction) }
  }

  private func install(in transaction: IntentTransaction) throws -> Outcome {
    let device = transaction.device
    guard !device.platform.hasOwnBroker else {
      throw LabError(
        .badInput, "The broker is installed already.", why: "On Windows it is part of the system (claim A5).",
        next: "See its accounts: \(.accounts)")
    }
    for app in management?.apps ?? [] { _ = try transaction.app(app) }
    let version = version ?? device.brokerVersion ?? Device.currentBrokerVersion
    transaction.device.brokerVersion = version
    transaction.device.brokerManagement = management
    try transaction.saveDevice()
    let who = management == nil ? "the user" : "the administrator, by MDM"
    let whom = management?.apps.map { $0.joined(separator: ", ") } ?? "the whole device"
    transaction.trace.add(
      management == nil ? .person : .system, .system, "install the broker",
      result: "\(device.platform.brokerBundleID) \(version)",
      sent: [NameValue("by", who), NameValue("for", whom)]
        + (device.platform == .macOS
          ? [] : [NameValue("registers", BrokerScheme.names.joined(separator: ", "))]))
    // An administrator who pushes apps manages the device; it counts as compliant until set otherwise.
    if management != nil, try transaction.directory.managedDevice(serial: device.id) == nil {
      try transaction.store.save(ManagedDevice(serial: device.id, isCompliant: true))
    }
    let installed = "The broker \(version) is installed by \(who), for \(whom)."
    return try answerPasteboard(installed, in: transaction) ?? Outcome(.succeeded, installed)
  }

  /// Answers the request that an app left on the pasteboard before the broker was installed (docs/behaviour/broker.md §10).
  ///
  /// Only the request itself names its sender, because the system does not report the caller.
  private func answerPasteboard(_ installed: String, in transaction: IntentTransaction) throws -> Outcome? {
    let key = transaction.device.id + "/WPJ"
    guard let url = try transaction.store.read(String.self, .pasteboard, key) else { return nil }
    let source = URLParts(url)?.fields?["sourceApplication"] ?? ""
    guard let app = transaction.installed.first(where: { $0.bundleID == source }) else { return nil }
    try transaction.store.delete(.pasteboard, key)
    transaction.trace.add(
      .broker, .system, actor: source, "read pasteboard WPJ",
      result: "a request that names \(source) as its sender")
    let runtime = transaction.runtime
    guard let answer = try runtime.broker(for: app).answer(url, from: app),
      let delivery = try runtime.deliver(answer, sender: brokerBundleID)?.delivery,
      var outcome = try AppCall(app, in: transaction).handle(delivery)
    else { return nil }
    outcome.summary =
      outcome.verdict == .succeeded
      ? "\(installed) It answered the request that \(app.displayName) had left: token for \(outcome.username ?? "")."
      : installed + " " + outcome.summary
    return outcome
  }
}

/// The removal of the broker app.
///
/// On Apple's platforms, its accounts stay in its keychain, as keychain items do (docs/behaviour/keychain.md §1), and are
/// available again after an installation. On Android, they are deleted with the app's storage (docs/behaviour/android.md
/// §3(6)).
package struct RemoveBroker: Intent {
  package static let verb = "removeBroker"

  package init() {}

  package var displayText: String { "remove the broker" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      guard let version = transaction.device.brokerVersion else {
        throw LabError(
          .nothingMatched, "The broker is not installed.", why: "There is nothing to remove.",
          next: "\(.installBroker)")
      }
      guard !transaction.device.platform.hasOwnBroker else {
        throw LabError(
          .badInput, "The broker cannot be removed.", why: "On Windows it is part of the system (claim A5).",
          next: "Change the app's setting brokerUse instead.")
      }
      if transaction.device.platform == .android {
        for held in try transaction.reader.brokerAccounts() { try transaction.runtime.forget(held) }
      }
      transaction.device.brokerVersion = nil
      transaction.device.brokerManagement = nil
      try transaction.saveDevice()
      transaction.trace.add(
        .person, .system, "remove the broker",
        result: "\(BrokerScheme.names.joined(separator: ", ")) cannot be opened now")
      return Outcome(
        .succeeded, "The broker \(version) is removed. Apps sign in without it from now on.")
    }
  }
}

/// A fault that is injected into the app's next brokered call.
package struct InjectFault: AppIntent {
  package static let verb = "disturb"
  package var app: String
  /// The fault, or `nil` to remove an injected one.
  var fault: InjectedFault?

  package init(app: String, _ fault: InjectedFault?) {
    self.app = app
    self.fault = fault
  }

  package var displayText: String { "inject a fault into \(app): \(fault?.rawValue ?? "nothing")" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let key = InjectedFault.key(of: app, on: transaction.device)
    guard let fault else {
      try transaction.store.delete(.injectedFault, key)
      return Outcome(
        .succeeded, "The next brokered call of \(app.displayName) proceeds without an injected fault.")
    }
    let call = transaction.device.brokerCall(for: app)
    guard call == fault.call else {
      throw LabError(
        .badInput, "The fault \(fault.rawValue) cannot be injected into a call of \(app.displayName).",
        why: "It belongs to calls by \(fault.call.rawValue), and this app "
          + (call.map { "calls the broker by \($0.rawValue)." } ?? "cannot call a broker."),
        next: fault.call == .url
          ? "Use a device with iOS and without an SSO extension."
          : "Use a device with iOS or macOS, a broker, and a profile (ssoProfile={}).")
    }
    try transaction.store.write(fault, .injectedFault, key)
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "inject a fault into the next brokered call",
      result: fault.rawValue)
    return Outcome(
      .succeeded, "Injected into the next brokered call of \(app.displayName): \(fault.displayText)")
  }
}
