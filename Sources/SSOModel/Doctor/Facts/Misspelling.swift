import SSOCore
import SSODevice
import SSOReference

/// A key that the SDK ignores, and that resembles a missing key.
package struct MisspeltKey: Hashable, Sendable {
  /// The key as the SDK reads it.
  package var key: String
  /// The key as it is written.
  package var written: Found<String>

  var mistake: String { "\(key) is misspelt" }

  /// The maximum number of letters that differ.
  ///
  /// A word with more differences may be another key: `CFBundleURLName` and `CFBundleURLSchemes` differ in five.
  private static let limit = 3
  private static let keyLimit = 1000

  /// Returns the keys of an object, with their lines, that resemble one of the missing keys.
  ///
  /// `others` are keys that the SDK does not need here but that are valid.
  static func find(
    among written: [(key: String, line: Int?)], of keys: [String], others: [String] = [], in path: String
  ) -> [MisspeltKey] {
    let present = Set(written.map(\.key))
    let known = Set(keys + others)
    var missing = keys.filter { !present.contains($0) }
    return written.prefix(keyLimit).compactMap { word, line in
      guard !known.contains(word), let key = missing.closestSpelling(to: word, most: limit) else {
        return nil
      }
      missing.removeAll { $0 == key }
      return MisspeltKey(key: key, written: Found(word, FilePlace(path, line: line)))
    }
  }
}

extension [MisspeltKey] {
  /// The spelling of a missing key, or `nil` if none resembles it.
  subscript(_ key: String) -> MisspeltKey? { first { $0.key == key } }
}

/// Entra's hosts, which are often mistyped.
enum EntraHost {
  private static let editLimit = 3
  private static let ends = ["b2clogin.com", "ciamlogin.com"]
  /// The parts of paths that only endpoints have, and not authorities.
  static let endpointParts: Set<String> = [
    "oauth2", "authorize", "token", ".well-known", "openid-configuration",
  ]

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
    // The tenant's domain, at which no service answers.
    if host.hasSuffix(".onmicrosoft.com") { return PublicCloud.preferredNetwork }
    // The hosts of B2C and CIAM begin with the tenant's name.
    guard let dot = host.firstIndex(of: "."), case let end = String(host[host.index(after: dot)...]),
      // B2C's host in China.
      !ends.contains(end), end != "b2clogin.cn",
      let near = ends.closestSpelling(to: end, most: editLimit - 1)
    else { return nil }
    return host[...dot] + near
  }
}

/// The names by which Entra may know a tenant.
enum EntraTenant {
  /// Returns whether the provider may know a tenant by this name: an ID, a domain, or a word for several tenants.
  static func mayBe(_ name: String) -> Bool {
    // No domain ends like this: `.com` is missing.
    guard !name.hasSuffix(".onmicrosoft") else { return false }
    // Below Microsoft's own domain, a tenant has one label, and Exchange's domain one more.
    let labels = name.split(separator: ".")
    if name.hasSuffix(".onmicrosoft.com"), labels.count > 3, labels[1] != "mail" { return false }
    return name.isGUID || name.contains(".") || Authority.tenantless.contains(name)
      // An ID without its dashes.
      || name.utf8.count == 32 && name.allSatisfy(\.isHexDigit)
  }

  /// Returns the tenant in an authority of Entra's public cloud that cannot be the name of a tenant, or `nil`.
  static func impossible(in authority: String) -> String? {
    guard let parts = URLParts(authority), PublicCloud.aliases.contains(parts.host.lowercased()) else {
      return nil
    }
    let path = parts.path.split(separator: "/").map { $0.lowercased() }
    guard let name = path.first, !["tfp", "adfs"].contains(name), !mayBe(name), !Placeholders.contain(name)
    else { return nil }
    return name
  }

  /// Returns the provider's rejection of a name when the SDK asks for the tenant's configuration.
  static func refusal(of name: String) -> DoctorCheck.Refusal {
    DoctorCheck.Refusal(AADSTSCode.tenantNotFound, "Tenant '\(name)' not found.")
  }
}

extension String {
  /// The part of an address behind its scheme: `lamp.example/tenant` of `http://lamp.example/tenant`.
  var withoutScheme: Substring { firstRange(of: "://").map { self[$0.upperBound...] } ?? self[...] }
}
