import SSOModel

/// What a command acts on: the marked rows, else the selected one.
extension AppModel {
  var targetApps: [AppRow] {
    let marked = marked
    return marked.isEmpty ? selectedApp.map { [$0] } ?? [] : appRows.filter { marked.contains($0.id) }
  }

  private var targetTokens: [TokenRow] {
    let marked = marked
    guard !marked.isEmpty else { return selectedToken.map { [$0] } ?? [] }
    var seen: Set<String> = []
    return tokenLines.compactMap(\.token).filter { marked.contains($0.id) && seen.insert($0.id).inserted }
  }

  private var targetItems: [KeychainItemRow] {
    let marked = marked
    return marked.isEmpty ? selectedItem.map { [$0] } ?? [] : itemRows.filter { marked.contains("\($0.id)") }
  }

  /// Those of the targets that a change is for, by ID: refresh tokens are invalidated, access and ID tokens expire.
  func targets(of change: Change) -> [String] {
    if place == .keychain {
      return targetItems.filter { $0.kind.contains(change == .expire ? "token" : "refresh") }.map {
        "t\($0.id)"
      }
    }
    let types = change == .expire ? ["AT", "ID"] : ["RT", "FRT", "PRT"]
    return targetTokens.filter { types.contains($0.shortType) }.map(\.id)
  }

  /// Credentials that can be deleted: among keychain items there are accounts and metadata too.
  var deletable: [String] {
    place == .keychain
      ? targetItems.filter { $0.kind.contains("token") }.map { "t\($0.id)" } : targetTokens.map(\.id)
  }

  /// All credentials that the screen shows under its filter.
  var shownCredentials: [String] {
    switch place {
    case .tokens:
      var seen: Set<String> = []
      return tokens.matches.compactMap { tokenLines[$0].token?.id }.filter { seen.insert($0).inserted }
    case .keychain:
      return items.matches.map { itemRows[$0] }.filter { $0.kind.contains("token") }.map { "t\($0.id)" }
    default: return []
    }
  }

  /// The account that the selected row belongs to, by home account ID.
  var accountInSight: String? {
    switch place {
    case .accounts: selectedAccount?.identifier
    case .tokens: selectedToken.flatMap { $0.homeAccountID.isEmpty ? $0.username : $0.homeAccountID }
    default: nil
    }
  }

  /// Accounts whose access tokens `E` expires.
  var accountsToExpire: [String] {
    let marked = marked
    if place == .accounts, !marked.isEmpty {
      return accountRows.filter { marked.contains($0.id) }.map(\.identifier)
    }
    return accountInSight.map { [$0] } ?? []
  }

  /// The selected app; for an account the first one that it is signed in to.
  var appInSight: AppRow? {
    guard place == .accounts else { return selectedApp }
    return appRows.first { selectedAccount?.apps.contains($0.displayName) ?? false } ?? appRows.first
  }
}
