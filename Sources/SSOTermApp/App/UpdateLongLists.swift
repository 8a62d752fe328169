extension AppModel {
  /// Asks for the rows of a long list that have come into sight.
  mutating func readRowsInSight() -> [Command] {
    guard layout.fits else { return [] }
    let height = layout.listHeight(of: self)
    switch place {
    case .accounts where accounts.index.isLong:
      return accountRows.missing(in: accounts, height: height).map { [.load(.accountRows($0))] } ?? []
    case .tokens where tokens.index.isLong:
      return tokenRows.missing(in: tokens, height: height).map { [.load(.tokenRows($0))] } ?? []
    case .keychain where items.index.isLong:
      return itemRows.missing(in: items, height: height).map { [.load(.itemRows($0))] } ?? []
    default: return []
    }
  }

  /// The whole list again if it is there already, so that it does not shrink to its first page meanwhile.
  func loadOfItems(_ group: String) -> Load {
    items.index.isLong && items.index.total == nil ? .allItems(group: group) : .items(group: group)
  }

  var loadOfTokens: Load {
    tokens.index.isLong && tokens.index.total == nil ? .allTokens(tokenScope) : .tokens(tokenScope)
  }
}
