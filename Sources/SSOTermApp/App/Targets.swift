import SSOLab

/// What a command acts on: the marked rows, else the selected one.
extension AppModel {
  var targetApps: [AppRow] {
    let marked = marked
    return marked.isEmpty ? selectedApp.map { [$0] } ?? [] : appRows.filter { marked.contains(RowID($0.id)) }
  }

  private var targetTokens: [TokenRow] {
    let marked = marked
    guard !marked.isEmpty else { return selectedToken.map { [$0] } ?? [] }
    var seen: Set<String> = []
    return tokenLines.compactMap(\.token).filter {
      marked.contains(RowID(credential: $0.id)) && seen.insert($0.id).inserted
    }
  }

  private var targetItems: [KeychainItemRow] {
    let marked = marked
    return marked.isEmpty
      ? selectedItem.map { [$0] } ?? [] : items.ids.filter(marked.contains).compactMap { itemRows[$0] }
  }

  /// Marked rows of a long list, most of which may never have been seen; nil if there is none.
  var markedRows: Set<RowID>? {
    let list = place == .keychain ? items : tokens
    guard place == .keychain || place == .tokens, list.index.isLong, !marked.isEmpty else { return nil }
    return marked
  }

  /// All rows of a long list that are shown under its filter; nil if the list is not long.
  var shownRows: Set<RowID>? {
    switch place {
    case .tokens where tokens.index.isLong: Set(tokens.matches.map { tokens.ids[$0] })
    case .keychain where items.index.isLong: Set(items.matches.map { items.ids[$0] })
    default: nil
    }
  }

  /// The types of credential that a change is for: refresh tokens are invalidated, access and ID tokens expire. Among
  /// keychain items any token may be made to expire.
  func types(for change: Change) -> Set<String> {
    switch change {
    case .invalidate: ["RT", "FRT", "PRT"]
    case .expire: place == .keychain ? [] : ["AT", "ID"]
    }
  }

  /// Those of the targets that a change is for, by ID.
  func targets(of change: Change) -> [String] {
    if place == .keychain {
      return targetItems.filter { $0.kind.contains(change == .expire ? "token" : "refresh") }.map {
        "t\($0.id)"
      }
    }
    let types = types(for: change)
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
      return tokens.matches.compactMap { tokenLine($0)?.token?.id }.filter { seen.insert($0).inserted }
    case .keychain:
      return items.matches.compactMap { itemRows[items.ids[$0]] }.filter { $0.kind.contains("token") }
        .map { "t\($0.id)" }
    default: return []
    }
  }

  /// The account that the selected row belongs to, by home account ID or username.
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
    guard place == .accounts, !marked.isEmpty else { return accountInSight.map { [$0] } ?? [] }
    return accounts.index.values(of: "id", inRows: marked)
  }

  /// The selected app; for an account the first one that it is signed in to.
  var appInSight: AppRow? {
    guard place == .accounts else { return selectedApp }
    return appRows.first { selectedAccount?.apps.contains($0.displayName) ?? false } ?? appRows.first
  }
}
