import SSOLab
import TerminalUI

extension AppModel {
  /// Runs a command of the palette with its argument.
  mutating func run(_ command: KeyCommand, _ argument: String) -> [Command] {
    if isReadOnly, command.action.changesLab { return attempt(command) }
    switch command.action {
    case .silent, .interactive, .chooseAccount, .addAccount, .signOut, .signOutOfBrowser, .wipeAccount,
      .wipeCache,
      .currentAccount:
      guard let app = app(named: argument) else {
        return refuse("app", argument, among: appRows.flatMap { [$0.bundleID, $0.displayName] })
      }
      return act(command.action, on: app)
    case .why:
      guard let app = app(named: argument) else {
        return refuse("app", argument, among: appRows.flatMap { [$0.bundleID, $0.displayName] })
      }
      return [.load(.why(.app(app.bundleID)))]
    case .setRecord(let kind):
      guard let setting = Setting(argument) else { return [] }
      return begin("Changing", .perform(.edit(kind, record: setting.record, [setting.change]), []))
    case .explain:
      explain(argument)
      return []
    case .forget: return [.load(.blastRadius(.forget(account: argument)))]
    case .expireAll:
      return begin("Expiring", .change(.expire, .accessTokens([TokenScope(account: argument)])))
    case .expire, .invalidate, .delete: return change(command, argument)
    case .moveClock:
      if argument == "reset" { return act(.clockReal) }
      guard let seconds = parseDuration(argument) else { return refuse("step", argument, among: ["+1h"]) }
      return begin("Moving the clock", .perform(.moveClock(bySeconds: seconds), []))
    case .timeStyle:
      guard let style = TimeStyle(rawValue: argument.lowercased()) else {
        return refuse("way to show time", argument, among: TimeStyle.allCases.map(\.rawValue))
      }
      timeStyle = style
      return []
    case .go:
      let name = String(argument.prefix { $0 != "/" }).lowercased()
      let known = tabs.map { $0.name.lowercased() }
      return known.contains(name) ? follow(path: argument) : refuse("place", argument, among: known)
    case .sortMenu, .columnMenu: return pickColumn(command.action, argument)
    case .exportMenu: return pick(argument, ExportForm.allCases, \.word) { .export($0) }
    case .copyMenu: return pick(argument, CopyItem.allCases, \.word) { .copy($0) }
    case .filter:
      self[keyPath: activeList].filter(by: argument)
      lastQuery = argument
      return selectionMoved()
    case .note:
      guard case .trace(let id) = place, let step = hops.selectedRow else { return [] }
      return [.note(trace: id, step: step, text: argument)]
    default: return attempt(command)
    }
  }

  private mutating func pick<Item>(
    _ argument: String, _ items: [Item], _ word: (Item) -> String, _ action: (Item) -> Action
  ) -> [Command] {
    guard let item = items.first(where: { word($0) == argument.lowercased() }) else {
      return refuse("choice", argument, among: items.map(word))
    }
    if let obstacle = obstacle(to: action(item)) {
      notice = Notice(text: "\(argument): \(obstacle).", kind: .plain)
      return []
    }
    return run(action(item))
  }

  private mutating func pickColumn(_ action: Action, _ argument: String) -> [Command] {
    let titles = columns.map { $0.title.lowercased() }
    guard let place = titles.firstIndex(of: argument.lowercased()) else {
      return refuse("column", argument, among: titles)
    }
    return action == .sortMenu ? sort(by: place + 1) : toggleColumn(place + 1)
  }

  /// `selected`, `marked`, `all`, or IDs.
  private mutating func change(_ command: KeyCommand, _ argument: String) -> [Command] {
    let ids: [String]
    switch argument {
    case "selected", "marked": return attempt(command)
    case "all":
      if let rows = shownRows { return change(command.action, rows) }
      ids = shownCredentials
    default: ids = argument.split(separator: " ").map(String.init)
    }
    guard !ids.isEmpty else { return [] }
    switch command.action {
    case .delete: return [.load(.blastRadius(.delete(credentials: ids)))]
    case .invalidate: return begin("Invalidating", .change(.invalidate, .credentials(ids)))
    default: return begin("Expiring", .change(.expire, .credentials(ids)))
    }
  }

  /// The same for all rows of a long list.
  private mutating func change(_ action: Action, _ rows: Set<RowID>) -> [Command] {
    switch action {
    case .delete: return [.load(.blastRadiusOfRows(rows))]
    case .invalidate:
      return begin("Invalidating", .change(.invalidate, .rows(rows, types: types(for: .invalidate))))
    default: return begin("Expiring", .change(.expire, .rows(rows, types: types(for: .expire))))
    }
  }

  /// A name that fits nothing, with the nearest that does.
  private mutating func refuse(_ noun: String, _ name: String, among names: [String]) -> [Command] {
    let near = nearestName(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
    notice = Notice(text: "There is no \(noun) “\(name)”.\(near)", kind: .bad)
    return []
  }
}
