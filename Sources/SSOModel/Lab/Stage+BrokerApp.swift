import SSOCore
import SSODevice
import SSOProvider
import SSOStore

/// The broker app comes and goes (claim A4).
extension Stage {
  func installBroker(_ version: String?, _ management: BrokerManagement?) throws -> Outcome {
    guard device.platform.hasURLBroker else {
      throw LabError(
        .badInput, "\(device.platform.rawValue) has no broker that an app could call.",
        why: "The broker flow does not exist there (claim E7).", next: "Use a device with iOS.")
    }
    for app in management?.apps ?? [] { _ = try self.app(app) }
    device.brokerVersion = version ?? device.brokerVersion ?? Device.currentBrokerVersion
    device.brokerManagement = management
    try transaction.write(device, .device, device.id)
    let who = management == nil ? "the person" : "the administrator, by MDM"
    let whom = management?.apps.map { $0.joined(separator: ", ") } ?? "the whole device"
    trace.add(
      management == nil ? .person : .system, .system, "install the broker",
      result: "\(brokerBundleID) \(device.brokerVersion ?? "")",
      sent: [
        NameValue("by", who), NameValue("for", whom),
        NameValue("registers", brokerSchemes.joined(separator: ", ")),
      ])
    let directory = Directory(documents: transaction)
    // Whoever pushes apps manages the device; it obeys the rules until somebody says otherwise.
    if management != nil, try directory.managedDevice(serial: device.id) == nil {
      try directory.save(ManagedDevice(serial: device.id, isCompliant: true))
    }
    let installed = "The broker \(device.brokerVersion ?? "") is installed by \(who), for \(whom)."
    return try answerPasteboard(installed) ?? Outcome(.succeeded, installed)
  }

  /// On its first start the broker looks for a request that an app left for it (fact sheet §5.10). Who left it, nobody can vouch for:
  /// the system reports no caller.
  private func answerPasteboard(_ installed: String) throws -> Outcome? {
    let key = device.id + "/WPJ"
    guard let url = try transaction.read(String.self, .pasteboard, key) else { return nil }
    let source = URLParts(url)?.fields?["sourceApplication"] ?? ""
    guard let app = self.installed.first(where: { $0.bundleID == source }) else { return nil }
    try transaction.delete(.pasteboard, key)
    trace.add(
      .broker, .system, actor: source, "read pasteboard WPJ",
      result: "a request of \(source), by its own word")
    guard let answer = try broker(for: app).answer(url, from: app),
      let delivery = try deliver(answer, sender: brokerBundleID)?.delivery
    else { return nil }
    guard var outcome = try handle(delivery, by: app) else { return nil }
    outcome.summary =
      outcome.verdict == .succeeded
      ? "\(installed) It answered the request that \(app.displayName) had left: token for \(outcome.username ?? "")."
      : installed + " " + outcome.summary
    return outcome
  }

  /// Its accounts stay in its keychain, as keychain items do (fact sheet §1.1), and are there again after an install.
  func removeBroker() throws -> Outcome {
    guard let version = device.brokerVersion else {
      throw LabError(
        .nothingMatched, "The broker is not installed.", why: "There is nothing to remove.",
        next: "ssoterm broker install")
    }
    guard device.platform != .windows else {
      throw LabError(
        .badInput, "The broker cannot be removed.", why: "On Windows it is part of the system (claim A5).",
        next: "Let an app do without it: its setting brokerUse.")
    }
    device.brokerVersion = nil
    device.brokerManagement = nil
    try transaction.write(device, .device, device.id)
    trace.add(
      .person, .system, "remove the broker",
      result: "\(brokerSchemes.joined(separator: ", ")) open nothing now"
    )
    return Outcome(.succeeded, "The broker \(version) is removed. Apps sign in by themselves from now on.")
  }
}

extension Device {
  /// What an install without a version brings.
  package static let currentBrokerVersion = "6.8.30"
}
