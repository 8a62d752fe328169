/// Whose tokens an app accepts in place of a secret (docs/behaviour/workloads.md §3).
package struct FederatedCredential: Codable, Hashable, Sendable {
  package var name: String?
  /// `iss` of the token, character by character.
  package var issuer: String
  /// `sub` of the token, character by character.
  package var subject: String
  /// What may be in `aud`; nil: `usualAudience`.
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
