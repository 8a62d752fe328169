/// The JSON of a call, as the clients send it (docs/behaviour/linux-broker.md §2).
///
/// A field is looked up in `authParameters` first, and then at the top level.
package struct LinuxBrokerRequest: Sendable {
  package var method: LinuxBrokerMethod
  package var correlationID: String
  /// The client ID, or an empty string if there is none.
  package var clientID: String
  package var redirectURI: String
  /// The authority, which is `https://login.microsoftonline.com/common` if none was sent.
  package var authority: String
  /// The requested scopes without the OpenID scopes, which the broker adds.
  package var scopes: [String]
  /// The home account ID, local account ID, and username of the account that the program specifies.
  package var account: [String]
  package var prompt: String?
  /// The claims challenge of an API, as JSON.
  package var claims: String?
  /// Whether the program needs a new access token, because the cached one is not sufficient.
  package var wantsNewToken: Bool
  /// The URL that the browser opens, with `sso_nonce` in the query.
  package var ssoURL: String
  /// The name and version of the library, as it reports them.
  package var library: (name: String, version: String)
  package var proof: ProofParameters?

  /// The parameters of a signed request.
  package struct ProofParameters: Sendable {
    var host: String
    var method: String
    var path: String
    var nonce: String?
    var clientClaims: String?
  }

  private static let openID: Set<String> = ["openid", "profile", "offline_access"]

  /// - Throws: ``LinuxBrokerStatus/apiContractViolation`` with the field that is not valid.
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

  /// The equivalent request to the authorization endpoint, for code that identifies programs by their HTTP requests.
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

  /// The contents of the request, for a trace.
  package var shown: [NameValue] {
    [
      NameValue("clientId", clientID), NameValue("redirectUri", redirectURI),
      NameValue("authority", authority), NameValue("requestedScopes", scopes.joined(separator: " ")),
      NameValue("account", account.last ?? ""), NameValue("prompt", prompt ?? ""),
      NameValue("ssoUrl", String(ssoURL.prefix { $0 != "?" })),
    ].filter { !$0.value.isEmpty }
  }
}

/// The members of a request, by name and type.
///
/// An empty string counts as a missing value, because MSALRuntime sends empty strings for missing values.
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

  /// Returns a list of strings, from an array or from a single string with spaces as separators.
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
