/// Lists over the keys of the keychain: those of credentials and of all items.
struct KeyReading {
  let reader: LabReader

  /// Up to so many credentials or items are read as they are.
  private static let short = 500
  /// The first page of more.
  private static let page = 100

  /// The tree of a scope.
  ///
  /// With very many credentials it has its branches only, and a branch opens as a list.
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

  /// The items of a group; of very many the first page.
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
  /// After each row: makes room when some are there, and stops at a page, which then says how many there are.
  fileprivate mutating func keepsFilling(to expected: Int, limit: Int?) -> Bool {
    if count == 2000 { reserve(expected) }
    guard let limit, count >= limit else { return true }
    total = expected
    return false
  }
}
