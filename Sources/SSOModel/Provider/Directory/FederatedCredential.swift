/// An external issuer whose tokens an app accepts in place of a secret (docs/behaviour/workloads.md §3).
package struct FederatedCredential: Codable, Hashable, Sendable {
  package var name: String?
  /// The expected `iss` of the token, compared exactly.
  package var issuer: String
  /// The expected `sub` of the token, compared exactly.
  package var subject: String
  /// The accepted values of `aud`, or `nil` for `usualAudience`.
  package var audiences: [String]?

  package init(name: String? = nil, issuer: String, subject: String, audiences: [String]? = nil) {
    self.name = name
    self.issuer = issuer
    self.subject = subject
    self.audiences = audiences
  }

  package static let usualAudience = "api://AzureADTokenExchange"

  var acceptedAudiences: [String] { audiences ?? [Self.usualAudience] }
}
