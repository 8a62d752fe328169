import Essentials
import SSOCore
import SSOKeychain
import SSOReference

/// The app's side of the broker protocol, the same for both SDKs: request, resume state, and response.
///
/// See docs/behaviour/broker.md §5–§9.
struct BrokerConversation {
  var context: AppContext
  /// The cache's full access group.
  var accessGroup: String
  var dialect: any BrokerDialect
  /// The mechanism by which the request reaches the broker.
  var call: BrokerCall

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

  var keys: BrokerKeys {
    BrokerKeys(context: context, accessGroup: dialect.storesKeyInGroup ? accessGroup : nil)
  }

  /// Sends a request to the broker and returns its reply.
  ///
  /// `values` are the SDK's own parameters; the caller, key, nonce, and versions are added here. `takeLate` receives a
  /// reply that arrives after the call has failed.
  /// - Throws: `BrokerFault`, and `ExtensionNotHandled` if the call goes to the SSO extension.
  func ask(_ values: [BrokerParameter: String], takeLate: (Reply) throws -> Void) throws -> Reply {
    let request = try request(values, isSilent: false)
    if isByURL {
      try context.defaults.setResumeState(ResumeState(request, keychainGroup: accessGroup, sdkName: sdkName))
    }
    let words = call.words(dialect)
    context.trace.add(
      context.app.sdk.party, .system, actor: context.app.bundleID, words.action, result: words.result,
      sent: shown(request, isSilent: false))
    let sent = context.trace.hops.count
    switch try context.system.open(request.url, by: call) {
    case .returned(let fields): return Reply(fields: fields, keychainGroup: accessGroup, isAwaited: true)
    case .delivered(let delivery):
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

  /// Sends a request that must not show anything, and returns the fields of the response.
  func askSilently(_ values: [BrokerParameter: String]) throws -> [NameValue] {
    let request = try request(values, isSilent: true)
    context.trace.add(
      context.app.sdk.party, .broker, actor: context.app.bundleID, call.silentAction,
      result: "no window is shown",
      sent: shown(request, isSilent: true))
    return try context.system.askBrokerSilently(request.url)
  }

  /// Returns a field of a request as an operation of the SSO extension has it, or `nil` if the operation does not have
  /// it.
  ///
  /// An operation has version 4 of the protocol (`MSIDBrokerOperationRequest.m`), and only the URL names capabilities
  /// (`MSIDBrokerTokenRequest.m`).
  private static func asOperation(_ field: NameValue) -> NameValue? {
    switch BrokerParameter(rawValue: field.name) {
    case .sdkBrokerCapabilities: nil
    case .messageProtocolVersion: NameValue(field.name, "4")
    default: field
    }
  }

  /// Returns the fields of a request as the platform's SDK names them.
  private func shown(_ request: BrokerRequest, isSilent: Bool) -> [NameValue] {
    switch call {
    case .boundService:
      AndroidBrokerRequest(request: request, app: context.app, isSilent: isSilent).fields
    case .webAccountManager: WindowsBrokerRequest(request: request, app: context.app).fields
    case .ssoExtension, .xpc:
      request.shown.compactMap(Self.asOperation)
        + [NameValue("request_sent_timestamp", context.now.fractionalTimestamp)]
    case .url: request.shown
    }
  }

  /// Returns the fault for an app that is active again without a URL that was handled.
  ///
  /// MSAL deletes the resume dictionary, so a later URL is rejected. ADAL keeps it, and caches the tokens of a later
  /// URL (broker.md §9).
  private func notReceived(since sent: Int) throws -> BrokerFault {
    if dialect.forgetsUnanswered { try context.defaults.setResumeState(nil) }
    // The check that kept the URL away. The provider's checks do not count, because they have their own response.
    let cause = context.trace.hops[sent...].filter { $0.to != .provider }.flatMap(\.checks)
      .last { $0.verdict == .failed }
    let check = Check(
      "the SDK receives a URL before the app is active",
      expected: context.app.redirectURI + "?response=…",
      found: "none", false, source: "broker.md §9",
      failure: "the app became active before the SDK received a URL")
    context.trace.add(
      .system, context.app.sdk.party, actor: context.app.bundleID, "DidBecomeActive",
      result: dialect.forgetsUnanswered ? "resume dictionary removed" : "the call ends", checks: [check])
    return .notReceived(by: context.app.sdk, check: cause ?? check)
  }

  func request(_ values: [BrokerParameter: String], isSilent: Bool = false) throws -> BrokerRequest {
    let app = context.app
    var values = values
    values[.authority] = values[.authority] ?? app.authority
    values[.clientID] = app.clientID
    values[.redirectURI] =
      call == .webAccountManager ? RedirectOwner.webAccountManager(clientID: app.clientID) : app.redirectURI
    values[.brokerKey] = hasKey ? Base64URL.encode(try keyForRequest(isSilent: isSilent)) : nil
    values[.brokerNonce] = hasNonce ? context.random.upperUUID() : nil
    values[.clientVersion] = app.sdkVersion
    values[.clientAppName] = app.displayName
    values[.clientAppVersion] = app.version
    if !app.clientCapabilities.isEmpty {
      values[.clientCapabilities] = app.clientCapabilities.joined(separator: ",")
    }
    values[.intuneEnrollmentIDs] = try context.defaults.enrollmentsParameter()
    values[.applicationToken] = !hasNonce ? nil : try keys.applicationToken(clientID: app.clientID)
    values[dialect.versionParameter] = dialect.version
    dialect.complete(&values, of: app)
    var request = try BrokerRequest(dialect, values, isByURL: isByURL)
    if !hasNonce { request.omitted = [.brokerNonce, .applicationToken] }
    if !hasKey { request.omitted.insert(.brokerKey) }
    return request
  }

  private func keyForRequest(isSilent: Bool) throws -> [UInt8] {
    do { return try keys.key() } catch let status as KeychainError {
      throw isByURL
        ? BrokerFault(.brokerKeyFailedToCreate, dialect.keyNotCreated(status))
        : BrokerFault.withoutKey(operation: isSilent ? "refresh" : "login")
    }
  }

  /// Whether the request and the response are URLs.
  ///
  /// Otherwise, the system relays them, so there is nothing to encrypt and nothing to remember (broker.md §2).
  private var isByURL: Bool { call == .url }

  /// Whether a key is sent: the response by URL is encrypted with it, and MSAL never calls the SSO extension
  /// without it (`jsonDictionary` in `CC/broker_operation/request/MSIDBrokerOperationRequest.m`).
  private var hasKey: Bool { [.url, .ssoExtension, .xpc].contains(call) }

  /// Whether a nonce and an application token are sent (broker.md §4).
  var hasNonce: Bool { isByURL && dialect.sendsNonce(context.app) }

  /// The SDK's name, or `nil` if its version does not identify itself (broker.md §5).
  var sdkName: String? { dialect.identifiesItself(context.app) ? dialect.sdkName : nil }
}

extension Instant {
  /// The seconds since 1970 with ten decimals (`msidDateToFractionalTimestamp:`).
  fileprivate var fractionalTimestamp: String {
    let fraction = String(1000 + milliseconds - Int64(seconds) * 1000).dropFirst()
    return "\(seconds).\(fraction)0000000"
  }
}

/// The checks of a response, in the SDK's order.
///
/// The first check that fails decides.
struct AnswerChecks {
  var all: [Check] = []

  /// Records the check of a step of docs/behaviour/broker.md §7, and throws if it fails.
  /// - Throws: `BrokerFault` with the code and text, if `holds` is false.
  mutating func require(
    _ name: String, expected: String, found: String, _ holds: Bool, _ code: IdentityCoreCode, _ text: String,
    step: Int, failure: String? = nil
  ) throws {
    let check = Check(
      name, expected: expected, found: found, holds, source: "broker.md §7(\(step))", failure: failure)
    all.append(check)
    guard holds else { throw BrokerFault(code, text, check: check) }
  }
}

/// The step-by-step checks of a response (docs/behaviour/broker.md §7), each of which is recorded.
extension BrokerConversation {
  /// Performs `handleMSALResponse:sourceApplication:`.
  ///
  /// `isAwaited` is true if a call of this process waits for the response.
  /// - Returns: The broker's fields, or `nil` if the URL is not for this SDK, so that the app's own code may handle it.
  /// - Throws: `BrokerFault`.
  func handle(_ delivery: URLDelivery, isAwaited: Bool) throws -> Reply? {
    var checks = AnswerChecks()
    var result = "accepted"
    defer {
      context.trace.add(
        .system, context.app.sdk.party, actor: context.app.bundleID,
        dialect.handlerName, result: result,
        sent: [NameValue("source application", delivery.sourceApplication ?? "nil")], checks: checks.all)
    }
    let query = URLParts(delivery.url)?.fields ?? []
    let resume = try context.defaults.resumeState()
    checks.all += ownership(query, resume, delivery, isAwaited: isAwaited)
    guard checks.all.allSatisfy({ $0.verdict != .failed }) else {
      result = "NO: not for this SDK"
      return nil
    }
    // From here on, the response is consumed, whether or not it is valid.
    try context.defaults.setResumeState(nil)
    do {
      var reply = try check(query, resume, delivery, &checks)
      reply.isAwaited = isAwaited
      if let token = reply.fields["application_token"], !token.isEmpty, reply.keychainGroup != nil {
        try keys.keep(applicationToken: token, clientID: context.app.clientID)
      }
      return reply
    } catch let fault as BrokerFault {
      result = "refused: \(fault.reason)"
      throw fault
    }
  }

  /// Returns the checks of steps 2 and 3, with which ADAL and MSAL in one app ignore each other's responses.
  private func ownership(
    _ query: [NameValue], _ resume: ResumeState?, _ delivery: URLDelivery, isAwaited: Bool
  ) -> [Check] {
    let brokers = [brokerBundleID, brokerBundleID + "-df"]
    let source = delivery.sourceApplication ?? ""
    let version = query["msg_protocol_ver"]
    let checks = [
      Check(
        "source application is the broker", expected: brokerBundleID + " or nil",
        found: source.isEmpty ? "nil" : source, source.isEmpty || brokers.contains(source),
        source: "broker.md §7(2)", failure: "the source application is not the broker"),
      Check(
        "msg_protocol_ver is \(dialect.version)", expected: dialect.version,
        found: version ?? "none", version == dialect.version, source: "broker.md §7(3)",
        failure: "msg_protocol_ver is not \(dialect.version)"),
      Check(
        "this SDK asked", expected: "resume dictionary of \(dialect.sdkName), or a call that waits",
        found: resume.map { "resume dictionary of \($0.values["sdk_name"] ?? "no SDK")" }
          ?? (isAwaited ? "a call that waits" : "neither"),
        resume.map { $0.values["sdk_name"] == sdkName } ?? isAwaited, source: "broker.md §7(3)",
        failure: "this SDK did not ask"),
    ]
    let failed = checks.firstIndex { $0.verdict == .failed } ?? checks.count - 1
    return Array(checks[...failed])
  }

  /// Performs steps 4 to 7.
  private func check(
    _ query: [NameValue], _ resume: ResumeState?, _ delivery: URLDelivery, _ checks: inout AnswerChecks
  ) throws -> Reply {
    try checks.require(
      "resume dictionary exists", expected: AppDefaults.resumeKey, found: resume == nil ? "none" : "found",
      resume != nil, .brokerNoResumeStateFound,
      dialect.noResumeState, step: 4, failure: "there is no resume dictionary")
    let resume = resume ?? ResumeState([:])
    let neededState = dialect.neededState(hasNonce: hasNonce)
    let missing = neededState.filter { resume.values[$0.key]?.isEmpty ?? true }
    try checks.require(
      "resume dictionary is complete", expected: neededState.map(\.key).joined(separator: ", "),
      found: missing.isEmpty ? "all" : "without \(missing.map(\.key).joined(separator: ", "))",
      missing.isEmpty,
      .brokerBadResumeStateFound,
      "Resume state is missing the \(missing.first?.value ?? "")!",
      step: 4, failure: "the resume dictionary is incomplete")
    try checks.require(
      "URL begins with the redirect URI", expected: resume.redirectURI,
      found: String(delivery.url.prefix { $0 != "?" }),
      delivery.url.lowercased().hasPrefix(resume.redirectURI.lowercased()), .brokerMismatchedResumeState,
      "URL not coming from the expected redirect URI!", step: 5,
      failure: "the URL does not begin with the redirect URI")
    var reply = Reply(fields: query, keychainGroup: resume.values["keychain_group"], isAwaited: true)
    let isPlain = dialect.sendsPlainFailures && query["error_description"] != nil
    if !isPlain { reply.fields = try decrypted(query["response"], hash: query["hash"], &checks) }
    if delivery.sourceApplication == nil, hasNonce {
      try checks.require(
        "nonce matches", expected: resume.nonce, found: reply.fields["broker_nonce"] ?? "none",
        resume.nonce == reply.fields["broker_nonce"], .brokerMismatchedResumeState,
        dialect.nonceMismatch, step: 7, failure: "the nonce differs")
    }
    if isPlain, let token = query["intune_mam_token"], let hash = query["intune_mam_token_hash"] {
      // An error in it is only logged.
      var unseen = AnswerChecks()
      reply.intuneFields = try? decrypted(token, hash: hash, &unseen)
    }
    return reply
  }

  static let notDecrypted = "Failed to decrypt broker message"

  /// Performs step 6.
  private func decrypted(
    _ response: String?, hash: String?, _ checks: inout AnswerChecks
  ) throws -> [NameValue] {
    let key = dialect.getsKeyFirst ? try requireKey(&checks) : nil
    try checks.require(
      "hash present", expected: "64 hexadecimal digits", found: hash ?? "none", hash?.isEmpty == false,
      .brokerResponseHashMissing, "Key hash is missing from the broker response", step: 6,
      failure: "the hash is missing")
    let keyNow = try key ?? requireKey(&checks)
    let ciphertext = response.flatMap(Self.base64)
    try checks.require(
      "response is base64", expected: "base64 or base64url",
      found: ciphertext == nil ? "not base64" : "base64", ciphertext != nil, .brokerCorruptedResponse,
      dialect.notBase64, step: 6, failure: "the response is not base64")
    let plaintext = try? BrokerCrypto.decrypt(Data(ciphertext ?? []), key: keyNow)
    let text = plaintext.flatMap { String(bytes: $0, encoding: .utf8) }
    try checks.require(
      "response decrypts", expected: "AES-256-CBC with the broker key, UTF-8",
      found: text == nil ? "another key or damaged" : "decrypted", text != nil,
      .brokerResponseDecryptionFailed,
      plaintext == nil ? Self.notDecrypted : "Failed to initialize decrypted string",
      step: 6, failure: "the response does not decrypt")
    let found = BrokerCrypto.hash(plaintext ?? Data())
    try checks.require(
      "hash equals", expected: hash ?? "", found: found, hash == found, .brokerResponseHashMismatch,
      "Decrypted response does not match the hash", step: 6, failure: "the hash differs")
    return (FormEncoding.decode(text ?? "") ?? []).filter { $0.value != "(null)" }
  }

  /// Returns the key, which is created again if it was lost; the response then cannot be decrypted.
  private func requireKey(_ checks: inout AnswerChecks) throws -> [UInt8] {
    do {
      let key = try keys.key()
      try checks.require(
        "broker key found", expected: "32 bytes, or a new key", found: "\(key.count) bytes", true,
        .brokerKeyNotFound, "", step: 6)
      return key
    } catch let status as KeychainError {
      try checks.require(
        "broker key found", expected: "32 bytes, or a new key", found: "\(status.name) (\(status.number))",
        false, .brokerKeyNotFound, dialect.keyNotFound(status), step: 6,
        failure: "the broker key was not found")
      return []
    }
  }

  /// Decodes base64 in either alphabet, with or without padding.
  private static func base64(_ text: String) -> [UInt8]? {
    let bare = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return bare.isEmpty ? nil : Base64URL.decode(bare)
  }
}

/// The dictionary that the SDK leaves in the app's defaults while the broker is in front.
///
/// It is stored under `adal-broker-resume-dictionary`, so that even the next process can handle a response
/// (docs/behaviour/broker.md §5). MSAL and ADAL use the same key.
package struct ResumeState: Hashable {
  package var values: [String: String]

  init(_ values: [String: String]) { self.values = values }

  init(_ request: BrokerRequest, keychainGroup: String, sdkName: String?) {
    values = [
      "authority": request.authority, "client_id": request.clientID, "redirect_uri": request.redirectURI,
      "correlation_id": request.correlationID, "keychain_group": keychainGroup,
    ]
    values["broker_nonce"] = request.values[.brokerNonce]
    values["sdk_name"] = sdkName
    for (name, value) in request.dialect.resumeValues(of: request) { values[name] = value }
  }

  var redirectURI: String { values["redirect_uri"] ?? "" }
  var nonce: String { values["broker_nonce"] ?? "" }
  var scopes: [String] { (values["scope"] ?? "").split(separator: " ").map(String.init) }
  var correlationID: String { values["correlation_id"] ?? "" }
}

/// The SDK's items for the broker in the app's keychain: the response key and the application token.
///
/// See docs/behaviour/broker.md §6.
package struct BrokerKeys {
  /// `kSecAttrApplicationTag`, which ends with a NUL.
  package static let keyTag = "com.microsoft.adBrokerKey\0"

  var context: AppContext
  /// The cache's full access group, or `nil` for ADAL, which writes its key to the first entitled group.
  var accessGroup: String?

  /// Returns the key of 32 bytes for every request and every response.
  ///
  /// It is looked up in the group, and then in every group that the app is entitled to; a lost key is created again.
  /// - Throws: `KeychainError` if it cannot be created.
  func key() throws -> [UInt8] {
    do {
      if let found = try read(Self.keyTag, "broker key") { return [UInt8](found) }
    } catch is KeychainError {}
    let key = context.random.bytes(32)
    try write(Data(key), tag: Self.keyTag, "broker key")
    return key
  }

  func applicationToken(clientID: String) throws -> String? {
    try read(Self.tokenTag(clientID), "application token").flatMap { String(bytes: $0, encoding: .utf8) }
  }

  /// Stores the application token; a failure is only logged (-51812).
  func keep(applicationToken: String, clientID: String) throws {
    do {
      try write(Data(applicationToken.utf8), tag: Self.tokenTag(clientID), "application token")
    } catch let status as KeychainError {
      context.trace.add(
        context.app.sdk.party, .app, actor: context.app.bundleID, "log",
        result: "Failed to write broker application token. \(status.name) (\(status.number))")
    }
  }

  static func tokenTag(_ clientID: String) -> String { "com.microsoft.adBrokerAppToken-" + clientID }

  private func read(_ tag: String, _ what: String) throws -> Data? {
    let inGroup = KeychainQuery(
      accessGroups: accessGroup.map { [$0] } ?? [], itemClass: .key, service: tag)
    if let found = try context.keychain.items(matching: inGroup, what: what).first { return found.data }
    guard accessGroup != nil else { return nil }
    let anywhere = KeychainQuery(itemClass: .key, service: tag)
    return try context.keychain.items(matching: anywhere, what: what + " in any group").first?.data
  }

  private func write(_ data: Data, tag: String, _ what: String) throws {
    let group = accessGroup ?? context.app.entitledGroups.first ?? ""
    try context.keychain.set(
      KeychainItem(
        key: KeychainKey(accessGroup: group, itemClass: .key, account: "", service: tag), data: data,
        createdAt: context.now, modifiedAt: context.now), what: what)
  }
}
