/// The hosts of Microsoft's public cloud: one environment under several names (docs/behaviour/msal-cache.md §9).
///
/// What the provider's instance discovery answers, and what an SDK makes of that answer.
package enum PublicCloud {
  package static let aliases = [
    preferredNetwork, preferredCache, "login.microsoft.com", "sts.windows.net",
  ]
  /// The alias under which caches are kept.
  package static let preferredCache = "login.windows.net"
  /// The alias that requests go to.
  package static let preferredNetwork = "login.microsoftonline.com"
  /// The tenant that every personal account is at home in.
  package static let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"
  /// Of an app that names no authority.
  package static let commonAuthority = "https://\(preferredNetwork)/common"
}
