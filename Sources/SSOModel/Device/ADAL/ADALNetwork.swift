import Essentials

/// ADAL's own requests: instance discovery and the token endpoint of version 1 (docs/behaviour/adal.md §8).
struct ADALNetwork: ADALPart {
  let client: ADALClient

  private var authority: ADALAuthority { client.authority }

  /// Performs instance discovery before any other step of a call, once for each host in a process; a failure ends the
  /// call.
  ///
  /// AD FS is skipped as if `validateAuthority` were NO, because its discovery is not simulated.
  func validateAuthority(_ correlationID: String) throws {
    let host = authority.host
    let known = context.process.process
    guard !authority.isADFS, known.aliases.cloud(of: host) == nil else { return }
    guard !known.invalidHosts.contains(host) else {
      throw unknownHost(OAuthError.unknownInstance.message)
    }
    let isTrusted = EnvironmentAliases.trustedHosts.contains(host)
    let response = try send(
      HTTPRequest(
        "GET", origin: isTrusted ? authority.origin : "https://" + PublicCloud.preferredNetwork,
        path: "/common/discovery/instance",
        query: [
          NameValue("api-version", "1.1"),
          NameValue("authorization_endpoint", authority.url.lowercased() + "/oauth2/authorize"),
        ], headers: headers(correlationID)))
    guard response.status == 200 else {
      let refusal = OAuthError(reading: response)
      if refusal.code == .invalidInstance { try context.process.change { $0.invalidHosts.append(host) } }
      throw unknownHost(refusal.message, refusal.code)
    }
    // A host that the response does not list counts as validated, and as an alias of itself only.
    let cloud = MSALAuthorities.clouds(in: response).first { $0.aliases.contains(host) }
    let itself = EnvironmentAliases.Cloud(preferredNetwork: host, preferredCache: host, aliases: [host])
    try context.process.change { $0.clouds.append(cloud ?? itself) }
  }

  /// Returns error 101 (errors.md §4).
  private func unknownHost(_ reason: String, _ code: OAuthErrorCode = .invalidInstance) -> SDKError {
    var error = ADALError.make(.developerAuthorityValidation, reason, protocolCode: code.text)
    error.failedCheck = Check(
      "authority host is known", expected: "a host that instance discovery knows", found: authority.host,
      false,
      source: "adal.md §8(0)")
    return error
  }

  /// Sends `POST {authority}/oauth2/token` and returns the tokens or the OAuth error.
  func tokens(for form: [NameValue], _ request: ADALRequest) throws -> Result<TokenResponse, OAuthError> {
    let response = try send(
      HTTPRequest(
        "POST", origin: authority.origin, path: "/\(authority.tenant)/oauth2/token",
        headers: headers(request.correlationID), form: form))
    do throws(OAuthError) {
      return .success(try TokenResponse(reading: response))
    } catch {
      return .failure(error)
    }
  }

  /// Sends a request; a status other than OAuth's 200, 400, and 401 ends the call with the status as the error code.
  ///
  /// A 5xx request is first sent once more. The SDK waits half a second before that, but no time passes here.
  private func send(_ request: HTTPRequest) throws -> HTTPResponse {
    var response = try context.system.send(request)
    if (500...599).contains(response.status) { response = try context.system.send(request) }
    switch response.status {
    case 200, 400, 401:
      if let problem = response.jsonProblem { throw ADALError.make(problem) }
      return response
    case 0: throw ADALError.offline
    default: throw ADALError.make(http: response)
    }
  }

  private func headers(_ correlationID: String) -> [NameValue] {
    [
      NameValue("x-client-SKU", "iOS"), NameValue("x-client-Ver", app.sdkVersion),
      NameValue("client-request-id", correlationID), NameValue("return-client-request-id", "true"),
      NameValue("x-app-name", app.displayName), NameValue("x-app-ver", app.version),
    ]
  }
}
