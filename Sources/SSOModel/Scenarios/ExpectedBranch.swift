/// A branch of the tree of claim C3: the client ID, the redirect URI, and the credentials.
package struct ExpectedBranch: Hashable, Sendable {
  package var clientID: String
  package var redirectURI: String
  /// The token types, as in `TokenRow.type`.
  static let tokenTypes =
    CredentialType.allCases.map(\.jsonName)
    + ["LegacyAccessToken", "LegacyRefreshToken", "LegacyFamilyRefreshToken"]

  /// The types of all tokens in the branch, each as often as it occurs: "AccessToken".
  package var tokens: [String]

  func judge(_ tree: TokenTree?) -> Mismatch? {
    let client = tree?.clients.first { $0.clientID == clientID }
    let redirect = client?.redirects.first { $0.redirectURI == redirectURI }
    let found = redirect?.tokens.map(\.type).sorted() ?? []
    guard found != tokens.sorted() else { return nil }
    return Mismatch(expected: words(tokens.sorted()), found: words(found))
  }

  private func words(_ types: [String]) -> String {
    "\(clientID) › \(redirectURI) › " + (types.isEmpty ? "nothing" : types.joined(separator: ", "))
  }
}
