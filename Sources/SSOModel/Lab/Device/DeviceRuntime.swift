import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

/// The simulated device during an intent: its apps with their keychains and SDKs, the broker app, the
/// browser, and the system.
///
/// It connects them to the provider.
struct DeviceRuntime {
  let transaction: IntentTransaction

  var device: Device { transaction.device }
  var installed: [InstalledApp] { transaction.installed }
  var trace: TraceRecorder { transaction.trace }

  /// Returns the app's SDK, whose calls appear in the trace and change the lab.
  func sdk(of app: InstalledApp) -> any IdentitySDK { context(of: app).sdk }

  func context(of app: InstalledApp) -> AppContext {
    AppContext(
      app: app, device: device, installed: installed, now: transaction.now, random: transaction.random,
      trace: trace, keychain: keychain(of: app), defaults: defaults(of: app),
      process: transaction.memory(of: app),
      system: AppServices(runtime: self, app: app, sender: app.sdk.party))
  }

  func keychain(of app: InstalledApp) -> Keychain {
    Keychain(
      store: transaction.credentials, app: KeychainCaller(app), now: transaction.now, trace: trace,
      isLocked: device.locksKeychain, party: app.sdk.party)
  }

  func defaults(of app: InstalledApp) -> AppDefaults {
    AppDefaults(documents: transaction.store, key: device.id + "/" + app.bundleID)
  }

  func broker(for app: InstalledApp) -> Broker {
    Broker(
      context: BrokerContext(
        device: device, documents: transaction.store, now: transaction.now, random: transaction.random,
        trace: trace, deviceKeychain: deviceKeychain,
        system: AppServices(runtime: self, app: app, sender: .broker)),
      version: device.brokerVersion ?? "")
  }

  var deviceKeychain: DeviceKeychain {
    DeviceKeychain(transaction.credentials, of: device, now: transaction.now, trace)
  }

  /// Removes an account from the broker.
  func forget(_ held: BrokerAccount) throws {
    try transaction.store.delete(.brokerAccount, device.id + "/" + held.homeAccountID)
    trace.add(.system, .broker, "remove account \(held.username)", result: "done")
  }
}

// MARK: - Faults of the brokered call

extension DeviceRuntime {
  /// Removes and returns the fault that was injected for this call, or `nil` if no fault was injected.
  func takeInjectedFault(of app: InstalledApp) throws -> InjectedFault? {
    let key = InjectedFault.key(of: app, on: device)
    guard let fault = try transaction.store.read(InjectedFault.self, .injectedFault, key) else { return nil }
    try transaction.store.delete(.injectedFault, key)
    trace.add(
      .person, .system, actor: app.bundleID, "disturbance: \(fault.rawValue)", result: fault.displayText)
    return fault
  }

  /// Applies the fault to the app's storage while the broker is active.
  func apply(_ fault: InjectedFault, toStorageOf app: InstalledApp) throws {
    let defaults = defaults(of: app)
    switch fault {
    case .defaultsCleared: try defaults.setResumeState(nil)
    case .resumeStateDamaged:
      guard var state = try defaults.resumeState() else { return }
      state.values["redirect_uri"] = nil
      try defaults.setResumeState(state)
    case .keyLost, .keyReplaced:
      let query = KeychainQuery(
        accessGroups: app.entitledGroups, itemClass: .key, service: BrokerKeys.keyTag)
      for var item in try transaction.credentials.items(matching: query) {
        guard fault == .keyReplaced else {
          try transaction.credentials.delete(item.key)
          continue
        }
        item.data = Data(transaction.random.bytes(32))
        item.modifiedAt = transaction.now
        _ = try transaction.credentials.update(item)
      }
    default: break
    }
  }

  /// Makes a second interactive call while the first waits for the broker.
  func callAgain(_ app: InstalledApp) throws {
    var context = context(of: app)
    context.isBusy = true
    let request = SDKRequest(prompt: .selectAccount, correlationID: transaction.random.upperUUID())
    do {
      _ = try context.sdk.acquireInteractively(request)
    } catch let error as SDKError {
      trace.add(app.sdk.party, .app, actor: app.bundleID, "error of the second call", result: error.printed)
    }
  }
}

