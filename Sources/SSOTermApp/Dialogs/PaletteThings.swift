import SSOCore
import SSOLab
import SSOReference
import TerminalUI

/// The things that the palette finds besides the commands of a screen: apps, accounts, the lab's other records, traces,
/// scenarios, themes, codes, and the commands of other screens, each as a command that goes there.
enum PaletteThing: FeatureAction {
  case app(id: String)
  /// A user, a registration, a device, or another record with fields.
  case record(RecordID)
  case account(RowID)
  case trace(Int64)
  case scenario(String)
  case theme(Theme)
  /// A code, with its name, or its meaning if it has no name.
  case code(String, name: String)
  /// A command of another screen, which runs there if nothing prevents it.
  case command(KeyContext, Action, key: String)

  var keyGroup: KeyGroup { .everywhere }

  /// The maximum number of things of each kind.
  private static let listed = 500
  /// The maximum number of records that are searched for each key.
  private static let searched = 5_000

  func object(in model: AppModel) -> String {
    switch self {
    case .app(let id): model.lab.apps.first { $0.id == id }.map { "app, \($0.bundleID)" } ?? "app"
    case .record(let id): "\(id.kind.noun), \(id.name)"
    case .account: "account"
    case .trace: "trace"
    case .scenario(let name):
      "scenario"
        + (model.screens.scenarios.entries.first { $0.name == name }.map { ", \($0.title)" } ?? "")
    case .theme: "colours"
    case .code(_, let name): name
    case .command(let context, _, _): "on \(Place(context).tab + 1) \(Place(context).title)"
    }
  }

  func run(on model: inout AppModel) -> [Command] {
    switch self {
    case .app(let id):
      let commands = model.show(.apps)
      model.screens.apps.list.clearFilter()
      model.screens.apps.list.select(id: id)
      return commands + model.selectionMoved()
    case .record(let id): return model.show(.records) + model.open(.record(id))
    case .account(let id):
      let commands = model.show(.accounts)
      model.screens.accounts.list.clearFilter()
      model.screens.accounts.list.select(id)
      return commands + model.selectionMoved()
    case .trace(let id):
      let commands = model.show(.traces)
      return commands + model.open(.trace(id))
    case .scenario(let name):
      let commands = model.show(.scenarios)
      model.screens.scenarios.list.clearFilter()
      model.screens.scenarios.list.select(id: name)
      return commands
    case .theme(let theme):
      model.shared.theme = theme
      model.shared.say("Theme: \(theme.rawValue).")
      return []
    case .code(let text, _):
      WhyAction.explain(text, in: &model.shared)
      return []
    case .command(let context, let action, let key):
      if let obstacle = model.obstacle(toShow: context) {
        model.shared.say("\(Place(context).title): \(obstacle).")
        return []
      }
      let commands = model.show(Place(context))
      guard let obstacle = model.obstacle(to: action.value) else {
        return commands + action.value.run(on: &model)
      }
      model.shared.say("\(key.isEmpty ? "Here" : key): \(obstacle).")
      return commands
    }
  }

  func commandWords(_ argument: String, in model: AppModel) -> [String]? {
    switch self {
    case .app(let id):
      model.lab.apps.first { $0.id == id }.map { Advice.Action(.why, [$0.bundleID]).commandWords }
    case .record(let id):
      id.kind == .policy ? nil : Advice.Action(.show, [id.kind.rawValue, id.name]).commandWords
    case .account: nil
    case .trace(let id): Advice.Action(.trace, ["\(id)"]).commandWords
    case .scenario(let name): ["demo", name]
    case .theme(let theme): ["--theme", theme.rawValue]
    case .code(let text, _): Advice.Action(.explain, [text]).commandWords
    case .command(_, let action, _): action.value.commandWords(argument, in: model)
    }
  }
}

extension PaletteThing {
  private func command(_ name: String, _ sentence: String) -> KeyCommand {
    KeyCommand(self, [], "", "", name: name, sentence)
  }

