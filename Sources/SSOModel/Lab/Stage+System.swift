import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

/// `openURL`, as the system does it (claims B1, B3, D6; fact sheet §5.2, §5.9).
extension Stage {
  /// A request of an app to the broker. The system reports the caller's bundle ID to the broker, and hands the answer to the app whose
  /// scheme it is.
  func open(_ url: String, from app: InstalledApp) throws -> BrokerReturn {
    guard try launchBroker(for: url, from: app) else { return .empty(late: nil) }
    let disturbance = try takeDisturbance(of: app)
    switch disturbance {
    case .personReturns: return .empty(late: nil)
    case .secondCall: try callAgain(app)
    default: break
    }
    let broker = broker(for: app)
    guard let answer = try broker.answer(disturbance?.disturb(request: url) ?? url, from: app) else {
      return .empty(late: nil)
    }
    try disturbance.map { try disturbStorage($0, of: app) }
    let delivery = try deliver(disturbance?.disturb(answer: answer) ?? answer, sender: brokerBundleID)
    let own = delivery?.receiver == app.bundleID ? delivery?.delivery : nil
    return switch disturbance {
    case .lateURL: .empty(late: own)
    case .appKilled: .restarted(own)
    default: own.map(BrokerReturn.handed) ?? .empty(late: nil)
    }
  }