extension InjectedFault {
  /// Returns the key of the fault's document; each app of a device has its own.
  static func key(of app: InstalledApp, on device: Device) -> String { device.id + "/" + app.bundleID }
}

/// `openURL` as the system performs it (claims B1, B3, D6; docs/behaviour/broker.md §2, §9).
extension DeviceRuntime {
  /// Sends an app's request to the broker.
  ///
  /// The system reports the caller's bundle ID to the broker, and delivers the response to the app that
  /// registered its scheme.
  func open(_ url: String, from app: InstalledApp, by call: BrokerCall) throws -> BrokerReturn {
    guard call == .url else {
      if call == .ssoExtension, try takeInjectedFault(of: app) == .extensionNotHandled {
        throw ExtensionNotHandled()
      }
      return .returned(try broker(for: app).answerCall(url, from: app, by: call))
    }
    guard try launchBroker(for: url, from: app) else { return .empty(late: nil) }
    let fault = try takeInjectedFault(of: app)
    switch fault {
    case .personReturns: return .empty(late: nil)
    case .secondCall: try callAgain(app)
    default: break
    }
    let broker = broker(for: app)
    guard let answer = try broker.answer(fault?.change(request: url) ?? url, from: app) else {
      return .empty(late: nil)
    }
    try fault.map { try apply($0, toStorageOf: app) }
    let delivery = try deliver(fault?.change(answer: answer) ?? answer, sender: brokerBundleID)
    let own = delivery?.receiver == app.bundleID ? delivery?.delivery : nil
    return switch fault {
    case .lateURL: .empty(late: own)
    case .appKilled: .restarted(own)
    default: own.map(BrokerReturn.delivered) ?? .empty(late: nil)
    }
  }

  /// Returns whether the URL launched the broker.
  func launchBroker(for url: String, from app: InstalledApp) throws -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let handlers = device.handlers(of: scheme, installed: installed)
    let serves = device.brokerManagement?.serves(app.bundleID) ?? true
    trace.add(
      .system, .system, actor: app.bundleID, "openURL \(scheme)",
      result: handlers.first ?? "no app registers it",
      checks: device.canOpen(scheme: scheme, askedBy: app, installed: installed))
    return handlers.contains(brokerBundleID) && serves
  }

  /// Delivers a URL to the first app that registered its scheme (claim B3), which forwards it to the SDK or
  /// not (claim D6).
  ///
  /// iOS does not define which app is first; here it is the first bundle ID in alphabetical order.
  ///
  /// - Returns: The receiver, and the delivery to the SDK, or `nil` if no app received the URL.
  func deliver(_ url: String, sender: String) throws -> (receiver: String, delivery: URLDelivery?)? {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let owners = device.handlers(of: scheme, installed: installed)
    let meant = installed.first {
      !$0.redirectURI.isEmpty && url.lowercased().hasPrefix($0.redirectURI.lowercased())
    }
    let unique = Check(
      "one app registers \(scheme)", expected: meant?.bundleID ?? "one app",
      found: owners.isEmpty ? "none" : owners.joined(separator: ", "), owners.count == 1, source: "claim B3",
      failure: owners.isEmpty ? "no app registers \(scheme)" : "several apps register \(scheme)")
    guard let receiver = installed.first(where: { $0.bundleID == owners.first }) else {
      trace.add(.system, .system, "openURL \(scheme)", result: "no app registers it", checks: [unique])
      return nil
    }
    if let meant, meant.bundleID != receiver.bundleID {
      try showMisdelivery(url, to: receiver, insteadOf: meant, unique)
      return (receiver.bundleID, nil)
    }
    let forwarding = URLForwarding.check(of: receiver)
    trace.add(
      .system, .app, actor: receiver.bundleID, "openURL \(url.prefix { $0 != "?" })",
      result: forwarding.verdict == .passed
        ? "handed to \(receiver.bundleID)" : "\(receiver.bundleID) does not forward it",
      checks: [unique, forwarding])
    guard forwarding.verdict == .passed else { return (receiver.bundleID, nil) }
    let team = installed.first { $0.bundleID == sender }?.teamID ?? device.platform.brokerTeamID
    let source = device.reportsSource(team: team, to: receiver.teamID) ? sender : nil
    return (receiver.bundleID, URLDelivery(url: url, sourceApplication: source))
  }

  /// Records that the wrong app received the response.
  ///
  /// It sees a ciphertext, and looks for a key in every keychain group that it may read (claim B3).
  private func showMisdelivery(
    _ url: String, to receiver: InstalledApp, insteadOf owner: InstalledApp, _ unique: Check
  )
    throws
  {
    let fields = URLParts(url)?.fields ?? []
    let seen = fields.map { field in
      field.name == "response" ? NameValue(field.name, field.value.prefix(32) + "… (ciphertext)") : field
    }
    trace.add(
      .system, .app, actor: receiver.bundleID, "openURL \(url.prefix { $0 != "?" })",
      result: "handed to \(receiver.bundleID), not to \(owner.bundleID)", sent: seen, checks: [unique])
    let key = try keychain(of: receiver).items(
      matching: KeychainQuery(itemClass: .key, service: BrokerKeys.keyTag), what: "broker key")
    let sharedGroups = Set(owner.entitledGroups).intersection(receiver.entitledGroups)
    let check = Check(
      "the receiver holds the key of the answer", expected: "the broker key of \(owner.bundleID)",
      found: key.isEmpty ? "none" : sharedGroups.isEmpty ? "only its own key" : "a key of the same group",
      !key.isEmpty && !sharedGroups.isEmpty, source: "claim B3",
      failure: "the receiver does not hold the key of the answer")
    let isPlain = fields["response"] == nil
    trace.add(
      .app, .app, actor: receiver.bundleID, "read the answer",
      result: isPlain ? "an error in plain text" : "only a ciphertext", checks: [check])
  }
}

