/// The lookups that MSAL performs after those in its own format.
///
/// MSAL searches the unified cache by username, and then ADAL's cache (docs/behaviour/adal.md §6,
/// docs/behaviour/silent-call.md §1(4)).
extension SilentFlow {
  /// Adds the legacy refresh token of this client or of a family, if there is one and it is not a candidate yet.
  mutating func addLegacy(to redemption: inout Redemption, familyID: String?) throws {
    let account = redemption.account
    let lookup = LegacyLookup(
      cache: LegacyCache(keychain: cache.keychain, accessGroup: cache.accessGroup), clientID: app.clientID)
    let authorities = LegacyLookup.authorities(
      hosts: redemption.environments, tenant: redemption.authority.tenant)
    let item = try lookup.refreshToken(of: account, authorities: authorities, familyID: familyID)
    checks.append(
      Check(
        familyID == nil ? "legacy refresh token of this client" : "legacy refresh token of the family",
        expected:
          "\(account.username), \(familyID.map(LegacyKey.familyClientID) ?? app.clientID), \(authorities.first ?? "none")",
        found: item?.authority ?? "none", verdict: item == nil ? .skipped : .passed, source: "adal.md §6")
    )
    guard let item, let secret = item.refreshToken,
      !redemption.candidates.contains(where: { $0.token.secret == secret })
    else { return }
    let token = CredentialItem(
      type: .refreshToken,
      [
        .clientID: app.clientID, .secret: secret, .environment: item.environment,
        .homeAccountID: item.homeAccountID ?? account.identifier,
      ])
    redemption.candidates.append(
      .init(
        token: token, source: familyID == nil ? .legacyRefreshToken : .legacyFamilyRefreshToken, legacy: item)
    )
  }
}
