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
  /// The authority of work and school accounts; the users of a federated tenant sign in at AD FS.
  package static let workAuthority = "https://\(preferredNetwork)/organizations"
}

/// Microsoft's clouds: separate directories, each with its own tenants, users, and registrations.
package enum Cloud: String, CaseIterable, Sendable {
  case global = "Azure"
  case government = "Azure for US Government"
  case china = "Azure operated by 21Vianet"
  /// Closed in 2021; Entra still names its host.
  case germany = "Microsoft Cloud Germany"

  /// Hosts that share a cache, as instance discovery names them (MSAL.js, `AuthorityMetadata.ts`).
  package struct Instance: Hashable, Codable, Sendable {
    /// The host that requests are sent to.
    package var preferredNetwork: String
    /// The host that is written as `environment`.
    package var preferredCache: String
    package var aliases: [String]

    package init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
      self.preferredNetwork = preferredNetwork
      self.preferredCache = preferredCache
      self.aliases = aliases
    }
  }

  package var instances: [Instance] {
    func instance(_ hosts: String...) -> Instance {
      Instance(preferredNetwork: hosts[0], preferredCache: hosts[0], aliases: hosts)
    }
    return switch self {
    case .global:
      [
        Instance(
          preferredNetwork: PublicCloud.preferredNetwork, preferredCache: PublicCloud.preferredCache,
          aliases: PublicCloud.aliases)
      ]
    case .government:
      [
        instance("login.microsoftonline.us", "login.usgovcloudapi.net"),
        instance("login-us.microsoftonline.com"),
      ]
    case .china: [instance("login.partner.microsoftonline.cn", "login.chinacloudapi.cn")]
    case .germany: [instance("login.microsoftonline.de")]
    }
  }

  /// The hosts at which users of the cloud sign in.
  package var hosts: [String] { instances.flatMap(\.aliases) }

  /// The hosts of all clouds, which instance discovery knows in each cloud.
  package static let allInstances = [Cloud.global, .china, .germany, .government].flatMap(\.instances)

  /// The hosts that are trusted without instance discovery.
  package static let trustedHosts: Set<String> = [
    "login.windows.net", "login.microsoftonline.us", "login.chinacloudapi.cn",
    "login.partner.microsoftonline.cn", "login.microsoftonline.de", "login.sovcloud-identity.fr",
    "login.sovcloud-identity.de", "login.sovcloud-identity.sg", "login.microsoftonline.com",
    "login-us.microsoftonline.com", "login.usgovcloudapi.net",
  ]

  /// `cloud_instance_name` and the hosts that a discovery document names besides the endpoints (MSAL.js,
  /// `AuthorityMetadata.ts`).
  package var documentHosts: (instance: String, graph: String, microsoftGraph: String, rbac: String) {
    switch self {
    case .global, .germany:
      ("microsoftonline.com", "graph.windows.net", "graph.microsoft.com", "https://pas.windows.net")
    case .government:
      ("microsoftonline.us", "graph.windows.net", "graph.microsoft.com", "https://pasff.usgovcloudapi.net")
    case .china:
      (
        "partner.microsoftonline.cn", "graph.chinacloudapi.cn", "microsoftgraph.chinacloudapi.cn",
        "https://pas.chinacloudapi.cn"
      )
    }
  }

  /// Finds the cloud of a host; another host, such as this machine, serves all clouds.
  package init?(host: some StringProtocol) {
    let host = host.lowercased()
    guard let found = Self.allCases.first(where: { $0.hosts.contains(host) }) else { return nil }
    self = found
  }
}

/// The name and the addresses of this machine (RFC 8252 §7.3, §8.3).
package enum Loopback: String, CaseIterable, Sendable {
  case name = "localhost"
  case ipv4 = "127.0.0.1"
  case ipv6 = "::1"

  /// Creates the case for a host in any spelling: an IPv6 address with or without brackets, letters in either case.
  package init?(host: some StringProtocol) {
    let host = host.lowercased()
    guard let found = Self.allCases.first(where: { $0.rawValue == host || $0.inURL == host }) else {
      return nil
    }
    self = found
  }

  /// The host as a URL contains it.
  package var inURL: String { self == .ipv6 ? "[\(rawValue)]" : rawValue }

  package static let displayText = allCases.map(\.rawValue).joined(separator: ", ")
}

/// The names of this machine in a URL.
package let loopbackHosts = Loopback.allCases.map(\.inURL)

/// Returns whether a lowercase host from a URL is a name of this machine.
package func isLoopback(_ host: some StringProtocol) -> Bool { loopbackHosts.contains { $0 == host } }