  /// Whether the broker came to the front for this URL.
  func launchBroker(for url: String, from app: InstalledApp) throws -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let handlers = device.handlers(of: scheme, installed: installed)
    let serves = device.brokerManagement?.serves(app.bundleID) ?? true
    trace.add(
      .system, .system, actor: app.bundleID, "openURL \(scheme)",
      result: handlers.first ?? "nobody registered it",
      checks: device.canOpen(scheme: scheme, askedBy: app, installed: installed))
    return handlers.contains(brokerBundleID) && serves
  }

  func broker(for app: InstalledApp) -> Broker {
    Broker(around: brokerSurroundings(for: app), version: device.brokerVersion ?? "")
  }

  /// The system gives a URL to the first app that registered its scheme (claim B3); which one that is, iOS leaves open, and here the
  /// order of bundle IDs decides. That app's delegate hands it to the SDK, or not (claim D6).
  ///
  /// - Returns: who received it, and what the SDK was handed; nil if nobody received it.
  func deliver(_ url: String, sender: String) throws -> (receiver: String, delivery: URLDelivery?)? {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let owners = device.handlers(of: scheme, installed: installed)
    let meant = installed.first {
      !$0.redirectURI.isEmpty && url.lowercased().hasPrefix($0.redirectURI.lowercased())
    }
    let unique = Check(
      "one app registers \(scheme)", expected: meant?.bundleID ?? "one app",
      found: owners.isEmpty ? "none" : owners.joined(separator: ", "), owners.count == 1, source: "claim B3")
    guard let receiver = installed.first(where: { $0.bundleID == owners.first }) else {
      trace.add(.system, .system, "openURL \(scheme)", result: "nobody registered it", checks: [unique])
      return nil
    }
    if let meant, meant.bundleID != receiver.bundleID {
      try showTheft(url, by: receiver, from: meant, unique)
      return (receiver.bundleID, nil)
    }
    let forwarding = receiver.forwardingCheck
    trace.add(
      .system, .app, actor: receiver.bundleID, "openURL \(url.prefix { $0 != "?" })",
      result: forwarding.verdict == .passed
        ? "handed to \(receiver.bundleID)" : "\(receiver.bundleID) does not hand it on",
      checks: [unique, forwarding])
    guard forwarding.verdict == .passed else { return (receiver.bundleID, nil) }
    let team = installed.first { $0.bundleID == sender }?.teamID ?? brokerTeamID
    let source = device.reportsSource(team: team, to: receiver.teamID) ? sender : nil
    return (receiver.bundleID, URLDelivery(url: url, sourceApplication: source))
  }

  /// The wrong app has the answer. It sees a ciphertext, and looks for a key in every keychain group that it may read (claim B3).
  private func showTheft(_ url: String, by thief: InstalledApp, from owner: InstalledApp, _ unique: Check)
    throws
  {
    let fields = URLParts(url)?.fields ?? []
    let seen = fields.map { field in
      field.name == "response" ? NameValue(field.name, field.value.prefix(32) + "… (ciphertext)") : field
    }
    trace.add(
      .system, .app, actor: thief.bundleID, "openURL \(url.prefix { $0 != "?" })",
      result: "handed to \(thief.bundleID), not to \(owner.bundleID)", sent: seen, checks: [unique])
    let key = try keychain(of: thief).items(
      matching: KeychainQuery(itemClass: .key, service: BrokerKeys.keyTag), what: "broker key")
    let mates = Set(owner.entitledGroups).intersection(thief.entitledGroups)
    let check = Check(
      "the receiver holds the key of the answer", expected: "the broker key of \(owner.bundleID)",
      found: key.isEmpty ? "none" : mates.isEmpty ? "only a key of its own" : "a key of the same group",
      !key.isEmpty && !mates.isEmpty, source: "claim B3")
    let isPlain = fields["response"] == nil
    trace.add(
      .app, .app, actor: thief.bundleID, "read the answer",
      result: isPlain ? "an error in plain text" : "a ciphertext, and no more", checks: [check])
  }

  /// `openURL` by any app, of any URL: what a person or a scenario tries on purpose.
  func openURL(_ url: String, from app: InstalledApp) throws -> Outcome {
    let shown = String(url.prefix { $0 != "?" }.prefix(120))
    trace.add(.person, .app, actor: app.bundleID, "openURL \(shown)")
    var answer = url
    var sender = app.bundleID
    if BrokerDialect(url: url) != nil {
      guard try launchBroker(for: url, from: app) else {
        return refusedURL("\(app.displayName) cannot open \(shown).", lastFailedCheck)
      }
      guard let reply = try broker(for: app).answer(url, from: app) else {
        let reason = trace.hops.last { $0.from == .broker && $0.action == "refuse" }?.result ?? ""
        return refusedURL("The broker refused the request of \(app.displayName): \(reason)", lastFailedCheck)
      }
      (answer, sender) = (reply, brokerBundleID)
    }
    guard let (bundleID, delivery) = try deliver(answer, sender: sender) else {
      return refusedURL("Nobody opens \(shown).", lastFailedCheck)
    }
    let receiver = try self.app(bundleID)
    guard let delivery else {
      return refusedURL("\(receiver.displayName) received the URL, its SDK did not.", lastFailedCheck)
    }
    guard let outcome = try handle(delivery, by: receiver) else {
      return refusedURL("\(receiver.displayName) takes no notice of the URL.", lastFailedCheck)
    }
    return outcome
  }

  private func refusedURL(_ summary: String, _ check: Check?) -> Outcome {
    Outcome(.failed, summary, failedCheck: check, prompted: !prompts.isEmpty)
  }

  var lastFailedCheck: Check? { trace.hops.flatMap(\.checks).last { $0.verdict == .failed } }

  func brokerSurroundings(for app: InstalledApp) -> BrokerSurroundings {
    BrokerSurroundings(
      device: device, documents: transaction, now: now, chance: chance, trace: trace,
      send: { try self.provider(.broker, actor: app.bundleID).respond(to: $0).received },
      browse: { request, primaryRefreshToken in
        try self.browse(
          request, jar: "broker", by: .broker, actor: app.bundleID,
          presenting: primaryRefreshToken.map { [NameValue(SSOSessions.primaryRefreshTokenCookie, $0)] } ?? []
        )
      },
      browseExternally: { try self.browseWithCertificate($0, for: app) },
      deviceKeychain: deviceKeychain,
      choose: { picker in
        switch try self.ask(.chooseAccount(picker)) {
        case .account(let id): .account(homeAccountID: id)
        case .useAnotherAccount: .another
        default: nil
        }
      })
  }
}
