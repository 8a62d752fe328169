import SSOCore

/// The hosts of Entra as people mistype them.
enum EntraHost {
  private static let editLimit = 3
  private static let ends = ["b2clogin.com", "ciamlogin.com"]

  /// Returns the host of Entra that another host is a misspelling of, or `nil` if it resembles none: it may be a host of
  /// one's own.
  static func meant(by host: String) -> String? {
    let hosts = Cloud.allCases.flatMap(\.hosts)
    guard !hosts.contains(host) else { return nil }
    // `login.microsoftonline.us.com`, `login.microsoftonline`
    if let start = hosts.filter({ host.hasPrefix($0 + ".") }).max(by: { $0.count < $1.count }) {
      return start
    }
    if let whole = hosts.first(where: { $0.hasPrefix(host + ".") }) { return whole }
    if let near = hosts.closestSpelling(to: host, most: editLimit) { return near }
    // B2C and CIAM have a name of the tenant before.
    guard let dot = host.firstIndex(of: "."), case let end = String(host[host.index(after: dot)...]),
      !ends.contains(end), let near = ends.closestSpelling(to: end, most: editLimit - 1)
    else { return nil }
    return host[...dot] + near
  }
}
