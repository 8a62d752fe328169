/// The broker app is installed: by the person, or by an administrator for some apps or all (claim A4).
///
/// Also changes how it is managed.
struct InstallBroker: IntentAction {
  /// nil: the installed one, else a current one.
  var version: String?
  /// nil: the person installs it.
  var management: BrokerManagement?

  func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects { try install(in: transaction) }
  }

  private func install(in transaction: IntentTransaction) throws -> Outcome {
    let device = transaction.device
    guard device.platform.brokerCall != nil else {
      throw LabError(
        .badInput, "\(device.platform.rawValue) has no broker that an app could call.",
        why: "This platform has no broker flow (claim E7).", next: "Use a device with iOS.")
    }
    for app in management?.apps ?? [] { _ = try transaction.app(app) }
    let version = version ?? device.brokerVersion ?? Device.currentBrokerVersion
    transaction.device.brokerVersion = version
    transaction.device.brokerManagement = management
    try transaction.saveDevice()
    let who = management == nil ? "the person" : "the administrator, by MDM"
    let whom = management?.apps.map { $0.joined(separator: ", ") } ?? "the whole device"
    transaction.trace.add(
      management == nil ? .person : .system, .system, "install the broker",
      result: "\(brokerBundleID) \(version)",
      sent: [
        NameValue("by", who), NameValue("for", whom),
        NameValue("registers", BrokerScheme.names.joined(separator: ", ")),
      ])
    // An administrator who pushes apps manages the device; it counts as compliant until set otherwise.
    if management != nil, try transaction.directory.managedDevice(serial: device.id) == nil {
      try transaction.store.save(ManagedDevice(serial: device.id, isCompliant: true))
    }
    let installed = "The broker \(version) is installed by \(who), for \(whom)."
    return try answerPasteboard(installed, in: transaction) ?? Outcome(.succeeded, installed)
  }

  /// On its first start the broker looks for a request that an app left for it (docs/behaviour/broker.md §10).
  ///
  /// It has only the request's word for who left it: the system reports no caller.
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
