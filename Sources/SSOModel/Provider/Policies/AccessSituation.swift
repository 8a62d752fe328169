/// What the provider knows of device and app behind a request: what policies look at.
///
/// It goes along with code and refresh token, so that a later silent call is judged by it too.
package struct AccessSituation: Codable, Hashable {
  /// Of the device to which the primary refresh token was issued.
  var deviceID: String?
  /// The broker asks for the app, having seen which app it is (claim B1).
  var isBrokered = false
  /// Intune's ID of the app's enrolment (docs/behaviour/broker.md §11(2)).
  var enrollmentID: String?
  /// `ProtApp` is among the app's capabilities.
  var canProtect = false
  /// Signed in with the certificate on the device.
  var hasCertificate = false
  /// A second factor was given, or a certificate shown; nil in one of an older version: no.
  var hasSecondFactor: Bool?
}

extension AccessSituation {
  /// The situation of a browser's request: only a broker's web view shows a primary refresh token, and only it hands a
  /// certificate sign-in to the browser, with the redirect URI that begins with `RedirectOwner.certificatePrefix` (claim D4).
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

  /// Whether the browser showed, in its TLS handshake, a certificate that the directory knows this person by.
  private static func hasCertificate(
    _ context: RequestContext, of username: String, _ provider: ProviderResources
  ) throws -> Bool {
    guard let thumbprint = context.cookies[Provider.certificateCookie], !thumbprint.isEmpty,
      let person = try provider.directory.person(username: username)
    else { return false }
    return person.certificates.contains { isSameSecret($0, thumbprint) }
  }
}
