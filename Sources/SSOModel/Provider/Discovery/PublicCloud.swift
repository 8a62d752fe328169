/// The hosts of the public cloud: one environment under several names (docs/behaviour/msal-cache.md §9).
enum PublicCloud {
  static let aliases = [
    "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
  ]
  /// The alias under which caches are kept.
  static let preferredCache = "login.windows.net"
  /// The alias that requests go to.
  static let preferredNetwork = "login.microsoftonline.com"
}
