/// The SDKs that write the unified cache as a file, each with its own keys for entries
/// (docs/behaviour/external-clients.md §3(2)).
package enum CacheSDK: String, Codable, CaseIterable, Sendable {
  case python = "MSAL Python"
  case dotnet = "MSAL.NET"
  case node = "MSAL Node"
  case java = "MSAL Java"
  case go = "MSAL Go"

  /// Returns the key under which this SDK writes a credential, and under which it looks for a credential to remove.
  func key(_ item: CredentialItem) -> String {
    let owner = "\(item.homeAccountID)-\(item.environment)"
    let client = item.clientID
    let realm = item.realm ?? ""
    let text =
      switch item.type {
      case .refreshToken, .familyRefreshToken:
        owner + "-refreshtoken-" + refreshTail(item)
      case .idToken:
        switch self {
        case .python, .dotnet, .java: "\(owner)-idtoken-\(client)-\(realm)-"
        case .node: "\(owner)-idtoken-\(client)-\(realm)---"
        case .go: "\(owner)-idtoken-\(client)-\(realm)"
        }
      default:
        "\(owner)-\(item.type.keyName)-\(client)-\(realm)-\(item.target ?? "")" + (self == .node ? "--" : "")
      }
    return text.lowercased()
  }

  /// Returns the end of a refresh token's key.
  ///
  /// Only Python puts the client into the key of a family token. Python and Node put the target into the key.
  private func refreshTail(_ item: CredentialItem) -> String {
    let familyOrClient = (item.familyID ?? "").isEmpty ? item.clientID : item.familyID ?? ""
    return switch self {
    case .python: "\(item.clientID)--\(item.target ?? "")"
    case .dotnet, .java: "\(familyOrClient)--"
    case .node: "\(familyOrClient)-\(item.realm ?? "")-\(item.target ?? "")--"
    case .go: familyOrClient
    }
  }

  /// Returns the key of an account, which .NET does not convert to lowercase.
  func key(_ account: AccountItem) -> String {
    let text = "\(account.homeAccountID)-\(account.environment)-\(account.realm)"
    return self == .dotnet ? text : text.lowercased()
  }

  func key(_ metadata: AppMetadata) -> String { "appmetadata-\(metadata.environment)-\(metadata.clientID)" }
}

/// The values that make two entries the same credential, whatever their keys (docs/behaviour/external-clients.md §3).
struct CredentialIdentity: Hashable {
  var parts: [String]
  var target: Set<String>

  init(_ item: CredentialItem) {
    let isRefresh = item.type == .refreshToken || item.type == .familyRefreshToken
    let family = normalized(item.familyID)
    parts = [
      isRefresh ? "refreshtoken" : item.type.keyName, normalized(item.homeAccountID),
      normalized(item.environment),
      isRefresh && !family.isEmpty ? "family " + family : normalized(item.clientID),
      isRefresh ? "" : normalized(item.realm),
    ]
    target = item.type.isAccessToken ? item.scopes : []
  }
}
