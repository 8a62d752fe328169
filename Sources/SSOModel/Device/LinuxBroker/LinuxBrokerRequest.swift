/// The JSON of a call, as the clients send it (docs/behaviour/linux-broker.md §2).
///
/// A field is looked for in `authParameters` first, then at the top.
package struct LinuxBrokerRequest: Sendable {
  package var method: LinuxBrokerMethod
  package var correlationID: String
  /// Empty where the method needs none.
  package var clientID: String
  package var redirectURI: String
  /// `https://login.microsoftonline.com/common` if none was sent.
  package var authority: String
  /// Without the OpenID ones, which the broker adds.
  package var scopes: [String]
  /// Home account ID, local account ID and username of the account that the program names.
  package var account: [String]
  package var prompt: String?
  /// The claims challenge of an API, as JSON.
  package var claims: String?
  /// The program has the access token of the cache, and it does not do.
  package var wantsNewToken: Bool
  /// Where the browser goes, with `sso_nonce` in the query.
  package var ssoURL: String
  /// Name and version of the library, as it says.
  package var library: (name: String, version: String)
  package var proof: ProofParameters?

  /// What a signed request is for.
  package struct ProofParameters: Sendable {
    var host: String
    var method: String
    var path: String
    var nonce: String?
    var clientClaims: String?
  }

  private static let openID: Set<String> = ["openid", "profile", "offline_access"]

  /// - Throws: ``LinuxBrokerStatus/apiContractViolation`` with the field that is wrong.
  package init(_ call: LinuxBrokerCall) throws(LinuxBrokerError) {
    let fields = try Fields(call.body)
    method = call.method
    correlationID = call.correlationID
    clientID = try fields.text("clientId") ?? ""
    redirectURI = try fields.text("redirectUri") ?? ""
    authority = try fields.text("authority") ?? PublicCloud.commonAuthority
    scopes = try fields.texts("requestedScopes").filter { !Self.openID.contains($0.lowercased()) }
    let named = try fields.object("account")
    account = [
      try named?.text("homeAccountId"), try named?.text("localAccountId"), try named?.text("username"),
      try fields.text("username"),
    ].compactMap(\.self)
    prompt = try fields.text("prompt")
    claims = try fields.text("decodedClaims")
    wantsNewToken = try fields.text("accessTokenToRenew") != nil || claims != nil
    ssoURL = try fields.text("ssoUrl") ?? ""
    let query = try fields.object("additionalQueryParametersForAuthorization")
    library = (
      try query?.text("msal_client_sku") ?? "", try query?.text("msal_client_ver") ?? ""
    )
    proof = try fields.object("popParams").map { pop throws(LinuxBrokerError) in
      try ProofParameters(
        host: pop.text("uriHost") ?? "", method: pop.text("httpMethod") ?? "GET",
        path: pop.text("uriPath") ?? "/", nonce: pop.text("nonce"), clientClaims: pop.text("clientClaims"))
    }
    try checkComplete()
  }

  private func checkComplete() throws(LinuxBrokerError) {
    let needed: [(name: String, isMissing: Bool)] =
      switch method {
      case .acquireTokenInteractively, .acquireTokenSilently:
        [("clientId", clientID.isEmpty), ("redirectUri", redirectURI.isEmpty)]
          + [("account", method == .acquireTokenSilently && account.isEmpty)]
      case .getAccounts, .generateSignedHttpRequest: [("clientId", clientID.isEmpty)]
      case .removeAccount: [("account", account.isEmpty)]
      case .acquirePrtSsoCookie: [("ssoUrl", ssoURL.isEmpty)]
      case .cancelInteractiveFlow, .getLinuxBrokerVersion: []
      }
    guard let missing = needed.first(where: \.isMissing) else { return }
    throw LinuxBrokerError(.apiContractViolation, "The request has no \(missing.name).")
  }

  /// The same as a request to the authorization endpoint, for what knows programs by their HTTP requests.
  package var asAuthorization: HTTPRequest {
    let parts = URLParts(authority)
    let tenant = parts?.path.split(separator: "/").first.map(String.init) ?? "common"
    return HTTPRequest(
      "GET", origin: parts?.origin.lowercased() ?? "", path: "/\(tenant)/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", clientID), NameValue("redirect_uri", redirectURI),
        NameValue("scope", (scopes + ["openid", "profile"]).joined(separator: " ")),
        NameValue("login_hint", account.last ?? ""), NameValue("prompt", prompt ?? ""),
        NameValue("x-client-sku", library.name), NameValue("x-client-ver", library.version),
      ].filter { !$0.value.isEmpty })
  }

  /// What it says, for a trace.
  package var shown: [NameValue] {
    [
      NameValue("clientId", clientID), NameValue("redirectUri", redirectURI),
      NameValue("authority", authority), NameValue("requestedScopes", scopes.joined(separator: " ")),
      NameValue("account", account.last ?? ""), NameValue("prompt", prompt ?? ""),
      NameValue("ssoUrl", String(ssoURL.prefix { $0 != "?" })),
    ].filter { !$0.value.isEmpty }
  }
}

/// The members of a request, by name and form; an empty text counts as none, as MSALRuntime sends what it has not.
private struct Fields {
  var members: [[String: JSONValue]]

  init(_ body: String) throws(LinuxBrokerError) {
    guard body.utf8.count <= LinuxBrokerCall.bodyLimit else {
      throw LinuxBrokerError(
        .apiContractViolation, "The request is longer than \(LinuxBrokerCall.bodyLimit) bytes.")
    }
    guard let top = JSONValue(bounded: Array(body.utf8), maximumBytes: LinuxBrokerCall.bodyLimit)?.object
    else {
      throw LinuxBrokerError(.apiContractViolation, "The request is not a JSON object.")
    }
    members = [top]
    if let parameters = try object("authParameters") { members = parameters.members + members }
  }

  private init(_ object: [String: JSONValue]) { members = [object] }

  private func value(_ name: String) -> JSONValue? {
    members.lazy.compactMap { $0[name] }.first { $0 != .null }
  }

  func text(_ name: String) throws(LinuxBrokerError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string, text.utf8.count <= 16_384 else { throw wrong(name, "a string") }
    return text.isEmpty ? nil : text
  }

  func object(_ name: String) throws(LinuxBrokerError) -> Fields? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw wrong(name, "an object") }
    return Fields(object)
  }

  /// A list, or one text with spaces in between.
  func texts(_ name: String) throws(LinuxBrokerError) -> [String] {
    switch value(name) {
    case nil: return []
    case .string(let text)?: return text.split(separator: " ").map(String.init)
    case .array(let elements)?:
      let texts = elements.compactMap(\.string)
      guard texts.count == elements.count, texts.count <= 100 else { throw wrong(name, "a list of strings") }
      return texts.flatMap { $0.split(separator: " ").map(String.init) }
    default: throw wrong(name, "a list of strings")
    }
  }

  private func wrong(_ name: String, _ form: String) -> LinuxBrokerError {
    LinuxBrokerError(.apiContractViolation, "\(name) is not \(form).")
  }
}
