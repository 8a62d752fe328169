extension Lab {
  /// The rows that the screens ask for.
  func read(_ load: Load) throws -> Loaded {
    switch load {
    case .status: return .status(try status())
    case .apps: return .apps(try apps())
    case .firstAccounts: return try firstAccounts()
    case .accounts: return try allAccounts()
    case .accountDetails: return try accountDetails()
    case .accountRows(let ids): return .accountRows(try accounts(rows: ids.map(\.value)).byID)
    case .tokens(let scope): return try tokens(of: scope)
    case .allTokens(let scope): return try tokenList(scope, limit: nil)
    case .tokenRows(let ids): return .tokenRows(try tokens(rows: ids.map(\.value)).byID)
    case .detail(let id, let revealed):
      return .detail(try tokenDetail(id, unmasked: revealed), revealed: revealed)
    case .people:
      let people = try store.read { try Directory(documents: $0).people() }
      return .people(
        people.prefix(40).map { person in
          let remark = person.isDisabled ? "disabled" : person.requiresMFA ? "MFA required" : ""
          return TestPerson(username: person.username, password: person.password, remark: remark)
        })
    case .groups: return .groups(try keychainGroups())
    case .items(let group): return try items(of: group)
    case .allItems(let group): return try itemList(group, limit: nil)
    case .itemRows(let ids): return .itemRows(try keychainItems(rows: ids.map(\.value)).byID)
    case .traces: return .traces(try traces(limit: 500))
    case .trace(let id): return .trace(try trace(id))
    case .visibility: return .visibility(try visibility())
    case .why(let subject): return .why(subject, try checklist(of: subject))
    case .outcome(let id): return .outcome(try trace(id))
    case .provider: return .provider(try providerRows())
    case .records: return .records(try LabRow.kinds.flatMap { try records($0) })
    case .blastRadius(let intent): return .blastRadius(intent, try blastRadius(of: intent))
    case .blastRadiusOfRows(let ids):
      let intent = Intent.delete(credentials: try credentials(in: .rows(ids, kinds: [])))
      return .blastRadius(intent, try blastRadius(of: intent))
    }
  }

  private func checklist(of subject: WhySubject) throws -> Checklist? {
    switch subject {
    case .app(let app): try why(app: app)
    case .apps(let app, let other): try why(app: app, with: other)
    case .account(let account): try why(account: account)
    case .token(let id): try why(credential: id)
    case .trace(let id): try why(trace: id)
    }
  }

  /// The IDs of the credentials that a change is for.
  func credentials(in target: Target) throws -> [String] {
    switch target {
    case .credentials(let ids): ids
    case .accessTokens(let scopes): try credentials(in: scopes, kinds: [.accessToken])
    case .refreshTokens(let scopes): try credentials(in: scopes, kinds: [.refreshToken, .familyRefreshToken])
    case .rows(let ids, let kinds):
      try tokens(rows: ids.map(\.value).sorted()).sorted { $0.key < $1.key }.map(\.value)
        .filter { kinds.isEmpty || $0.kind.map(kinds.contains) == true }.map(\.id)
    }
  }

  private func credentials(in scopes: [TokenScope], kinds: Set<CredentialKind>) throws -> [String] {
    var seen: Set<String> = []
    return try scopes.flatMap { try tokens(filter: TokenFilter($0), unmasked: false) }
      .filter { $0.kind.map(kinds.contains) == true && seen.insert($0.id).inserted }.map(\.id)
  }
}

extension TokenFilter {
  init(_ scope: TokenScope) {
    self.init(clientID: scope.clientID, redirectURI: scope.redirectURI, account: scope.account)
  }
}

extension Problem {
  /// Every error of the model says what, why and what next; others say what they can.
  init(_ error: any Error) {
    if let error = error as? LabError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? StoreError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? UnwritableFile {
      self.init(what: error.what, why: error.why, next: error.next)
    } else {
      self.init(what: "\(error)")
    }
  }
}
