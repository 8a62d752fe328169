/// The provider's knowledge of the device and app of a request, as the input of policies.
///
/// It is stored with codes and refresh tokens, so that later silent calls are evaluated with it too.
package struct AccessSituation: Codable, Hashable {
  /// The device to which the primary refresh token was issued.
  var deviceID: String?
  /// Whether the broker sent the request for the app, after it identified the app (claim B1).
  var isBrokered = false
  /// Intune's ID of the app's enrollment (docs/behaviour/broker.md §11(2)).
  var enrollmentID: String?
  /// Whether the app has the capability `ProtApp`.
  var canProtect = false
  /// Whether the user signed in with the certificate on the device.
  var hasCertificate = false
  /// Whether the user completed MFA or presented a certificate.
  ///
  /// `nil` in records of older versions, which means no.
  var hasSecondFactor: Bool?
}

extension AccessSituation {
  /// Creates the situation of a browser request.
  ///
  /// Only a broker's web view sends a primary refresh token, and only the broker moves a certificate sign-in
  /// to the browser, with a redirect URI that begins with `RedirectOwner.certificatePrefix` (claim D4).
  init(of flow: SignInFlow, _ context: RequestContext, _ provider: ProviderResources) throws {
    canProtect = flow.claims?.canProtect ?? false
    enrollmentID = flow.enrollmentID
    isBrokered = flow.redirectURI.hasPrefix(RedirectOwner.certificatePrefix)
    if let primary = context.cookies[SSOSessions.primaryRefreshTokenCookie],
      let record = try provider.documents.refreshToken(secret: primary), record.kind == .primary
    {
      isBrokered = true
      deviceID = record.deviceID
      hasSecondFactor = record.situation?.hasSecondFactor
    }
    guard let username = flow.username else { return }
    hasCertificate = try Self.hasCertificate(context, of: username, provider)
    let session = try provider.sessions.kept(of: context.cookies)
    if hasCertificate || flow.hasSecondFactor == true
      || session?.secondFactors?.contains(username.lowercased()) == true
    {
      hasSecondFactor = true
    }
  }

  /// Returns whether the browser presented one of the user's certificates in its TLS handshake.
  private static func hasCertificate(
    _ context: RequestContext, of username: String, _ provider: ProviderResources
  ) throws -> Bool {
    guard let thumbprint = context.cookies[Provider.certificateCookie], !thumbprint.isEmpty,
      let person = try provider.directory.person(username: username)
    else { return false }
    return person.certificates.contains { isSameSecret($0, thumbprint) }
  }
}
