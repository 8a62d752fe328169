/// A reader for lists of the keychain's keys: those of credentials, and those of all items.
struct KeyReading {
  let reader: LabReader

  /// The number of credentials or items up to which all of them are read in full.
  private static let short = 500
  /// The size of the first page of a longer list.
  private static let page = 100

  /// Returns the tree of a scope.
  ///
  /// If there are very many credentials, the tree contains only its branches, and each branch opens as a list.
  func tokens(of scope: TokenScope) throws -> Loaded {
    guard scope.account == nil, try reader.branches.credentialCount() > Self.short else {
      return .tokens(try reader.tokens.tree(TokenFilter(scope)))
    }
    return scope.clientID == nil
      ? .tokenBranches(try reader.branches.all()) : try tokenList(scope, limit: Self.page)
  }

  func tokenList(_ scope: TokenScope, limit: Int?) throws -> Loaded {
    let branches = try reader.branches.all().filter {
      $0.clientID.lowercased() == scope.clientID?.lowercased() && $0.redirectURI == scope.redirectURI
    }
    let headings = TokenLine.lines(of: branches).map { line in
      if case .branch(let branch) = line.kind {
        TokenLine(id: line.id, kind: .redirect(app: branch.app), text: line.text)
      } else {
        line
      }
    }
    var index = RowIndex(columns: ["user", "type", "scope"])
    for line in headings { index.append(RowID(line.id), [line.text]) }
    let expected = headings.count + branches.reduce(0) { $0 + $1.count }
    guard let clientID = scope.clientID else { return .tokenList(scope, headings, index) }
    try reader.branches.each(clientID: clientID, redirectURI: scope.redirectURI) { token in
      index.append(
        RowID(token.row),
        [
          token.account, "\(token.type) \(CredentialKind(type: token.type)?.rawValue ?? token.type)",
          token.target,
        ])
      return index.keepsFilling(to: expected, limit: limit)
    }
    return .tokenList(scope, headings, index)
  }

  /// Returns the items of an access group, or the first page of very many items.
  func items(of group: String) throws -> Loaded {
    guard try reader.keychain.itemCount(group: group) <= Self.short else {
      return try itemList(group, limit: Self.page)
    }
    return .items(group: group, try reader.keychain.rows(group: group))
  }

  func itemList(_ group: String, limit: Int?) throws -> Loaded {
    let expected = try reader.keychain.itemCount(group: group)
    var index = RowIndex(columns: ["user", "service", "id"])
    try reader.keychain.each(group: group) { item in
      index.append(RowID(item.row), [item.username, item.service, item.account])
      return index.keepsFilling(to: expected, limit: limit)
    }
    return .itemList(group: group, index)
  }
}

extension RowIndex {
  /// Returns whether to continue after a row.
  ///
  /// It reserves capacity once some rows are there, and stops after a page, which then contains the total number of
  /// rows.
  fileprivate mutating func keepsFilling(to expected: Int, limit: Int?) -> Bool {
    if count == 2000 { reserve(expected) }
    guard let limit, count >= limit else { return true }
    total = expected
    return false
  }
}
