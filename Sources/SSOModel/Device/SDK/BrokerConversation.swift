/// The app's side of the broker protocol, the same for both SDKs: request, resume state, and response.
///
/// See docs/behaviour/broker.md §5–§9.
struct BrokerConversation {
  var context: AppContext
  /// The cache's full access group.
  var accessGroup: String
  var dialect: BrokerDialect

  /// The broker's response, which may be a failure.
  struct Reply: Hashable {
    var fields: [NameValue]
    /// The token for Intune that accompanies a failure (docs/behaviour/broker.md §8(9)).
    var intuneFields: [NameValue]?
    /// The keychain group in which the request asked to store the tokens, or `nil` if they are not saved.
    var keychainGroup: String?
    /// Whether a call waits for the reply, which is false if the app was terminated in between.
    var isAwaited: Bool
  }

  var keys: BrokerKeys { BrokerKeys(context: context, accessGroup: dialect == .msal ? accessGroup : nil) }

  /// Sends a request to the broker and returns its reply.
  ///
  /// `values` are the SDK's own parameters; the caller, key, nonce, and versions are added here. `takeLate` receives a
  /// reply that arrives after the call has failed.
  /// - Throws: `BrokerFault`.
  func ask(_ values: [BrokerParameter: String], takeLate: (Reply) throws -> Void) throws -> Reply {
    let request = try request(values)
    if isByURL {
      try context.defaults.setResumeState(ResumeState(request, keychainGroup: accessGroup, sdkName: sdkName))
    }
    let words = (context.device.platform.brokerCall ?? .url).words(dialect)
    context.trace.add(
      .sdk, .system, actor: context.app.bundleID, words.action, result: words.result, sent: request.shown)
    let sent = context.trace.hops.count
    switch try context.system.open(request.url) {
    case .returned(let fields): return Reply(fields: fields, keychainGroup: accessGroup, isAwaited: true)
    case .handed(let delivery):
      guard let reply = try handle(delivery, isAwaited: true) else { throw try notReceived(since: sent) }
      return reply
    case .empty(let late):
      let fault = try notReceived(since: sent)
      do {
        if let late, let reply = try handle(late, isAwaited: false) { try takeLate(reply) }
      } catch is BrokerFault {}
      throw fault
    case .restarted(let delivery):
      try context.process.change { $0 = AppProcess() }
      guard let delivery, let reply = try handle(delivery, isAwaited: false) else {
        throw try notReceived(since: sent)
      }
      return reply
    }
  }

  /// Returns the fault for an app that is active again without a URL that was handled.
  ///
  /// MSAL deletes the resume dictionary, so a later URL is rejected. ADAL keeps it, and caches the tokens of a later
  /// URL (broker.md §9).
  private func notReceived(since sent: Int) throws -> BrokerFault {
    if dialect == .msal { try context.defaults.setResumeState(nil) }
    // The check that kept the URL away. The provider's checks do not count, because they have their own response.
    let cause = context.trace.hops[sent...].filter { $0.to != .provider }.flatMap(\.checks)
      .last { $0.verdict == .failed }
    let check = Check(
      "the SDK receives a URL before the app is active",
      expected: context.app.redirectURI + "?response=…",
      found: "none", false, source: "broker.md §9")
    context.trace.add(
      .system, .sdk, actor: context.app.bundleID, "DidBecomeActive",
      result: dialect == .msal ? "resume dictionary removed" : "the call ends", checks: [check])
    return .notReceived(by: context.app.sdk, check: cause ?? check)
  }

  func request(_ values: [BrokerParameter: String]) throws -> BrokerRequest {
    let app = context.app
    var values = values
    values[.authority] = values[.authority] ?? app.authority
    values[.clientID] = app.clientID
    values[.redirectURI] = app.redirectURI
    values[.brokerKey] = isByURL ? Base64URL.encode(try keyForRequest()) : nil
    values[.brokerNonce] = hasNonce ? context.random.upperUUID() : nil
    values[.clientVersion] = app.sdkVersion
    values[.clientAppName] = app.displayName
    values[.clientAppVersion] = app.version
    if !app.clientCapabilities.isEmpty {
      values[.clientCapabilities] = app.clientCapabilities.joined(separator: ",")
    }
    values[.intuneEnrollmentIDs] = try context.defaults.enrollmentsParameter()
    values[.applicationToken] = !hasNonce ? nil : try keys.applicationToken(clientID: app.clientID)
    switch dialect {
    case .msal:
      values[.clientSKU] = app.builtDefaults.sku
      values[.messageProtocolVersion] = dialect.answerVersion
      values[.sdkBrokerCapabilities] = "sso_extension"
      values[.skipValidateResultAccount] = values[.skipValidateResultAccount] ?? "NO"
    case .adal:
      values[.maximumProtocolVersion] = dialect.answerVersion
    }
    var request = try BrokerRequest(dialect, values, isByURL: isByURL)
    if !hasNonce { request.omitted = [.brokerNonce, .applicationToken] }
    if !isByURL { request.omitted.insert(.brokerKey) }
    return request
  }

  private func keyForRequest() throws -> [UInt8] {
    do { return try keys.key() } catch let status as KeychainError {
      throw BrokerFault(
        .brokerKeyFailedToCreate,
        dialect == .msal
          ? "Could not write broker key \(status.number)" : "Unable to retrieve broker key.")
    }
  }

  /// Whether the request and the response are URLs.
  ///
  /// Otherwise, the system carries them, so there is nothing to encrypt and nothing to remember (broker.md §2).
  private var isByURL: Bool { context.device.platform.brokerCall == .url }

  /// Whether a nonce and an application token are sent, unlike in ADAL before 2.7.14 and 4.0.2 (broker.md §4).
  var hasNonce: Bool { isByURL && (dialect == .msal || context.app.adalVersion.asksForNonceCapableBroker) }

  /// The SDK's name, or `nil` for ADAL before 2.7, which does not identify itself (broker.md §5).
  var sdkName: String? {
    dialect == .msal || context.app.adalVersion.isUnified ? dialect.sdkName : nil
  }
}
