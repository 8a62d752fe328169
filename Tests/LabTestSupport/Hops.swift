@testable import SSOCore

extension [Hop] {
  /// Names of the checks that failed, in order.
  var failed: [String] { flatMap(\.checks).filter { $0.verdict == .failed }.map(\.name) }
  /// The checks of `handleMSALResponse` or `handleADALResponse`.
  var answerChecks: [Check] { filter { $0.action.hasPrefix("handle") }.flatMap(\.checks) }

  /// What the provider was asked, in order: `configuration 200`, `token 400 invalid_grant`.
  var asked: [String] {
    filter { $0.to == .provider && $0.from == .sdk }.map { hop in
      let names = [
        "/discovery/instance": "discovery", "/openid-configuration": "configuration", "/token": "token",
        "/authorize": "authorize", "/logout": "logout", "/login": "login", "/consent": "consent",
      ]
      // AD FS writes a slash behind its endpoints.
      let path = hop.action.hasSuffix("/") ? String(hop.action.dropLast()) : hop.action
      let name = names.first { path.hasSuffix($0.key) }?.value ?? hop.action
      return "\(name) \(hop.result)"
    }
  }
}
