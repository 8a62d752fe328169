extension MSALClient {
  /// Returns the conditions for using the broker with the app's own authority.
  package func brokerDecision() -> [Check] { brokerDecision(try? Authority(app.authority)) }

  /// Returns all conditions for using the broker, in order, whether or not they hold (interactive-call.md §1, broker.md
  /// §1).
  package func brokerDecision(_ authority: Authority?) -> [Check] {
    let checks = [
      brokerAvailability,
      app.brokerCapability,
      Check(
        "authority is Azure AD", expected: Authority.Kind.aad.rawValue,
        found: authority?.kind.rawValue ?? "no authority", authority?.supportsBroker ?? false,
        source: "interactive-call.md §1", failure: "its authority is not Azure AD's"),
      Check(
        "authority is validated", expected: "not in knownAuthorities",
        found: authority?.url ?? "no authority",
        authority.map { !$0.isKnown(to: app) } ?? false, source: "interactive-call.md §1",
        failure: "its authority is in knownAuthorities, and so not validated"),
      Check(
        "not an app extension", expected: "an app",
        found: app.isExtension ? "an app extension" : "an app",
        !app.isExtension, source: "broker.md §1", failure: "it is an app extension"),
    ]
    return checks
      + context.device.brokerReach(
        PlatformDefaults(of: app, on: context.device.platform).brokerSchemes, of: app,
        installed: context.installed)
  }

  /// The check of the developer's setting for the use of the broker.
  private var brokerAvailability: Check {
    let remedy = Remedy(.app, app.bundleID, "brokerUse=auto")
    let isUsed = app.brokerUse == .auto
    return app.platform == .android
      ? Check(
        "broker_redirect_uri_registered", expected: "true", found: isUsed ? "true" : "false", isUsed,
        source: "real-apps.md §2", remedy: remedy,
        failure: "broker_redirect_uri_registered is not true in its configuration")
      : Check(
        "broker availability", expected: "auto", found: app.brokerUse.rawValue, isUsed,
        source: "interactive-call.md §1", remedy: remedy,
        failure: "the app sets brokerAvailability to \(app.brokerUse.rawValue)")
  }
}