/// The system's services for one app, or for the broker while it serves that app.
struct AppServices: SystemServices {
  let runtime: DeviceRuntime
  let app: InstalledApp
  /// The sender of requests: the SDK or the broker.
  let sender: Party

  private var transaction: IntentTransaction { runtime.transaction }

  func send(_ request: HTTPRequest) throws -> HTTPResponse {
    try transaction.provider(sender, actor: app.bundleID).respond(to: request).received
  }

  func browse(_ request: HTTPRequest, in browser: WebBrowser) throws -> WebResult {
    switch browser {
    case .ofApp: try browseInApp(request)
    case .ofBroker(let token):
      try session(sender, presenting: token.map { [NameValue(SSOSessions.primaryRefreshTokenCookie, $0)] })
        .browse(request.shown(by: runtime.device.userAgent(inOwnView: true)), jar: "broker")
    case .ofSystem: try browseWithCertificate(request)
    }
  }

  /// Shows the system alert that iOS requires before a page that shares the browser's cookies, then the page.
  ///
  /// SFSafariViewController cannot detect where the page ends. The system opens that URL, and the app's
  /// delegate forwards it to the SDK (`CC/webview/systemWebview/session/MSIDSafariViewController.m`).
  private func browseInApp(_ request: HTTPRequest) throws -> WebResult {
    let device = runtime.device
    if device.asksBeforePage(of: app) {
      let alert = Prompt.systemAlert(
        SystemAlert(of: app, for: URLParts(request.origin)?.authority ?? ""))
      let answer = try transaction.ask(alert)
      runtime.trace.add(.person, .system, actor: app.bundleID, alert.displayText, result: answer.displayText)
      guard answer == .accept else { return .cancelled(page: nil) }
    }
    let isEmbedded = device.webView(of: app) == .embedded
    let browser = isEmbedded ? app.bundleID : device.platform.browserBundleID
    let request = transaction.withoutExplicitPrompt(request, of: browser)
      .shown(by: device.userAgent(inOwnView: isEmbedded))
    let credentials = try transaction.extensionCredentials(of: browser, for: request)
    let result = try session(sender, presenting: credentials)
      .browse(request, jar: device.cookieJar(of: app))
    if case .redirected = result, !isEmbedded, app.isActivityExported == false, device.platform == .android {
      noteHiddenActivity()
      return .cancelled(page: nil)
    }
    guard device.webView(of: app) == .safariView, case .redirected(let url) = result,
      url.lowercased().hasPrefix(app.redirectURI.lowercased())
    else { return result }
    let opened = try runtime.deliver(url, sender: "com.apple.SafariViewService")
    guard opened?.receiver == app.bundleID, let delivery = opened?.delivery else {
      return .cancelled(page: nil)
    }
    return .redirected(delivery.url)
  }

