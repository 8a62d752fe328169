import Essentials
import SSOCore
import SSOReference

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

  /// The requested authentication contexts, by token: `{"access_token":{"acrs":{"essential":true,"value":"c1"}}}`.
  var contexts: [String: [String]]?

  enum Token: String, CaseIterable {
    case accessToken = "access_token"
    case idToken = "id_token"
  }

  /// `acrs`: the authentication contexts that the sign-in satisfies, which are all that were requested, because no policy of
  /// the lab is for a context (Microsoft Learn, "Developer guide to Conditional Access authentication context").
  func contexts(of token: Token) -> JSONValue? {
    guard let values = contexts?[token.rawValue], !values.isEmpty else { return nil }
    return .array(values.map(JSONValue.string))
  }

  /// Returns whether a value is one of Entra's 99 authentication contexts.
  private static func isContext(_ value: String) -> Bool {
    guard value.hasPrefix("c"), let number = Int(value.dropFirst()) else { return false }
    return (1...99).contains(number) && value == "c\(number)"
  }

  /// Parses the parameter.
  ///
  /// - Throws: `invalid_request` if it is not a JSON object.
  init(_ text: String?) throws(OAuthError) {
    guard let text, !text.isEmpty else { return }
    guard let json = JSONValue(bounded: Data(text.utf8), maximumBytes: 8192), json.object != nil else {
      throw .malformed(
        .invalidRequest, "The 'claims' parameter is not a JSON object of claims requests.")
    }
    let values = json["access_token"]?["xms_cc"]?["values"]?.array ?? []
    clientCapabilities = values.compactMap(\.string)
    asksAuthTime = json["id_token"]?.object?.keys.contains("auth_time") ?? false
    for token in Token.allCases {
      guard let wish = json[token.rawValue]?["acrs"] else { continue }
      let values = (wish["values"]?.array ?? []) + [wish["value"]].compactMap { $0 }
      let ids = values.compactMap(\.string).filter(Self.isContext)
      contexts = (contexts ?? [:]).merging([token.rawValue: ids]) { $1 }
    }
  }

  /// `xms_cc` of an access token, or `nil` if the client has no capabilities.
  var capabilities: JSONValue? {
    clientCapabilities.isEmpty ? nil : .array(clientCapabilities.map(JSONValue.string))
  }

  var canBeChallenged: Bool {
    clientCapabilities.contains { $0.lowercased() == Self.challengeCapability }
  }

  /// Whether the app has the client capability `ProtApp`, that is, handles Intune's app protection.
  var canProtect: Bool { clientCapabilities.contains { $0.lowercased() == "protapp" } }
}
