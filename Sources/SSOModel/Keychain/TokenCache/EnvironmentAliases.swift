/// Which hosts are names of the same cloud (fact sheet §3.3). In life a table in memory, filled by instance
/// discovery: before that only the typed host is known.
public struct EnvironmentAliases: Hashable, Codable, Sendable {
  /// One `metadata[]` record of instance discovery.
  public struct Cloud: Hashable, Codable, Sendable {
    /// Where requests go.
    public var preferredNetwork: String
    /// What is written as `environment`.
    public var preferredCache: String
    public var aliases: [String]

    public init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
      self.preferredNetwork = preferredNetwork
      self.preferredCache = preferredCache
      self.aliases = aliases
    }
  }

  public var clouds: [Cloud]

  /// Before the first discovery: nothing.
  public init(_ clouds: [Cloud] = []) { self.clouds = clouds }

  /// What discovery answers for the public cloud.
  public static let publicCloud = EnvironmentAliases([
    Cloud(
      preferredNetwork: "login.microsoftonline.com", preferredCache: "login.windows.net",
      aliases: [
        "login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net",
      ])
  ])

  /// Hosts that are trusted without discovery.
  public static let trustedHosts: Set<String> = [
    "login.windows.net", "login.microsoftonline.us", "login.chinacloudapi.cn",
    "login.partner.microsoftonline.cn", "login.microsoftonline.de", "login.sovcloud-identity.fr",
    "login.sovcloud-identity.de", "login.sovcloud-identity.sg", "login.microsoftonline.com",
    "login-us.microsoftonline.com", "login.usgovcloudapi.net",
  ]

  public func cloud(of host: String) -> Cloud? {
    let host = normalized(host)
    return clouds.first { $0.aliases.contains(host) || $0.preferredCache == host }
  }

  public func preferredCache(for host: String) -> String {
    cloud(of: host)?.preferredCache ?? normalized(host)
  }

  public func preferredNetwork(for host: String) -> String {
    cloud(of: host)?.preferredNetwork ?? normalized(host)
  }

  /// The environments a lookup tries: preferred cache, the typed host, the rest; each once.
  public func candidates(for host: String) -> [String] {
    let host = normalized(host)
    guard let cloud = cloud(of: host) else { return [host] }
    var hosts = [cloud.preferredCache]
    for other in [host] + cloud.aliases where !hosts.contains(other) { hosts.append(other) }
    return hosts
  }
}
