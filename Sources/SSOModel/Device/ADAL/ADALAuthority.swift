/// An authority URL as ADAL sees it, with the names that it may have in the cache (docs/behaviour/adal.md §1, §4).
package struct ADALAuthority: Hashable {
  /// The URL as the developer typed it.
  var url: String
  var version: ADALVersion

  var path: [String] { URLParts(url)?.path.split(separator: "/").map(String.init) ?? [] }
  var host: String { (URLParts(url)?.authority ?? "").lowercased() }
  package var tenant: String { path.first ?? "common" }
  package var isADFS: Bool { tenant.lowercased() == "adfs" }
  /// The scheme and host that requests are sent to.
  var origin: String { "https://" + host }
  /// The host under which everything is stored: the preferred cache, or the host itself if it has no known aliases.
  package var environment: String { EnvironmentAliases.publicCloud.preferredCache(for: host) }
  /// The hosts of the unified cache, with the preferred cache first.
  package var environments: [String] { EnvironmentAliases.publicCloud.candidates(for: host) }

  /// The authority under which tokens are stored.
  ///
  /// It has the preferred-cache host and the tenant of the request, with `organizations` as `common`. Before 2.5.2, and
  /// for AD FS, it is the URL exactly as typed.
  package var stored: String {
    guard version.knowsAliases, !isADFS else { return url }
    return Self.cached(host: environment, tenant: tenant)
  }

  /// The authorities under which tokens are looked up, in order (adal.md §5).
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