  /// Records that the browser cannot open the app's activity, so that the user closes the page (android.md §1(2)).
  private func noteHiddenActivity() {
    runtime.trace.add(
      .system, .app, actor: app.bundleID, "the browser opens \(app.redirectURI)", result: "not opened",
      checks: [
        Check(
          "the browser may open BrowserTabActivity", expected: "android:exported=\"true\"",
          found: "android:exported=\"false\"", false, source: "android.md §1",
          remedy: Remedy(.app, app.bundleID, "isActivityExported=yes"),
          failure: "its BrowserTabActivity is not exported, so the browser cannot open it")
      ])
  }

  private func session(_ caller: Party, presenting credentials: [NameValue]? = nil) -> WebSession {
    WebSession(transaction, by: caller, actor: app.bundleID, presenting: credentials ?? [])
  }

  /// Shows the page in the system browser, with its cookies and the certificate that the user presents.
  private func browseWithCertificate(_ request: HTTPRequest) throws -> WebResult {
    let hint = request.query["login_hint"]?.lowercased()
    let certificates = runtime.device.certificates
    let shown = certificates.first { $0.username.lowercased() == hint } ?? certificates.first
    runtime.trace.add(
      .system, .provider, actor: app.bundleID, "TLS with a client certificate",
      result: shown.map { "the certificate of \($0.username)" } ?? "no certificate on this device")
    return try session(
      .system, presenting: shown.map { [NameValue(Provider.certificateCookie, $0.thumbprint)] }
    ).browse(
      request.shown(by: runtime.device.userAgent(inOwnView: false)), jar: runtime.device.browserJar)
  }

  func open(_ url: String, by call: BrokerCall) throws -> BrokerReturn {
    try runtime.open(url, from: app, by: call)
  }

  func leaveOnPasteboard(_ text: String) throws {
    try transaction.store.write(text, .pasteboard, runtime.device.id + "/WPJ")
  }

  func deviceAccounts(knownTo bundleID: String?) throws -> [SDKAccount] {
    try transaction.reader.brokerAccounts().sdkAccounts(knownTo: bundleID)
  }

  func askBrokerSilently(_ request: String) throws -> [NameValue] {
    let call = runtime.device.brokerCall(for: app, isSilent: true) ?? .url
    return try runtime.broker(for: app).answerCall(request, from: app, by: call, isSilent: true)
  }

  func signOutOfBroker(homeAccountID: String, action: String, sent: [NameValue]) throws {
    let key = runtime.device.id + "/" + homeAccountID
    guard var account = try transaction.store.read(BrokerAccount.self, .brokerAccount, key) else { return }
    account.apps?.removeAll { $0 == app.bundleID }
    try transaction.store.write(account, .brokerAccount, key)
    runtime.trace.add(
      app.sdk.party, .broker, actor: app.bundleID, action,
      result: "the app no longer knows it; the broker keeps its sign-in", sent: sent)
  }

  func choose(_ picker: AccountPicker) throws -> PickedAccount? {
    switch try transaction.ask(.chooseAccount(picker)) {
    case .account(let id): .account(homeAccountID: id)
    case .useAnotherAccount: .another
    default: nil
    }
  }
}

extension DeviceKeychain {
  /// Creates the broker's own part of a device's keychain.
  init(_ store: any CredentialStore, of device: Device, now: Instant, _ trace: TraceRecorder) {
    let platform = device.platform
    let caller = KeychainCaller(
      bundleID: platform.brokerBundleID,
      entitledGroups: [platform.workplaceJoinGroup, platform.secondWorkplaceJoinGroup])
    self.init(
      keychain: Keychain(
        store: store, app: caller, now: now, trace: trace, isLocked: device.locksKeychain, party: .broker),
      now: now, platform: platform)
  }
}

extension [BrokerAccount] {
  /// Returns the accounts as an SDK lists them: all, or only those whose tokens the broker gave to an app.
  func sdkAccounts(knownTo bundleID: String?) -> [SDKAccount] {
    filter { account in bundleID.map { account.apps?.contains($0) == true } ?? true }.map {
      SDKAccount(
        identifier: $0.homeAccountID, username: $0.username, environment: PublicCloud.preferredCache)
    }
  }
}
