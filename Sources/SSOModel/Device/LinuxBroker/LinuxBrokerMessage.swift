import SSOCore
import SSOReference

/// A method of `com.microsoft.identity.Broker1` (docs/behaviour/linux-broker.md §1).
package enum LinuxBrokerMethod: String, Codable, CaseIterable, Sendable {
  case acquireTokenInteractively, acquireTokenSilently, getAccounts, removeAccount, acquirePrtSsoCookie,
    generateSignedHttpRequest, cancelInteractiveFlow, getLinuxBrokerVersion

  /// Whether the response is a `brokerTokenResponse`.
  var givesTokens: Bool { self == .acquireTokenInteractively || self == .acquireTokenSilently }
}

/// A method call of a program, as received from the bus.
package struct LinuxBrokerCall: Codable, Hashable, Sendable {
  /// The maximum length of a request, in UTF-8 bytes; real requests have a few kilobytes.
  package static let bodyLimit = 65_536

  package var method: LinuxBrokerMethod
  package var correlationID: String
  /// The JSON of the request.
  package var body: String
  package var caller: LinuxCaller
  /// The ssoterm process that owns the broker's name, or `nil` in a scenario and in a record of an earlier version.
  package var broker: MachineProcess?

  package init(
    _ method: LinuxBrokerMethod, correlationID: String, body: String, caller: LinuxCaller,
    broker: MachineProcess? = nil
  ) {
    self.method = method
    self.correlationID = String(correlationID.prefix(64))
    self.body = body
    self.caller = caller
    self.broker = broker
  }
}

/// The calling program, as the bus and the kernel report it.
///
/// None of this shows which client ID is the program's own.
package struct LinuxCaller: Codable, Hashable, Sendable {
  /// The unique name of the connection, such as `:1.42`.
  package var connection: String
  /// The caller's user ID, as the bus knows it.
  package var userID: Int
  package var processID: Int
  /// The target of `/proc/PID/exe`, or an empty string if it could not be read.
  package var executable: String

  package init(connection: String, userID: Int, processID: Int, executable: String) {
    self.connection = connection
    self.userID = userID
    self.processID = processID
    self.executable = executable
  }

  /// A description such as `/usr/bin/python3.11, process 4711 of user 1000`.
  package var displayText: String {
    (executable.isEmpty ? "an unknown program" : executable) + ", process \(processID) of user \(userID)"
  }

  /// The name of the executable, such as `python3.11`.
  package var program: String {
    executable.split(separator: "/").last.map(String.init) ?? "an unknown program"
  }

  package static let checkName = "caller"

  /// The check that iOS's broker performs here, and that Linux cannot (claims B1, B2).
  package var check: Check {
    Check(
      Self.checkName, expected: "iOS: the app whose bundle ID the system reports",
      found: "any program of this user may use any client ID: \(displayText)", verdict: .skipped,
      source: "claims B1, B2")
  }
}

