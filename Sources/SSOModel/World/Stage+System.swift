extension Stage {
  /// `openURL` by an app. The system reports the caller's bundle ID to the broker, and hands the answer to the app whose scheme it is.
  ///
  /// - Returns: what the *calling* app was handed before it became active again; nil if nothing reached it.
  func open(_ url: String, from app: InstalledApp) throws -> URLDelivery? {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let handlers = device.handlers(of: scheme, installed: installed)
    trace.add(
      .system, .system, actor: app.bundleID, "openURL \(scheme)",
      result: handlers.first ?? "nobody registered it",
      checks: device.canOpen(scheme: scheme, askedBy: app, installed: installed))
    guard handlers.contains(brokerBundleID), let version = device.brokerVersion else { return nil }
    let broker = Broker(around: brokerSurroundings(for: app), version: version)
    guard let answer = try broker.answer(url, from: app) else { return nil }
    return try deliver(answer, to: app)
  }

  /// The broker opens the redirect URI; the system gives it to the first app that registered its scheme (claim B3).
  private func deliver(_ url: String, to caller: InstalledApp) throws -> URLDelivery? {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let owners = device.handlers(of: scheme, installed: installed)
    let check = Check(
      "one app registers \(scheme)", expected: caller.bundleID,
      found: owners.isEmpty ? "none" : owners.joined(separator: ", "), owners == [caller.bundleID],
      source: "claim B3")
    let receiver = owners.first ?? "nobody"
    trace.add(
      .system, .app, actor: receiver, "openURL \(scheme)", result: "handed to \(receiver)", checks: [check])
    guard receiver == caller.bundleID else { return nil }
    return URLDelivery(url: url, sourceApplication: nil)
  }

  func brokerSurroundings(for app: InstalledApp) -> BrokerSurroundings {
    BrokerSurroundings(
      device: device, documents: transaction, now: now, chance: chance, trace: trace,
      send: { try self.provider(.broker, actor: app.bundleID).respond(to: $0).http },
      browse: { request, primaryRefreshToken in
        try self.browse(
          request, jar: "broker", by: .broker, actor: app.bundleID,
          presenting: primaryRefreshToken.map { [SentField(SSOSessions.primaryRefreshTokenCookie, $0)] } ?? []
        )
      },
      choose: { picker in
        switch try self.ask(.chooseAccount(picker)) {
        case .account(let id): .account(homeAccountID: id)
        case .useAnotherAccount: .another
        default: nil
        }
      })
  }
}
