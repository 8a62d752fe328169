import SSOLab
import TerminalUI

/// The actions on credentials, on the screens that show them.
enum CredentialAction: String, FeatureAction {
  case expire, invalidate, delete
  /// Expires all access tokens of an account.
  case expireAll

  var heading: String { "Tokens" }
  var changesLab: Bool { true }

  private var change: ChangeCredentials.Change? {
    switch self {
    case .expire, .expireAll: .expire
    case .invalidate: .invalidate
    case .delete: nil
    }
  }

  func obstacle(in model: AppModel) -> String? {
    if self == .expireAll {
      return model.selection.accounts.isEmpty ? "select an account or its token first" : nil
    }
    do throws(UnavailableReason) {
      _ = try model.screen.target(of: change, model.shared)
      return nil
    } catch { return error.text }
  }

  func run(on model: inout AppModel) -> [Command] {
    if self == .expireAll { return expire(model.selection.accounts, &model) }
    return (try? model.screen.target(of: change, model.shared)).map { run(for: $0, &model) } ?? []
  }

  private func run(for target: Target, _ model: inout AppModel) -> [Command] {
    guard let change else {
      if case .rows(let rows, _) = target { return [.load(.blastRadiusOfRows(rows))] }
      if case .credentials(let ids) = target {
        return [.load(.blastRadius(of: ChangeCredentials(.delete, ids)))]
      }
      return []
    }
    return model.shared.begin(change == .expire ? "Expiring" : "Invalidating", .change(change, target))
  }

  private func expire(_ accounts: [String], _ model: inout AppModel) -> [Command] {
    run(for: .accessTokens(accounts.map { TokenScope(account: $0) }), &model)
  }

  /// Runs the action for `selected`, `marked`, `all`, or IDs.
  func run(with argument: String, on model: inout AppModel) -> [Command]? {
    if self == .expireAll { return expire([argument], &model) }
    if argument == "selected" || argument == "marked" { return nil }
    let target =
      argument == "all"
      ? model.screen.shownTarget(of: change)
      : .credentials(argument.split(separator: " ").map(String.init))
    return target == .credentials([]) ? [] : run(for: target, &model)
  }

  func object(in model: AppModel) -> String {
    self == .expireAll || model.marked.isEmpty ? "" : "\(model.marked.count) marked"
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    guard self != .expireAll else { return nil }
    let target: Target? =
      switch argument {
      case "", "selected", "marked": try? model.screen.target(of: change, model.shared)
      case "all": model.screen.shownTarget(of: change)
      default: .credentials(argument.split(separator: " ").map(String.init))
      }
    guard case .credentials(let ids) = target, !ids.isEmpty else { return nil }
    return [rawValue] + ids
  }
}

extension KeyCommand {
  static let expire = KeyCommand(
    CredentialAction.expire, [.character("e")], "e", "expire", name: "expire",
    "Marks access tokens as expired. The next silent call needs the refresh token. Undo with {undo}.",
    taking: .credentials)
  static let invalidate = KeyCommand(
    CredentialAction.invalidate, [.character("I")], "I", "invalidate", name: "invalidate",
    "Marks refresh tokens as invalid, as if the server had revoked them. Undo with {undo}.",
    taking: .credentials)
  static let delete = KeyCommand(
    CredentialAction.delete, [.character("d")], "d", "delete", name: "delete",
    "Deletes the selected credential, after showing what each app loses. Undo with {undo}.",
    taking: .credentials)
  static let expireAll = KeyCommand(
    CredentialAction.expireAll, [.character("E")], "E", "expire all", name: "account expire",
    "Expires every access token of this account, in all apps. Undo with {undo}.", taking: .account)
}

extension ChangeCredentials.Change {
  /// The kind of credential to select for the change.
  var object: String { self == .expire ? "an access token" : "a refresh token" }
}

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
