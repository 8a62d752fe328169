/// Which hosts are names of the same cloud (docs/behaviour/msal-cache.md §9).
///
/// In life a table in memory, filled by instance discovery: before that only the typed host is known.
package struct EnvironmentAliases: Hashable, Codable, Sendable {
  /// One `metadata[]` record of instance discovery.
  package struct Cloud: Hashable, Codable, Sendable {
    /// Where requests go.
    package var preferredNetwork: String
    /// What is written as `environment`.
    package var preferredCache: String
    package var aliases: [String]

    package init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
      self.preferredNetwork = preferredNetwork
      self.preferredCache = preferredCache
      self.aliases = aliases
    }
  }

  package var clouds: [Cloud]

  /// Before the first discovery: nothing.
  package init(_ clouds: [Cloud] = []) { self.clouds = clouds }

  /// What discovery answers for the public cloud.
  package static let publicCloud = EnvironmentAliases([
    Cloud(
      preferredNetwork: PublicCloud.preferredNetwork, preferredCache: PublicCloud.preferredCache,
      aliases: PublicCloud.aliases)
  ])

  /// Hosts that are trusted without discovery.
  package static let trustedHosts: Set<String> = [
    "login.windows.net", "login.microsoftonline.us", "login.chinacloudapi.cn",
    "login.partner.microsoftonline.cn", "login.microsoftonline.de", "login.sovcloud-identity.fr",
    "login.sovcloud-identity.de", "login.sovcloud-identity.sg", "login.microsoftonline.com",
    "login-us.microsoftonline.com", "login.usgovcloudapi.net",
  ]

  /// The cloud that a host is of; nil if instance discovery named none.
  package func cloud(of host: String) -> Cloud? {
    let host = normalized(host)
    return clouds.first { $0.aliases.contains(host) || $0.preferredCache == host }
  }

  /// The host under which entries are written; the host itself where no cloud is known.
  package func preferredCache(for host: String) -> String {
    cloud(of: host)?.preferredCache ?? normalized(host)
  }

  /// The host that requests go to; the host itself where no cloud is known.
  package func preferredNetwork(for host: String) -> String {
    cloud(of: host)?.preferredNetwork ?? normalized(host)
  }

  /// The environments a lookup tries: preferred cache, the typed host, the rest; each once.
  package func candidates(for host: String) -> [String] {
    let host = normalized(host)
    guard let cloud = cloud(of: host) else { return [host] }
    var hosts = [cloud.preferredCache]
    for other in [host] + cloud.aliases where !hosts.contains(other) { hosts.append(other) }
    return hosts
  }
}
