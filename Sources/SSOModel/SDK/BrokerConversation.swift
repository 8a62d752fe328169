import Foundation

/// The app's side of the broker protocol: request, resume state, the checks of the answer in their order (fact sheet §5.5–5.9).
struct BrokerConversation {
  var around: AppSurroundings
  var accessGroup: String

  private static let keyTag = "com.microsoft.adBrokerKey\0"

  /// Asks the broker, and gives the fields of its answer.
  func ask(
    scopes: [String], correlationID: String, account: MSALAccount?, loginHint: String?, prompt: String?
  ) throws -> [SentField] {
    let request = BrokerRequest(
      app: around.app, scopes: scopes, correlationID: correlationID, key: try brokerKey(),
      nonce: around.chance.upperUUID(), homeAccountID: account?.identifier, username: account?.username,
      loginHint: loginHint, prompt: prompt)
    try around.defaults.setResumeState(resumeState(request))
    around.trace.add(
      .sdk, .system, actor: around.app.bundleID, "openURL \(BrokerRequest.scheme)://broker",
      result: "the app goes to the background", sent: request.shown)
    guard let delivery = try around.open(request.url) else {
      try around.defaults.setResumeState(nil)
      throw MSALError(
        code: -42700, "Application did not receive response from broker.", correlationID: correlationID)
    }
    around.trace.add(
      .system, .app, actor: around.app.bundleID, "openURL \(request.redirectURI)", result: "the app resumes",
      sent: [SentField("source application", delivery.sourceApplication ?? "nil (iOS 13 and later)")])
    return try read(delivery)
  }

  private func resumeState(_ request: BrokerRequest) -> [String: String] {
    [
      "authority": request.authority, "client_id": request.clientID, "redirect_uri": request.redirectURI,
      "correlation_id": request.correlationID, "keychain_group": accessGroup, "broker_nonce": request.nonce,
      "client_sku": "MSAL.iOS", "skip_validate_result_account": "NO",
      "scope": request.scopes.joined(separator: " "), "oidc_scope": "openid profile offline_access",
      "sdk_name": "msal-objc", "provided_authority_url": request.authority, "instance_aware": "NO",
    ]
  }

  /// The 32-byte key in the app's keychain; made once and used for every request (§5.6).
  private func brokerKey() throws -> [UInt8] {
    do {
      if let found = try storedKey() { return found }
      let key = around.chance.bytes(32)
      try around.keychain.set(
        KeychainItem(
          key: KeychainKey(accessGroup: accessGroup, itemClass: .key, account: "", service: Self.keyTag),
          data: Data(key), createdAt: around.now, modifiedAt: around.now))
      return key
    } catch let status as KeychainError {
      throw MSALError(code: -42708, "Could not write broker key \(status.rawValue)")
    }
  }

  private func storedKey() throws -> [UInt8]? {
    let query = KeychainQuery(accessGroups: [accessGroup], itemClass: .key, service: Self.keyTag)
    return try around.keychain.items(matching: query).first.map { [UInt8]($0.data) }
  }

  /// Checks 2 to 9 of §5.7. Each is recorded; the first that fails decides the error.
  private func read(_ delivery: URLDelivery) throws -> [SentField] {
    var checks: [Check] = []
    defer {
      around.trace.add(
        .sdk, .sdk, actor: around.app.bundleID, "handleMSALResponse",
        result: checks.contains { $0.verdict == .failed } ? "refused" : "accepted", checks: checks)
    }
    func require(_ name: String, expected: String, found: String, _ holds: Bool, _ code: Int, _ text: String)
      throws
    {
      checks.append(Check(name, expected: expected, found: found, holds, source: "fact sheet 5.7"))
      guard holds else { throw MSALError(code: code, text) }
    }
    let known = ["com.microsoft.azureauthenticator", "com.microsoft.azureauthenticator-df"]
    let source = delivery.sourceApplication ?? ""
    try require(
      "source application is the broker", expected: known[0] + " or nil",
      found: source.isEmpty ? "nil" : source,
      source.isEmpty || known.contains(source), -42700, "Application did not receive response from broker.")
    let query = URLParts(delivery.url)?.fields ?? []
    try require(
      "msg_protocol_ver is 3", expected: "3", found: query["msg_protocol_ver"] ?? "none",
      query["msg_protocol_ver"] == "3", -42700, "Application did not receive response from broker.")
    let resume = try around.defaults.resumeState()
    try around.defaults.setResumeState(nil)
    try require(
      "resume dictionary exists", expected: AppDefaults.resumeKey, found: resume == nil ? "none" : "found",
      resume != nil, -42701, "No resume state found in NSUserDefaults")
    let redirectURI = resume?["redirect_uri"] ?? ""
    try require(
      "URL begins with the redirect URI", expected: redirectURI,
      found: delivery.url.prefix { $0 != "?" }.description,
      delivery.url.lowercased().hasPrefix(redirectURI.lowercased()), -42703,
      "URL not coming from the expected redirect URI!")
    let key = try storedKey()
    try require(
      "broker key found", expected: "32 bytes in \(accessGroup)", found: key == nil ? "none" : "found",
      key != nil, -42709, "Broker key not found")
    try require(
      "hash present", expected: "64 hexadecimal digits", found: query["hash"] == nil ? "none" : "found",
      query["hash"] != nil, -42704, "Key hash is missing from the broker response")
    let ciphertext = query["response"].flatMap { Base64URL.decode($0) }
    try require(
      "response is base64url", expected: "base64url",
      found: ciphertext == nil ? "something else" : "base64url",
      ciphertext != nil, -42705, "Broker response is corrupted")
    let plaintext = try? BrokerCrypto.decrypt(Data(ciphertext ?? []), key: key ?? [])
    try require(
      "response decrypts", expected: "AES-256-CBC with the broker key",
      found: plaintext == nil ? "wrong key or damaged" : "decrypted", plaintext != nil, -42706,
      "Broker response decryption failed")
    try require(
      "hash equals", expected: query["hash"] ?? "", found: BrokerCrypto.hash(plaintext ?? Data()),
      query["hash"] == BrokerCrypto.hash(plaintext ?? Data()), -42707,
      "Decrypted response does not match the hash")
    let fields = FormEncoding.decode(String(bytes: plaintext ?? Data(), encoding: .utf8) ?? "") ?? []
    if delivery.sourceApplication == nil {
      try require(
        "nonce matches", expected: resume?["broker_nonce"] ?? "", found: fields["broker_nonce"] ?? "none",
        resume?["broker_nonce"] == fields["broker_nonce"], -42703, "Broker nonce mismatch!")
    }
    return fields
  }
}
