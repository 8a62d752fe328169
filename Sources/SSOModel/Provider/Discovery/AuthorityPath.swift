/// A path of the provider, split into the authority and what is below it (docs/behaviour/provider.md §2).
///
/// `/common/…`, `/contoso.com/…`; of Azure AD B2C `/tfp/contoso.com/B2C_1_signin/…`, `/contoso.com/B2C_1_signin/…`, at a host of
/// its own with more in between, and `/contoso.com/…?p=B2C_1_signin`; of AD FS `/adfs/…`.
package struct AuthorityPath {
  /// `common`, `contoso.com`, `contoso.com/B2C_1_signin`, `adfs`.
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
      // Whatever is between tenant and policy is the developer's own.
      authority = segments[0] + "/" + segments[policy]
      rest = Array(segments.dropFirst(policy + 1))
    } else {
      authority = segments.first ?? "common"
      rest = Array(segments.dropFirst())
      if let policy, Self.isPolicy(policy) { authority += "/" + policy }
    }
  }

  /// User flows begin with `B2C_1_`, custom policies with `B2C_1A_`.
  package static func isPolicy(_ segment: String) -> Bool { segment.lowercased().hasPrefix("b2c_1") }

  var isFederation: Bool { authority.lowercased() == "adfs" }
}