/// The JSON of a call, as the clients send it (docs/behaviour/linux-broker.md §2).
///
/// A field is looked up in `authParameters` first, and then at the top level.
package struct LinuxBrokerRequest: Sendable {
  package var method: LinuxBrokerMethod
  package var correlationID: String
  /// The client ID, or an empty string if it is missing.
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
  var wantsNewToken: Bool
  /// The URL that the browser opens, with `sso_nonce` in the query.
  var ssoURL: String
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

/// The broker's response to a program, with the details that the lab records about it.
package struct LinuxBrokerAnswer: Sendable {
  package var json: JSONValue
  /// The error, or `nil` if the call succeeded.
  package var error: LinuxBrokerError?
  /// The username of the account concerned, or `nil` if it does not concern an account.
  package var username: String?
  /// The source of a token: the broker's cache, or its primary refresh token.
  package var source: String?
  /// The request and the response with which the program's token was just issued.
  package var issued: (request: HTTPRequest, response: HTTPResponse)?

  init(_ json: JSONValue, username: String? = nil) {
    self.json = json
    self.username = username
  }

  package init(_ error: LinuxBrokerError, for method: LinuxBrokerMethod) {
    json = error.json(for: method)
    self.error = error
  }

  /// A short description for the log and the trace, without secrets.
  package var displayText: String {
    guard let error else { return username ?? "done" }
    return "\(error.status.text): \(error.context)"
  }
}

extension BrokerAccount {
  private var halves: [String] { homeAccountID.split(separator: ".").map(String.init) }
  /// The object ID in the home tenant.
  package var objectID: String { halves.first ?? "" }
  package var tenantID: String { halves.last ?? "" }

  /// Returns whether one of these IDs or names, which a program specifies, identifies this account.
  package func isNamed(by names: [String]) -> Bool {
    names.contains { name in
      let name = name.lowercased()
      return name == homeAccountID.lowercased() || name == objectID.lowercased()
        || name == username.lowercased()
    }
  }

  /// The account as the broker lists it (docs/behaviour/linux-broker.md §3).
  var linuxJSON: JSONValue {
    let names = displayName.split(separator: " ", maxSplits: 1).map(String.init)
    return [
      "environment": .string(PublicCloud.preferredCache), "homeAccountId": .string(homeAccountID),
      "localAccountId": .string(objectID), "realm": .string(tenantID), "username": .string(username),
      "name": .string(displayName), "givenName": .string(names.first ?? ""),
      "familyName": .string(names.count > 1 ? names[1] : ""), "passwordExpiry": .integer(0),
      "clientInfo": .string(ClientInfo(uid: objectID, utid: tenantID).encoded),
    ]
  }
}

/// The reason that the broker rejects a call of a Linux program (docs/behaviour/linux-broker.md §5).
package struct LinuxBrokerError: Error, Hashable, Sendable {
  package var status: LinuxBrokerStatus
  /// The text that the program prints.
  package var context: String
  /// The AADSTS number of the provider's rejection, such as 53000, or `nil` if the provider did not reject the request.
  package var aadsts: Int?

  package init(_ status: LinuxBrokerStatus, _ context: String, aadsts: Int? = nil) {
    self.status = status
    self.context = context
    self.aadsts = aadsts
  }

  static func needsPerson(_ context: String) -> LinuxBrokerError {
    LinuxBrokerError(.interactionRequired, context)
  }

  /// Creates the program's error for the provider's response to a token request.
  init(_ response: HTTPResponse) {
    switch response.status {
    case 0: self.init(.noNetwork, "The provider cannot be reached.")
    case 429, 500...599:
      self.init(
        .serverTemporarilyUnavailable, "The provider answered with status \(response.status).")
    case 200: self.init(.networkTemporarilyUnavailable, "The provider's answer cannot be read.")
    default: self.init(OAuthError(reading: response))
    }
  }

  /// Creates the program's error for a rejection by the provider.
  package init(_ refusal: OAuthError) {
    let status: LinuxBrokerStatus =
      switch (refusal.code, refusal.aadsts.flatMap(AADSTSCode.init(number:))) {
      case (_, .accountDisabled?): .accountUnusable
      case (_, .deviceNotRegistered?): .deviceNotRegistered
      case (_, .accountNotInTenant?): .accountNotFound
      case (.serverError, _), (.temporarilyUnavailable, _): .serverTemporarilyUnavailable
      case (.invalidClient, _), (.unauthorizedClient, _), (.invalidScope, _), (.invalidRequest, _),
        (.invalidResource, _), (.invalidTenant, _):
        .incorrectConfiguration
      case _ where refusal.suberror == OAuthSuberror.userAccountDeleted.text: .accountNotFound
      default: .interactionRequired
      }
    self.init(status, refusal.message, aadsts: refusal.aadsts)
  }

  /// Whether a page at the provider may resolve the error.
  var isForAPerson: Bool { status == .interactionRequired || status == .deviceNotRegistered }

  /// Returns the JSON of the error as the method returns it: in a token response, or at the top level.
  package func json(for method: LinuxBrokerMethod) -> JSONValue {
    let code = Int64(aadsts ?? 0)
    guard method.givesTokens else {
      return [
        "error": [
          "context": .string(context), "code": .integer(code), "status": .integer(Int64(status.number)),
        ]
      ]
    }
    return [
      "brokerTokenResponse": [
        "error": [
          "context": .string(context), "errorCode": .integer(code),
          "status": .integer(Int64(status.number)), "subStatus": .integer(0), "tag": .integer(0),
        ]
      ]
    ]
  }
}
