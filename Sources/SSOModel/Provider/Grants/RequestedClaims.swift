import Essentials

/// The part of the `claims` parameter (OpenID Connect Core §5.5) that the lab supports.
struct RequestedClaims: Codable, Hashable {
  /// `xms_cc`: the client's capabilities, such as `CP1` for claims challenges.
  ///
  /// The access token contains them.
  var clientCapabilities: [String] = []
  /// The capability to handle a claims challenge, in lowercase (Microsoft Learn, "Claims challenges, claims
  /// requests, and client capabilities").
  static let challengeCapability = "cp1"

  /// Whether the ID token must contain `auth_time`.
  var asksAuthTime = false

  /// Parses the parameter.
  ///
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

  /// Whether the app has the client capability `ProtApp`, that is, handles Intune's app protection.
  var canProtect: Bool { clientCapabilities.contains { $0.lowercased() == "protapp" } }
}
