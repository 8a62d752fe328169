/// The directory of an organisation, or of all personal accounts.
package struct Tenant: Codable, Hashable, Sendable {
  /// The tenant ID: a GUID in lowercase.
  package var id: String
  package var displayName: String
  /// The verified domains in lowercase, such as `contoso.com`.
  ///
  /// Each one can identify the tenant in an authority URL.
  package var domains: [String]
  /// The subscriptions that `az login` lists, or `nil` for a subscription derived from the tenant ID.
  package var subscriptions: [Subscription]?
  /// Whether refresh tokens are single-use, and a reused one revokes its entire grant (RFC 9700 §4.14.2).
  ///
  /// Entra does not do this: the old refresh token stays valid, because several processes may share a cache.
  package var detectsRefreshTokenReuse = false
  /// The host of the tenant's cloud, or `nil` for the public cloud.
  ///
  /// The tenant's endpoints are on this host, whichever host received the request.
  package var cloudHost: String?
  /// Whether this tenant's AD FS responds at `/adfs`.
  ///
  /// If no tenant sets this, the first organisation's AD FS responds.
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

  /// The tenant of all personal Microsoft accounts (docs/behaviour/msal-cache.md §7).
  package static let personalID = PublicCloud.personalTenantID
}

/// An Azure subscription, reduced to a name and an ID.
package struct Subscription: Codable, Hashable, Sendable {
  package var id: String
  package var displayName: String

  package init(id: String, displayName: String) {
    self.id = id
    self.displayName = displayName
  }
}

/// Returns a version 8 UUID that is always the same for the same text (RFC 9562 §5.8).
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
