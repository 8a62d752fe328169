import Foundation

/// An answer is judged step by step, in the SDK's order (docs/behaviour/broker.md §7). Each check is recorded; the first that fails decides.
extension BrokerConversation {
  /// `handleMSALResponse:sourceApplication:`.
  /// - Parameter isAwaited: a call of this process waits for the answer.
  /// - Returns: the broker's fields; nil if the URL is none of this SDK's business, so that the app's own code may have it.
  /// - Throws: `BrokerFault`.
  func handle(_ delivery: URLDelivery, isAwaited: Bool) throws -> [NameValue]? {
    var checks: [Check] = []
    var result = "accepted"
    defer {
      context.trace.add(
        .system, .sdk, actor: context.app.bundleID,
        dialect == .msal ? "handleMSALResponse" : "handleADALResponse", result: result,
        sent: [NameValue("source application", delivery.sourceApplication ?? "nil")], checks: checks)
    }
    let query = URLParts(delivery.url)?.fields ?? []
    let resume = try context.defaults.resumeState()
    checks += ownership(query, resume, delivery, isAwaited: isAwaited)
    guard checks.allSatisfy({ $0.verdict != .failed }) else {
      result = "NO: not for this SDK"
      return nil
    }
    // From here on the answer is used up, valid or not.
    try context.defaults.setResumeState(nil)
    do {
      let fields = try judge(query, resume, delivery, &checks)
      if let token = fields["application_token"], !token.isEmpty {
        try keys.keep(applicationToken: token, clientID: context.app.clientID)
      }
      return fields
    } catch let fault as BrokerFault {
      result = "refused: \(fault.reason)"
      throw fault
    }
  }

  /// Steps 2 and 3: ADAL and MSAL in one app leave each other's answers alone.
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
        found: resume.map { "resume dictionary of \($0.values["sdk_name"] ?? "nobody")" }
          ?? (isAwaited ? "a call that waits" : "neither"),
        resume.map { $0.values["sdk_name"] == sdkName } ?? isAwaited, source: "broker.md §7(3)"),
    ]
    let failed = checks.firstIndex { $0.verdict == .failed } ?? checks.count - 1
    return Array(checks[...failed])
  }

  /// Steps 4 to 7.
  private func judge(
    _ query: [NameValue], _ resume: ResumeState?, _ delivery: URLDelivery, _ checks: inout [Check]
  ) throws -> [NameValue] {
    func require(
      _ name: String, expected: String, found: String, _ holds: Bool, _ code: IdentityCoreCode,
      _ text: String,
      step: Int
    ) throws {
      let check = Check(name, expected: expected, found: found, holds, source: "broker.md §7(\(step))")
      checks.append(check)
      guard holds else { throw BrokerFault(code, text, check: check) }
    }
    try require(
      "resume dictionary exists", expected: AppDefaults.resumeKey, found: resume == nil ? "none" : "found",
      resume != nil, .brokerNoResumeStateFound, "No resume state found in NSUserDefaults", step: 4)
    let resume = resume ?? ResumeState([:])
    let needed = ResumeState.needed.filter { hasNonce || $0 != "broker_nonce" }
    let missing = resume.missing(of: needed)
    try require(
      "resume dictionary is whole", expected: needed.joined(separator: ", "),
      found: missing.isEmpty ? "all" : "without \(missing.joined(separator: ", "))", missing.isEmpty,
      .brokerBadResumeStateFound, "Resume state is missing the \(missing.first ?? "")!", step: 4)
    try require(
      "URL begins with the redirect URI", expected: resume.redirectURI,
      found: String(delivery.url.prefix { $0 != "?" }),
      delivery.url.lowercased().hasPrefix(resume.redirectURI.lowercased()), .brokerMismatchedResumeState,
      "URL not coming from the expected redirect URI!", step: 5)
    var fields = query
    if dialect == .msal || query["error_description"] == nil {
      let plaintext = try decrypted(query, require)
      fields = FormEncoding.decode(String(bytes: plaintext, encoding: .utf8) ?? "") ?? []
      fields.removeAll { $0.value == "(null)" }
    }
    if delivery.sourceApplication == nil, hasNonce {
      try require(
        "nonce matches", expected: resume.nonce, found: fields["broker_nonce"] ?? "none",
        resume.nonce == fields["broker_nonce"], .brokerMismatchedResumeState,
        dialect == .msal ? "Broker nonce mismatch!" : "Nonce in broker response does not match!", step: 7)
    }
    return fields
  }

  /// Step 6.
  private func decrypted(
    _ query: [NameValue],
    _ require: (String, String, String, Bool, IdentityCoreCode, String, Int) throws -> Void
  ) throws -> Data {
    let key = try storedKey()
    try require(
      "broker key found", "32 bytes in \(accessGroup)", key == nil ? "none" : "found", key != nil,
      .brokerKeyNotFound, "Broker key not found", 6)
    try require(
      "hash present", "64 hexadecimal digits", query["hash"] ?? "none", query["hash"]?.isEmpty == false,
      .brokerResponseHashMissing, "Key hash is missing from the broker response", 6)
    let ciphertext = query["response"].flatMap(Self.base64)
    try require(
      "response is base64", "base64 or base64url", ciphertext == nil ? "something else" : "base64",
      ciphertext != nil, .brokerCorruptedResponse, "Broker response is corrupted", 6)
    let plaintext = try? BrokerCrypto.decrypt(Data(ciphertext ?? []), key: key ?? [])
    try require(
      "response decrypts", "AES-256-CBC with the broker key",
      plaintext == nil ? "another key or damaged" : "decrypted", plaintext != nil,
      .brokerResponseDecryptionFailed,
      "Broker response decryption failed", 6)
    let hash = BrokerCrypto.hash(plaintext ?? Data())
    try require(
      "hash equals", query["hash"] ?? "", hash, query["hash"] == hash, .brokerResponseHashMismatch,
      "Decrypted response does not match the hash", 6)
    return plaintext ?? Data()
  }

  /// The keychain's refusal is as good as no key.
  private func storedKey() throws -> [UInt8]? {
    do { return try keys.key() } catch is KeychainError { return nil }
  }

  /// Both alphabets, with or without padding.
  private static func base64(_ text: String) -> [UInt8]? {
    let bare = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return bare.isEmpty ? nil : Base64URL.decode(bare)
  }
}
