import Essentials
import SSOLab
import SSOScenarios
import SSOStore
import TerminalUI

/// A reader for the settings file that continues after an error, so that it finds all of them.
struct SettingsReader {
  static let names = ["theme", "time", "clipboard", "store", "keys", "commands"]
  static let commandNames = ["name", "key", "scope", "run", "confirm"]

  /// The path that errors show.
  let file: String
  private(set) var mistakes: [SettingsError] = []

  init(file: String) { self.file = file }

  /// Returns the settings in the text, which are complete only if there are no ``mistakes``.
  mutating func read(_ text: String) -> Settings {
    // A file that contains only comments sets nothing.
    let isEmpty = text.split(whereSeparator: \.isNewline).allSatisfy {
      $0.drop { $0 == " " }.first.map { $0 == "#" } ?? true
    }
    guard !isEmpty else { return Settings() }
    let file = file
    guard
      let tree = attempt({ () throws(ScenarioError) in try ScenarioParser.parse(text, file: file) }),
      let fields = fields(of: tree, named: "config", allowed: Self.names)
    else { return Settings() }
    var settings = Settings()
    settings.theme = attempt { () throws(ScenarioError) in try fields.choice("theme", of: Theme.self) } ?? nil
    settings.time =
      attempt { () throws(ScenarioError) in try fields.choice("time", of: TimeStyle.self) } ?? nil
    settings.clipboard =
      attempt { () throws(ScenarioError) in try fields.choice("clipboard", of: ClipboardRoute.self) } ?? nil
    if let tree = fields["store"] {
      settings.store = attempt { () throws(ScenarioError) in try Self.store(tree) }
    }
    if let keys = fields["keys"] { settings.keys = bindings(keys) }
    if let commands = fields["commands"] {
      let all = attempt { () throws(ScenarioError) in try commands.list("commands") } ?? []
      settings.commands = all.compactMap { command($0) }
    }
    return settings
  }

  /// Returns the result of `body`, or records its error and returns `nil`.
  private mutating func attempt<Value>(_ body: () throws(ScenarioError) -> Value) -> Value? {
    do throws(ScenarioError) { return try body() } catch {
      mistakes.append(SettingsError(error))
      return nil
    }
  }

  private mutating func fields(
    of tree: ScenarioTree, named name: String, allowed: [String]
  ) -> ScenarioFields? {
    var unknown: [ScenarioError] = []
    let fields = attempt { () throws(ScenarioError) in
      try ScenarioFields(tree, named: name, allowed: allowed) { unknown.append($0) }
    }
    mistakes += unknown.map { SettingsError($0) }
    return fields
  }

