import Foundation
import SSOCore

extension Provider {
  package func faults() throws -> [Fault] { try Faults(documents: documents).all() }
  package func addFault(_ fault: Fault) throws { try Faults(documents: documents).add(fault) }
  /// False if there is no such fault.
  package func removeFault(_ fault: Fault) throws -> Bool { try Faults(documents: documents).remove(fault) }
  package func clearFaults() throws { try Faults(documents: documents).clear() }

  /// Lets the fault that hits this request, if one does, act: by an answer of its own, by changing this provider
  /// for the one request, or by how the answer is delivered.
  /// - Returns: the answer instead of the route's, if there is one.
  mutating func meetFault(_ exchange: inout Exchange) throws -> ProviderResponse? {
    let request = exchange.request
    let found = try Faults(documents: documents).take(for: request) { try sender(of: request) }
    guard let fault = found else { return nil }
    exchange.checks.append(
      Check(
        "no fault is set", expected: "none", found: fault.words, false, source: "ssoterm fault list"))
    switch fault.kind {
    case .status(let status): return ProviderResponse(HTTPResponse(status))
    case .throttled(let seconds):
      return ProviderResponse(HTTPResponse(429, headers: [NameValue("Retry-After", String(seconds))]))
    case .unreachable: return ProviderResponse(.noConnection)
    case .refused(let code, let suberror):
      let error = OAuthError(code, "A fault set in the lab refuses this request.", suberror: suberror)
      guard Fault.Endpoint(of: request) == .authorize else { return try refuse(error, &exchange) }
      // The client hears of it by its redirect URI, once that is known to be its own.
      guard request.route == .authorize else { return errorPage(error, &exchange) }
      refusal = error
    case .slow(let seconds): exchange.delivery = .late(seconds: seconds)
    case .hang: exchange.delivery = .never
    case .truncated(let bytes): exchange.delivery = .truncated(bytes: bytes)
    case .token(let flaw): tokenFlaw = flaw
    case .clock(let seconds): now = now.adding(seconds: seconds)
    case .keys(let change): try keys.rollOver(forgetting: change == .forgotten)
    case .requires(let requirement): self.requirement = requirement
    }
    return nil
  }

  /// The client that a request names: in a field, in its header, or by the sign-in or device code it goes on with.
  private func sender(of request: HTTPRequest) throws -> String? {
    if let presented = try? PresentedClient(request), !presented.clientID.isEmpty {
      return presented.clientID
    }
    if let flow = try? flows.flow(id: request.field("flow")).flow { return flow.clientID }
    let words = request.header("Authorization")?.split(separator: " ") ?? []
    guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
    return (try? JSONWebToken(unverified: String(words[1])))?.claims["appid"]?.string
  }
}

/// How an answer reaches the client: only a fault makes it anything but whole.
package enum Delivery: Codable, Hashable, Sendable {
  case whole
  case late(seconds: Int)
  /// The connection stays open and silent.
  case never
  /// The connection ends after so many bytes of the body, although the headers promise all.
  case truncated(bytes: Int)
}

extension ProviderResponse {
  /// What a simulated client gets: nobody waits for a late answer there, and one that never comes is no
  /// connection.
  package var received: HTTPResponse {
    var response = http
    switch delivery {
    case .whole, .late: break
    case .never: return .noConnection
    case .truncated(let bytes): response.body = Data(response.body.prefix(bytes))
    }
    return response
  }
}

extension Fault.Kind.Requirement {
  /// What a request that shows no page is told.
  var refusal: OAuthError {
    switch self {
    case .consent:
      OAuthError(
        .invalidGrant,
        "The user or administrator has not consented to use the application. Ask interactively.",
        aadsts: 65001, suberror: "consent_required")
    case .mfa:
      OAuthError(
        .interactionRequired,
        "Due to a configuration change made by your administrator, or because you moved to a new location, you "
          + "must use multi-factor authentication. Sign in interactively.",
        aadsts: 50076, suberror: "basic_action", claims: challenge)
    case .device:
      OAuthError(
        .interactionRequired,
        "Device is not in required device state: compliant. Conditional Access policy requires a compliant "
          + "device.",
        aadsts: 53000, claims: challenge)
    }
  }

  /// Names the policy, so that the next sign-in meets it.
  private var challenge: String {
    "{\"access_token\":{\"capolids\":{\"essential\":true,\"values\":[\"\(guid(of: "policy " + rawValue))\"]}}}"
  }

  /// Fails: the requirement stands, and nothing here can meet it.
  var finding: Finding { finding(else: refusal) }

  /// The same for `prompt=none` (OpenID Connect Core §3.1.2.6).
  var silentFinding: Finding {
    var error = refusal
    if self == .consent { error.code = .consentRequired }
    return finding(else: error)
  }

  private func finding(else refusal: OAuthError) -> Finding {
    Finding(
      "nothing more is required", expected: "nothing", found: rawValue, false, source: "ssoterm fault list",
      else: refusal)
  }
}
