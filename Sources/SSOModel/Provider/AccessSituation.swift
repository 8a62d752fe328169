import SSOCore

/// What the provider knows of device and app behind a request: what policies look at. It goes along with code and refresh
/// token, so that a later silent call is judged by it too.
package struct AccessSituation: Codable, Hashable {
  /// Of the device to which the primary refresh token was issued.
  var deviceID: String?
  /// The broker asks for the app, having seen which app it is (claim B1).
  var isBrokered = false
  /// Intune's ID of the app's enrolment (fact sheet §5.11).
  var enrollmentID: String?
  /// `ProtApp` is among the app's capabilities.
  var canProtect = false
  /// Signed in with the certificate on the device.
  var hasCertificate = false
}

extension Provider {
  /// The situation of a browser's request: only a broker's web view shows a primary refresh token, and only it hands a certificate sign-in
  /// to the browser, with a redirect URI of its own (claim D4).
  func situation(of exchange: Exchange, _ flow: SignInFlow) throws -> AccessSituation {
    var situation = AccessSituation()
    situation.canProtect = flow.claims?.canProtect ?? false
    situation.enrollmentID = flow.enrollmentID
    situation.isBrokered = flow.redirectURI.hasPrefix(certificateRedirectPrefix)
    if let primary = exchange.cookies[SSOSessions.primaryRefreshTokenCookie],
      let record = try refreshTokens.record(secret: primary), record.kind == .primary
    {
      situation.isBrokered = true
      situation.deviceID = record.deviceID
    }
    if let username = flow.username {
      situation.hasCertificate = try hasCertificate(exchange, of: username)
    }
    return situation
  }

  /// Whether the browser showed, in its TLS handshake, a certificate that the directory knows this person by.
  func hasCertificate(_ exchange: Exchange, of username: String) throws -> Bool {
    guard let thumbprint = exchange.cookies[Self.certificateCookie], !thumbprint.isEmpty,
      let person = try directory.person(username: username)
    else { return false }
    return person.certificates?.contains { isSameSecret($0, thumbprint) } ?? false
  }

  /// Stands for the certificate of a TLS handshake, by its thumbprint. A real one comes below HTTP.
  package static let certificateCookie = "x-client-certificate-thumbprint"
}

/// `msauth://code/<broker redirect URI, URL-encoded>` (claim D4).
let certificateRedirectPrefix = "msauth://code/"

extension RequestedClaims {
  /// The client capability `ProtApp`: the app knows what to do when Intune's protection is asked for.
  var canProtect: Bool { clientCapabilities.contains { $0.lowercased() == "protapp" } }
}
