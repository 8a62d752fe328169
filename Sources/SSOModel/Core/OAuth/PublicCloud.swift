/// The hosts of Microsoft's public cloud: one environment under several names (docs/behaviour/msal-cache.md §9).
///
/// The provider's instance discovery returns these values, and an SDK reads them from its response.
package enum PublicCloud {
  package static let aliases = [
    preferredNetwork, preferredCache, "login.microsoft.com", "sts.windows.net",
  ]
  /// The alias under which cache entries are stored.
  package static let preferredCache = "login.windows.net"
  /// The alias that requests go to.
  package static let preferredNetwork = "login.microsoftonline.com"
  /// The home tenant of all personal accounts.
  package static let personalTenantID = "9188040d-6c67-4c5b-b112-36a304b66dad"
  /// The default authority, for apps that do not specify one.
  package static let commonAuthority = "https://\(preferredNetwork)/common"
}