  /// Returns the path or the address of the store.
  ///
  /// A path must be absolute or below the home folder, because a relative path depends on where the program is started.
  /// The address of a team's lab must not contain a password.
  private static func store(_ tree: ScenarioTree) throws(ScenarioError) -> String {
    let text = try tree.text("store")
    if LabAddress.matches(text) {
      guard !LabAddress.hasPassword(text) else {
        throw tree.place.error("store", "has a password, which belongs in ~/.pgpass or PGPASSWORD")
      }
      return text
    }
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/"), let home = StandardStreams.variable("HOME") ?? systemHome() {
      return home + text.dropFirst()
    }
    throw tree.place.error("store", "must begin with /, ~/ or postgresql://")
  }

  private mutating func bindings(_ tree: ScenarioTree) -> [KeyBinding] {
    guard case .map(let entries) = tree.value else {
      mistakes.append(SettingsError(tree.wrongType("keys", wanted: "a map of commands to keys")))
      return []
    }
    return entries.compactMap { entry in
      attempt { () throws(ScenarioError) in try Self.binding(entry) }
    }
  }

  /// The current names of commands that have other names in older settings.
  private static let renamed = [
    "story next": "demo next", "story back": "demo back", "matrix": "who reuses",
  ]

  private static func binding(_ entry: ScenarioTree.Entry) throws(ScenarioError) -> KeyBinding {
    let known = KeyTable.standard.names
    let name = renamed[entry.key] ?? entry.key
    guard known.contains(name) else {
      throw entry.keyPlace.error(
        entry.key, "is not a command of the screens",
        nearest: nearestName(to: entry.key, among: known))
    }
    guard name != KeyCommand.leave.name else {
      throw entry.keyPlace.error(entry.key, "keeps its key C-c, which always ends the program")
    }
    return KeyBinding(
      name: name, keys: try keys(entry.value, of: entry.key), line: entry.keyPlace.line)
  }

  /// Returns the keys of a command: a single key, a list of keys, or none.
  private static func keys(_ tree: ScenarioTree, of name: String) throws(ScenarioError) -> [KeyPress] {
    var trees: [ScenarioTree]
    switch tree.value {
    case .null: trees = []
    case .list(let all): trees = all
    case .scalar, .map: trees = [tree]
    }
    var keys: [KeyPress] = []
    for tree in trees {
      let text = try tree.text(name)
      guard let key = KeyPress(displayText: text) else {
        throw tree.place.error(
          name, "has the key “\(text)”; keys are written as a, Z, Space, C-x, F5, Esc, PgUp",
          nearest: nearestName(to: text, among: KeyPress.named))
      }
      guard key != .control("c") else {
        throw tree.place.error(name, "cannot have C-c, which always ends the program")
      }
      var list = ListState()
      guard !list.handle(key, count: 2, height: 2) else {
        throw tree.place.error(name, "cannot have \(text), which moves in lists")
      }
      keys.append(key)
    }
    return keys
  }

  private mutating func command(_ tree: ScenarioTree) -> CustomCommand? {
    guard let fields = fields(of: tree, named: "commands", allowed: Self.commandNames) else { return nil }
    let name = attempt { () throws(ScenarioError) in try Self.name(fields) }
    let words = attempt { () throws(ScenarioError) in try Self.words(fields.required("run")) }
    let keys = attempt { () throws(ScenarioError) in
      try fields["key"].map { tree throws(ScenarioError) in try Self.keys(tree, of: "key") } ?? []
    }
    let scope = attempt { () throws(ScenarioError) in
      try fields["scope"].map { tree throws(ScenarioError) in try Self.screens(tree) }
    }
    let asksFirst = attempt { () throws(ScenarioError) in try fields.flag("confirm") ?? false }
    guard let name, let words, let keys, let scope, let asksFirst else { return nil }
    return CustomCommand(
      name: name, keys: keys, scope: scope, words: words, asksFirst: asksFirst, line: tree.place.line)
  }

  private static func name(_ fields: ScenarioFields) throws(ScenarioError) -> String {
    let tree = try fields.required("name")
    let name = try tree.text("name")
    guard !name.isEmpty, !KeyTable.standard.names.contains(name) else {
      throw tree.place.error("name", "must be a name that no other command has")
    }
    return name
  }

  private static func words(_ tree: ScenarioTree) throws(ScenarioError) -> [CustomCommand.Word] {
    let line = try tree.text("run")
    do throws(CommandLineError) { return try CustomCommand.words(of: line) } catch {
      throw tree.place.error("run", error.problem, nearest: error.nearest)
    }
  }

  private static func screens(_ tree: ScenarioTree) throws(ScenarioError) -> [KeyContext] {
    var trees = [tree]
    if case .list(let all) = tree.value { trees = all }
    var screens: [KeyContext] = []
    for tree in trees {
      let titles = Screens.all.map { $0.type.title.lowercased() }
      // Older settings call the Demo screen by its former name.
      let isFormer = (try? tree.text("scope")) == "story"
      let word = isFormer ? DemoScreen.title.lowercased() : try tree.word("scope", among: titles)
      screens += Screens.all.filter { $0.type.title.lowercased() == word }.map { $0.type.context }
    }
    return screens
  }
}
