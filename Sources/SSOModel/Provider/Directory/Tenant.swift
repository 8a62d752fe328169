/// An organisation's directory, or the one of all personal accounts.
package struct Tenant: Codable, Hashable, Sendable {
  /// GUID in lower case.
  package var id: String
  package var displayName: String
  /// Verified domains in lower case: `contoso.com`.
  ///
  /// Each names the tenant in an authority URL.
  package var domains: [String]
  /// What `az login` lists; nil: one that follows from the tenant's ID.
  package var subscriptions: [Subscription]?
  /// A refresh token serves once, and one that comes again revokes its whole grant (RFC 9700 §4.14.2).
  ///
  /// Not so at Entra, where the old one stays valid: several processes may share one cache.
  package var detectsRefreshTokenReuse = false
  /// Host of the cloud it is in; nil: the public cloud.
  ///
  /// Its endpoints are there, whatever host is asked.
  package var cloudHost: String?
  /// Its AD FS is the one that answers at `/adfs`.
  ///
  /// If no tenant's is, the first organisation's does.
  package var runsADFS = false

  package init(
    id: String, displayName: String, domains: [String], subscriptions: [Subscription]? = nil
  ) {
    self.id = id.lowercased()
    self.displayName = displayName
    self.domains = domains.map { $0.lowercased() }
    self.subscriptions = subscriptions
  }

  package var listedSubscriptions: [Subscription] {
    subscriptions
      ?? [Subscription(id: guid(of: "subscription of " + id), displayName: displayName + " Lab")]
  }

  /// Where every personal Microsoft account is at home (docs/behaviour/msal-cache.md §7).
  package static let personalID = PublicCloud.personalTenantID
}

/// An Azure subscription: a name and an ID, nothing that costs money.
package struct Subscription: Codable, Hashable, Sendable {
  package var id: String
  package var displayName: String

  package init(id: String, displayName: String) {
    self.id = id
    self.displayName = displayName
  }
}

/// A version 8 UUID that always is the same for the same text (RFC 9562 §5.8).
package func guid(of text: String) -> String {
  var bytes = Array(sha256(text.utf8).prefix(16))
  bytes[6] = bytes[6] & 0x0F | 0x80
  bytes[8] = bytes[8] & 0x3F | 0x80
  let hex = bytes.map(hexadecimal).joined()
  let cuts = [0, 8, 12, 16, 20, 32]
  return zip(cuts, cuts.dropFirst()).map { start, end in
    String(hex.dropFirst(start).prefix(end - start))
  }.joined(separator: "-")
}
