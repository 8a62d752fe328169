/// An authority URL as ADAL knows it: host and tenant, and the names under which the cache may have it
/// (docs/behaviour/adal.md §1, §4).
package struct ADALAuthority: Hashable {
  /// As the developer typed it.
  var url: String
  var version: ADALVersion

  var path: [String] { URLParts(url)?.path.split(separator: "/").map(String.init) ?? [] }
  var host: String { (URLParts(url)?.authority ?? "").lowercased() }
  package var tenant: String { path.first ?? "common" }
  package var isADFS: Bool { tenant.lowercased() == "adfs" }
  /// Where requests go.
  var origin: String { "https://" + host }
  /// The host under which all that is kept is filed, if aliases are known.
  package var environment: String { EnvironmentAliases.publicCloud.preferredCache(for: host) }
  /// The hosts of the unified cache, preferred cache first.
  package var environments: [String] { EnvironmentAliases.publicCloud.candidates(for: host) }

  /// Under which authority tokens are kept.
  ///
  /// The preferred-cache host and tenant of the request, `organizations` as `common`. Before 2.5.2 exactly as typed.
  package var stored: String {
    guard version.knowsAliases, !isADFS else { return url }
    return Self.cached(host: environment, tenant: tenant)
  }

  /// Where tokens are looked for, in order (adal.md §5).
  package var candidates: [String] {
    guard version.knowsAliases, !isADFS else { return [url] }
    return environments.map { Self.cached(host: $0, tenant: tenant) }
  }

  static func cached(host: String, tenant: String) -> String {
    "https://\(host)/\(tenant.lowercased() == "organizations" ? "common" : tenant)"
  }
}

extension InstalledApp {
  package var adalAuthority: ADALAuthority { ADALAuthority(url: authority, version: adalVersion) }
}
