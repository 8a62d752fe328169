import Essentials

/// The checks of a response, in the SDK's order.
///
/// The first check that fails decides.
struct AnswerChecks {
  var all: [Check] = []

  /// Records the check of a step of docs/behaviour/broker.md §7, and throws if it fails.
  /// - Throws: `BrokerFault` with the code and text, if `holds` is false.
  mutating func require(
    _ name: String, expected: String, found: String, _ holds: Bool, _ code: IdentityCoreCode, _ text: String,
    step: Int
  ) throws {
    let check = Check(name, expected: expected, found: found, holds, source: "broker.md §7(\(step))")
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
        .system, .sdk, actor: context.app.bundleID,
        dialect == .msal ? "handleMSALResponse" : "handleADALResponse", result: result,
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
      var reply = try judge(query, resume, delivery, &checks)
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
        source: "broker.md §7(2)"),
      Check(
        "msg_protocol_ver is \(dialect.answerVersion)", expected: dialect.answerVersion,
        found: version ?? "none", version == dialect.answerVersion, source: "broker.md §7(3)"),
      Check(
        "this SDK asked", expected: "resume dictionary of \(dialect.sdkName), or a call that waits",
        found: resume.map { "resume dictionary of \($0.values["sdk_name"] ?? "no SDK")" }
          ?? (isAwaited ? "a call that waits" : "neither"),
        resume.map { $0.values["sdk_name"] == sdkName } ?? isAwaited, source: "broker.md §7(3)"),
    ]
    let failed = checks.firstIndex { $0.verdict == .failed } ?? checks.count - 1
    return Array(checks[...failed])
  }

  /// Performs steps 4 to 7.
  private func judge(
    _ query: [NameValue], _ resume: ResumeState?, _ delivery: URLDelivery, _ checks: inout AnswerChecks
  ) throws -> Reply {
    try checks.require(
      "resume dictionary exists", expected: AppDefaults.resumeKey, found: resume == nil ? "none" : "found",
      resume != nil, .brokerNoResumeStateFound,
      "No \(dialect == .msal ? "broker " : "")resume state found in NSUserDefaults", step: 4)
    let resume = resume ?? ResumeState([:])
    let missing = resume.missing(of: neededState)
    try checks.require(
      "resume dictionary is complete", expected: neededState.joined(separator: ", "),
      found: missing.isEmpty ? "all" : "without \(missing.joined(separator: ", "))", missing.isEmpty,
      .brokerBadResumeStateFound, "Resume state is missing the \(words(forState: missing.first ?? ""))!",
      step: 4)
    try checks.require(
      "URL begins with the redirect URI", expected: resume.redirectURI,
      found: String(delivery.url.prefix { $0 != "?" }),
      delivery.url.lowercased().hasPrefix(resume.redirectURI.lowercased()), .brokerMismatchedResumeState,
      "URL not coming from the expected redirect URI!", step: 5)
    var reply = Reply(fields: query, keychainGroup: resume.values["keychain_group"], isAwaited: true)
    let isPlain = dialect == .adal && query["error_description"] != nil
    if !isPlain { reply.fields = try decrypted(query["response"], hash: query["hash"], &checks) }
    if delivery.sourceApplication == nil, hasNonce {
      try checks.require(
        "nonce matches", expected: resume.nonce, found: reply.fields["broker_nonce"] ?? "none",
        resume.nonce == reply.fields["broker_nonce"], .brokerMismatchedResumeState,
        dialect == .msal ? "Broker nonce mismatch!" : "Nonce in broker response does not match!", step: 7)
    }
    if isPlain, let token = query["intune_mam_token"], let hash = query["intune_mam_token_hash"] {
      // An error in it is only logged.
      var unseen = AnswerChecks()
      reply.intuneFields = try? decrypted(token, hash: hash, &unseen)
    }
    return reply
  }

  /// The keys that the resume dictionary must contain, in the order in which they are checked.
  ///
  /// ADAL does not require the keychain group.
  private var neededState: [String] {
    switch dialect {
    case .msal: ["redirect_uri", "broker_nonce", "keychain_group"]
    case .adal: hasNonce ? ["broker_nonce", "redirect_uri"] : ["redirect_uri"]
    }
  }

  private func words(forState name: String) -> String {
    dialect == .adal && name == "broker_nonce" ? "nonce" : name.replacing("_", with: " ")
  }

  /// Performs step 6.
  private func decrypted(
    _ response: String?, hash: String?, _ checks: inout AnswerChecks
  ) throws -> [NameValue] {
    // MSAL gets its key first; ADAL gets it only when it decrypts.
    let key = dialect == .msal ? try requireKey(&checks) : nil
    try checks.require(
      "hash present", expected: "64 hexadecimal digits", found: hash ?? "none", hash?.isEmpty == false,
      .brokerResponseHashMissing, "Key hash is missing from the broker response", step: 6)
    let keyNow = try key ?? requireKey(&checks)
    let ciphertext = response.flatMap(Self.base64)
    let failure = "Failed to decrypt broker message"
    try checks.require(
      "response is base64", expected: "base64 or base64url",
      found: ciphertext == nil ? "not base64" : "base64", ciphertext != nil, .brokerCorruptedResponse,
      dialect == .msal ? "Encrypted response missing from broker response" : failure, step: 6)
    let plaintext = try? BrokerCrypto.decrypt(Data(ciphertext ?? []), key: keyNow)
    let text = plaintext.flatMap { String(bytes: $0, encoding: .utf8) }
    try checks.require(
      "response decrypts", expected: "AES-256-CBC with the broker key, UTF-8",
      found: text == nil ? "another key or damaged" : "decrypted", text != nil,
      .brokerResponseDecryptionFailed, plaintext == nil ? failure : "Failed to initialize decrypted string",
      step: 6)
    let found = BrokerCrypto.hash(plaintext ?? Data())
    try checks.require(
      "hash equals", expected: hash ?? "", found: found, hash == found, .brokerResponseHashMismatch,
      "Decrypted response does not match the hash", step: 6)
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
      let made = "Could not write broker key \(status.number)"
      try checks.require(
        "broker key found", expected: "32 bytes, or a new key", found: "\(status.name) (\(status.number))",
        false,
        .brokerKeyNotFound,
        dialect == .adal
          ? "Failed to decrypt broker message"
          : "Couldn't find broker key with error Error Domain=MSIDErrorDomain "
            + "Code=\(IdentityCoreCode.brokerKeyFailedToCreate.number) \"(null)\" "
            + "UserInfo={MSIDErrorDescriptionKey=\(made)}", step: 6)
      return []
    }
  }

  /// Decodes base64 in either alphabet, with or without padding.
  private static func base64(_ text: String) -> [UInt8]? {
    let bare = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return bare.isEmpty ? nil : Base64URL.decode(bare)
  }
}
