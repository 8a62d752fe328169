/// A request path of the provider, split into the authority and the rest (docs/behaviour/provider.md §2).
///
/// Examples are `/common/…` and `/contoso.com/…`. Azure AD B2C uses `/tfp/contoso.com/B2C_1_signin/…`,
/// `/contoso.com/B2C_1_signin/…` (on a custom domain with more segments in between), and
/// `/contoso.com/…?p=B2C_1_signin`. AD FS uses `/adfs/…`.
package struct AuthorityPath {
  /// The authority: `common`, `contoso.com`, `contoso.com/B2C_1_signin`, or `adfs`.
  var authority: String
  var rest: [String]

  init(_ request: HTTPRequest) {
    self.init(
      request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init),
      policy: request.query["p"])
  }

  init(_ segments: [String], policy: String? = nil) {
    if segments.first?.lowercased() == "tfp", segments.count > 2 {
      authority = segments[1] + "/" + segments[2]
      rest = Array(segments.dropFirst(3))
    } else if let policy = segments.dropFirst().firstIndex(where: Self.isPolicy) {
      // The developer may choose the segments between tenant and policy.
      authority = segments[0] + "/" + segments[policy]
      rest = Array(segments.dropFirst(policy + 1))
    } else {
      authority = segments.first ?? "common"
      rest = Array(segments.dropFirst())
      if let policy, Self.isPolicy(policy) { authority += "/" + policy }
    }
  }

  /// Returns whether a segment names a user flow (`B2C_1_…`) or a custom policy (`B2C_1A_…`).
  package static func isPolicy(_ segment: String) -> Bool { segment.lowercased().hasPrefix("b2c_1") }

  var isFederation: Bool { authority.lowercased() == "adfs" }
}