  /// Returns the commands of other screens, as commands that go there.
  ///
  /// `names` are those of the commands that the palette has already.
  static func commands(of table: KeyTable, besides names: Set<String>) -> [KeyCommand] {
    var seen = names
    return Place.tabs.filter { $0 != .demo }.flatMap { place in
      table.commands(in: place.screen).filter { $0.action.value as? PaletteThing == nil && !$0.keys.isEmpty }
        .compactMap { own in
          guard own.action != Action(PaletteAction.open), seen.insert(own.name).inserted else { return nil }
          var command = PaletteThing.command(place.screen, own.action, key: own.keyText)
            .command(own.name, "\(own.sentence) Goes to \(place.tab + 1) \(place.title).")
          (command.keyText, command.label) = (own.keyText, own.label)
          return command
        }
    }
  }

  /// Returns the things whose names may match a line.
  static func all(in model: AppModel, matching line: String) -> [KeyCommand] {
    let words = line.lowercased().split(separator: " ").map(String.init)
    func matches(_ text: String) -> Bool {
      let text = text.lowercased()
      return words.allSatisfy(text.contains)
    }
    let themes = themes(matching: line).map {
      theme($0).command("theme \($0.rawValue)", "Uses these colours now, and when the program starts again.")
    }
    let traces = model.screens.traces.rows.prefix(listed).filter { matches(model.lab.named($0.title)) }.map {
      trace($0.id).command(model.lab.named($0.title), "Opens trace \($0.id): \($0.summary)")
    }
    guard model.lab.logFacts == nil else { return traces + themes + codes(matching: line) }
    let apps = model.lab.apps.prefix(listed).filter { matches("\($0.title) \($0.bundleID)") }.map {
      app(id: $0.id).command($0.title, "Goes to 1 Apps: \($0.bundleID).")
    }
    let accounts = model.screens.accounts.list.index
    let people = (0..<min(accounts.count, listed)).filter { matches(accounts.texts.text($0)) }.map {
      account(accounts.ids[$0]).command(accounts.texts.text($0), "Goes to 2 Accounts.")
    }
    let found = model.screens.lab.rows.prefix(searched).compactMap(\.record)
      .filter { $0.kind != .app && matches("\($0.title) \($0.name)") }.prefix(listed)
    // Users come before the devices that are named after them.
    let records = RecordKind.allCases.flatMap { kind in found.filter { $0.kind == kind } }.map { row in
      record(RecordID(kind: row.kind, name: row.name)).command(
        row.title, "Goes to 6 Lab: the \(row.kind.noun) \(row.name).")
    }
    let scenarios = model.screens.scenarios.entries.filter { matches($0.name + " " + $0.title) }.map {
      scenario($0.name).command($0.name, "\($0.title). Goes to 9 Scenarios, where Enter starts it.")
    }
    return apps + people + records + scenarios + traces + themes + codes(matching: line)
  }

  /// Returns the themes whose names, after the word “theme”, contain each word of the line.
  static func themes(matching line: String) -> [Theme] {
    let words = line.lowercased().split(separator: " ")
    return Theme.allCases.filter { theme in words.allSatisfy("theme \(theme.rawValue)".contains) }
  }

  /// Returns the codes that begin with the line, or whose names contain it.
  ///
  /// The table of codes is read only for a line that looks like one.
  private static func codes(matching line: String) -> [KeyCommand] {
    let wanted = line.lowercased()
    guard wanted.utf8.count >= 3,
      wanted.contains(where: \.isNumber) || wanted.contains("error") || wanted.contains("aad")
    else { return [] }
    let found = codeNames.lazy.filter { one in
      one.text.hasPrefix(wanted) || one.text.hasPrefix("-" + wanted) || one.text.hasPrefix("aadsts" + wanted)
        || one.name.contains(wanted)
    }
    return found.prefix(30).map { one in
      let explanation = one.code.explanation
      let name = explanation.name.isEmpty ? explanation.meaning : explanation.name
      return code(one.code.displayText, name: name)
        .command(one.code.displayText, "\(explanation.name) \(explanation.meaning)")
    }
  }

  /// The codes with what a line is compared with, in lowercase.
  private static let codeNames: [(code: CodeName, text: String, name: String)] = CodeName.all.map {
    ($0, $0.displayText.lowercased(), $0.name.lowercased())
  }
}
