import Essentials

/// The `claims` parameter (OpenID Connect Core §5.5), as far as the lab acts on it.
struct RequestedClaims: Codable, Hashable {
  /// `xms_cc`: what the client can do, `CP1` for claims challenges.
  ///
  /// It comes back in the access token.
  var clientCapabilities: [String] = []
  /// In lower case: the client knows what to do with a claims challenge (Microsoft Learn, "Claims challenges, claims requests, and
  /// client capabilities").
  static let challengeCapability = "cp1"

  /// `auth_time` in the ID token.
  var asksAuthTime = false

  /// - Throws: `invalid_request` if it is not a JSON object.
  init(_ text: String?) throws(OAuthError) {
    guard let text else { return }
    guard let json = JSONValue(bounded: Data(text.utf8), maximumBytes: 8192), json.object != nil else {
      throw OAuthError(
        .invalidRequest, "The 'claims' parameter is not a JSON object of claims requests.",
        aadsts: .requestMalformed)
    }
    let values = json["access_token"]?["xms_cc"]?["values"]?.array ?? []
    clientCapabilities = values.compactMap(\.string)
    asksAuthTime = json["id_token"]?.object?.keys.contains("auth_time") ?? false
  }

  var canBeChallenged: Bool {
    clientCapabilities.contains { $0.lowercased() == Self.challengeCapability }
  }

  /// The client capability `ProtApp`: the app knows what to do when Intune's protection is asked for.
  var canProtect: Bool { clientCapabilities.contains { $0.lowercased() == "protapp" } }
}
