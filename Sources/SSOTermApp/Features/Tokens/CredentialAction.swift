/// The actions on credentials, on the screens that show them.
enum CredentialAction: String, FeatureAction {
  case expire, invalidate, delete
  /// Expires all access tokens of an account.
  case expireAll

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
