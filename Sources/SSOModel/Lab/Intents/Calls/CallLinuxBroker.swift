import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// A Linux program's call to the broker over D-Bus, in a scenario.
///
/// With the cookie that it receives, a browser opens the sign-in page.
package struct CallLinuxBroker: Intent {
  package static let verb = "linuxProgram"
  var call: LinuxBrokerCall

  package init(_ call: LinuxBrokerCall) { self.call = call }

  package var displayText: String { "\(call.caller.program) calls \(call.method.rawValue)" }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let isForBrowser = call.method == .acquirePrtSsoCookie
    var call = call
    if isForBrowser { call.body = try withNonce(call.body, transaction) }
    let exchange = LinuxBrokerExchange(transaction: transaction, call: call)
    let answer = try exchange.answer()
    let name = try exchange.clientName
    if let error = answer.error {
      return Outcome(
        error.status == .userCanceled ? .cancelled : .failed, "\(name) receives \(answer.displayText)",
        errorText: error.status.text, errorCode: error.status.number,
        error: ReportedError(code: error.status.number, symbol: error.status.text),
        failedCheck: transaction.lastFailedCheck,
        prompted: transaction.hasPrompted)
    }
    let who = answer.username ?? ""
    if isForBrowser { return try open(answer.json["cookieContent"]?.string ?? "", as: who, transaction) }
    return Outcome(
      .succeeded, who.isEmpty ? "\(name) is answered." : "\(name) has a token for \(who).",
      username: answer.username,
      source: answer.source, prompted: transaction.hasPrompted)
  }

  /// Returns the request for a cookie with a nonce of the provider in the page's URL.
  private func withNonce(_ body: String, _ transaction: IntentTransaction) throws -> String {
    let page = try request().asAuthorization
    let answer = try transaction.provider(.system, actor: "").respond(
      to: HTTPRequest(
        "POST", origin: page.origin, path: "/common/oauth2/token",
        form: [NameValue("grant_type", "srv_challenge")])
    ).received
    let nonce = JSONValue(bounded: answer.body)?["Nonce"]?.string ?? ""
    guard var fields = JSONValue(bounded: Array(body.utf8))?.object else { return body }
    fields["ssoUrl"] = .string(page.origin + page.path + "?sso_nonce=" + nonce)
    return JSONValue.object(fields).text(.wire)
  }

  /// Opens the client's sign-in page in a browser without a session, with the credential as a header.
  private func open(_ credential: String, as username: String, _ transaction: IntentTransaction) throws
    -> Outcome
  {
    var page = try request().asAuthorization
    let proof = ProofKey(random: transaction.random.bytes(32))
    page.query += [
      NameValue("response_type", "code"), NameValue("code_challenge", proof.challenge),
      NameValue("code_challenge_method", "S256"),
    ]
    page.headers.append(NameValue(PrimaryRefreshTokenCookie.name, credential))
    let answer = try transaction.provider(.system, actor: "browser").respond(to: page)
    guard let location = answer.http.location, URLParts(location)?.fields?["code"] != nil else {
      return Outcome(
        .failed, "The browser is not signed in.", failedCheck: transaction.lastFailedCheck)
    }
    return Outcome(
      .succeeded, "The browser is signed in as \(username), with no page.", username: username,
      source: "broker")
  }

  private func request() throws -> LinuxBrokerRequest { try LinuxBrokerRequest(call) }
}
