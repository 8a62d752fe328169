import SSOCore

/// The host aliases of each cloud (docs/behaviour/msal-cache.md §9).
///
/// Real SDKs keep this table in memory and fill it from instance discovery; until then, they know only the host that
/// the app specified.
package struct EnvironmentAliases: Hashable, Codable, Sendable {
  /// One `metadata[]` record of instance discovery.
  package typealias Cloud = SSOCore.Cloud.Instance

  package var clouds: [Cloud]

  /// Creates a table, which is empty before the first instance discovery.
  package init(_ clouds: [Cloud] = []) { self.clouds = clouds }

  /// The instance discovery response for the public cloud.
  package static let publicCloud = EnvironmentAliases(SSOCore.Cloud.global.instances)

  /// Returns the cloud of a host, or `nil` if instance discovery did not return one.
  package func cloud(of host: String) -> Cloud? {
    let host = normalized(host)
    return clouds.first { $0.aliases.contains(host) || $0.preferredCache == host }
  }

  /// Returns the host under which entries are written, or the host itself if its cloud is unknown.
  package func preferredCache(for host: String) -> String {
    cloud(of: host)?.preferredCache ?? normalized(host)
  }

  /// Returns the host that requests are sent to, or the host itself if its cloud is unknown.
  package func preferredNetwork(for host: String) -> String {
    cloud(of: host)?.preferredNetwork ?? normalized(host)
  }

  /// Returns the environments that a lookup tries, each once: the preferred cache, the specified host, and the others.
  package func candidates(for host: String) -> [String] {
    let host = normalized(host)
    guard let cloud = cloud(of: host) else { return [host] }
    var hosts = [cloud.preferredCache]
    for other in [host] + cloud.aliases where !hosts.contains(other) { hosts.append(other) }
    return hosts
  }
}
