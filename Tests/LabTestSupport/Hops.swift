@testable import SSOCore

extension [Hop] {
  /// The names of the checks that failed, in order.
  var failed: [String] { flatMap(\.checks).filter { $0.verdict == .failed }.map(\.name) }
  /// The checks of `handleMSALResponse` or `handleADALResponse`.
  var answerChecks: [Check] { filter { $0.action.hasPrefix("handle") }.flatMap(\.checks) }

  /// The requests to the provider, in order, such as `configuration 200` or `token 400 invalid_grant`.
  var asked: [String] {
    filter { $0.to == .provider && $0.from.isSDK }.map { hop in
      let names = [
        "/discovery/instance": "discovery", "/openid-configuration": "configuration", "/token": "token",
        "/authorize": "authorize", "/logout": "logout", "/login": "login", "/consent": "consent",
      ]
      // AD FS appends a slash to its endpoints.
      let path = hop.action.hasSuffix("/") ? String(hop.action.dropLast()) : hop.action
      let name = names.first { path.hasSuffix($0.key) }?.value ?? hop.action
      return "\(name) \(hop.result)"
    }
  }
}
