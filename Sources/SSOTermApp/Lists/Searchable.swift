/// A row whose columns a filter can refer to by name, as in `client:4b0` or `!state:valid`.
protocol Searchable {
  static var searchColumns: [String] { get }
  /// The texts to search, in the order of `searchColumns`.
  var searchValues: [String] { get }
}

extension AppRow: Searchable {
  static let searchColumns = ["app", "client", "redirect", "user", "state", "lib", "next"]
  var searchValues: [String] {
    [
      displayName + " " + bundleID, clientID, redirectURI, accounts.joined(separator: " "),
      "\(accessToken.words) \(refreshToken.words)", sdk, next.sentence,
    ]
  }
}

extension AccountRow: Searchable {
  static let searchColumns = ["user", "tenant", "app", "state", "name", "id"]
  var searchValues: [String] {
    [
      username, (homeTenantName ?? "") + " " + homeTenantID, apps.joined(separator: " "), refreshToken.words,
      displayName ?? "", identifier,
    ]
  }
}

extension TokenLine: Searchable {
  static let searchColumns = ["client", "app", "redirect", "user", "type", "scope", "state", "realm"]

  /// The texts to search.
  ///
  /// A credential also matches by its user, and by the app that it is listed under.
  var searchValues: [String] {
    switch kind {
    case .client(let name): return [text + " " + (name ?? "")]
    case .redirect(let app): return ["", app ?? "", text]
    case .branch(let branch): return [branch.clientID, branch.app ?? "", text]
    case .token(let row):
      return [
        row.clientID, app ?? row.apps.joined(separator: " "), uri ?? row.redirectURIs.joined(separator: " "),
        row.username ?? row.homeAccountID, "\(row.type) \(row.shortType)", row.target ?? "",
        row.standing.words,
        row.realm ?? "",
      ]
    }
  }
}

extension KeychainItemRow: Searchable {
  static let searchColumns = ["kind", "user", "service", "state"]
  var searchValues: [String] { [kind, username ?? "", key.service, standing.words] }
}

extension TraceSummary: Searchable {
  static let searchColumns = ["what", "outcome", "state", "id"]
  var searchValues: [String] {
    [title, summary, isUndone ? "undone" : verdict, correlationID, author?.words ?? ""]
  }
}

extension PickerCandidate: Searchable {
  static let searchColumns = ["user", "name", "tenant", "state", "app"]
  var searchValues: [String] {
    [username, displayName, tenantName, "\(state.rawValue) \(remark)", lastUse?.app ?? ""]
  }
}

extension TokenStanding {
  /// The state as in JSON, followed by its text on the screen.
  fileprivate var words: String { state == .valid ? "valid" : "\(state.rawValue) \(text.dropFirst(2))" }
}
