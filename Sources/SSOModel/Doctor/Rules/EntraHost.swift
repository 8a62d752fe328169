import SSOCore

/// Entra's hosts, which are often mistyped.
enum EntraHost {
  private static let editLimit = 3
  private static let ends = ["b2clogin.com", "ciamlogin.com"]

  /// Returns the host of Entra that another host is a misspelling of, or `nil` if it does not resemble one; it may be a
  /// custom host.
  static func meant(by host: String) -> String? {
    let hosts = Cloud.allCases.flatMap(\.hosts)
    guard !hosts.contains(host) else { return nil }
    // `login.microsoftonline.us.com`, `login.microsoftonline`
    if let start = hosts.filter({ host.hasPrefix($0 + ".") }).max(by: { $0.count < $1.count }) {
      return start
    }
    if let whole = hosts.first(where: { $0.hasPrefix(host + ".") }) { return whole }
    if let near = hosts.closestSpelling(to: host, most: editLimit) { return near }
    // The hosts of B2C and CIAM begin with the tenant's name.
    guard let dot = host.firstIndex(of: "."), case let end = String(host[host.index(after: dot)...]),
      !ends.contains(end), let near = ends.closestSpelling(to: end, most: editLimit - 1)
    else { return nil }
    return host[...dot] + near
  }
}
