import Foundation

/// Reads the settings file.
struct SettingsReader {
  static let names = ["theme", "time", "clipboard", "store", "keys", "commands"]
  static let commandNames = ["name", "key", "scope", "run", "confirm"]

  /// The path as it stands in errors.
  let file: String

  func read(_ text: String) throws(SettingsError) -> Settings {
    do throws(ScenarioError) { return try settings(text) } catch { throw SettingsError(error) }
  }

  private func settings(_ text: String) throws(ScenarioError) -> Settings {
    var settings = Settings()
    // A file with nothing but comments is one with nothing set.
    let isEmpty = text.split(whereSeparator: \.isNewline).allSatisfy {
      $0.drop { $0 == " " }.first.map { $0 == "#" } ?? true
    }
    if isEmpty { return settings }
    let fields = try ScenarioFields(
      try ScenarioParser.parse(text, file: file), named: "config", allowed: Self.names)
    settings.theme = try fields.choice("theme", of: Theme.self)
    settings.time = try fields.choice("time", of: TimeStyle.self)
    settings.clipboard = try fields.choice("clipboard", of: ClipboardRoute.self)
    settings.store = try fields["store"].map { tree throws(ScenarioError) in try path(tree) }
    if let keys = fields["keys"] { settings.keys = try bindings(keys) }
    if let commands = fields["commands"] {
      for tree in try commands.list("commands") { settings.commands.append(try command(tree)) }
    }
    return settings
  }

  /// Absolute, or below the person's folder: what a relative path means would depend on where the program is started.
  private func path(_ tree: ScenarioTree) throws(ScenarioError) -> String {
    let text = try tree.text("store")
    if text.hasPrefix("/") { return text }
    if text.hasPrefix("~/"), let home = StandardStreams.variable("HOME") ?? systemHome() {
      return home + text.dropFirst()
    }
    throw error(tree.place, "store", "must begin with / or ~/")
  }

  private func bindings(_ tree: ScenarioTree) throws(ScenarioError) -> [KeyBinding] {
    guard case .map(let entries) = tree.value else {
      throw tree.wrongType("keys", wanted: "a map of commands to keys")
    }
    let known = KeyTable.standard.names
    var bindings: [KeyBinding] = []
    for entry in entries {
      guard known.contains(entry.key) else {
        throw ScenarioError(
          file: file, line: entry.keyPlace.line, key: entry.key, "is no command of the screens",
          nearest: nearestName(to: entry.key, among: known))
      }
      guard entry.key != KeyCommand.leave.name else {
        throw error(entry.keyPlace, entry.key, "keeps its key C-c, which always ends the program")
      }
      bindings.append(
        KeyBinding(name: entry.key, keys: try keys(entry.value, of: entry.key), line: entry.keyPlace.line))
    }
    return bindings
  }

  /// A key, a list of them, or nothing: then the command has none.
  private func keys(_ tree: ScenarioTree, of name: String) throws(ScenarioError) -> [KeyPress] {
    var trees: [ScenarioTree]
    switch tree.value {
    case .null: trees = []
    case .list(let all): trees = all
    case .scalar, .map: trees = [tree]
    }
    var keys: [KeyPress] = []
    for tree in trees {
      let text = try tree.text(name)
      guard let key = KeyPress(words: text) else {
        throw ScenarioError(
          file: file, line: tree.place.line, key: name,
          "has the key “\(text)”; keys are written as a, Z, Space, C-x, F5, Esc, PgUp",
          nearest: nearestName(to: text, among: KeyPress.named))
      }
      guard key != .control("c") else {
        throw error(tree.place, name, "cannot have C-c, which always ends the program")
      }
      var list = ListState()
      guard !list.handle(key, count: 2, height: 2) else {
        throw error(tree.place, name, "cannot have \(text), which moves in lists")
      }
      keys.append(key)
    }
    return keys
  }

  private func command(_ tree: ScenarioTree) throws(ScenarioError) -> CustomCommand {
    let fields = try ScenarioFields(tree, named: "commands", allowed: Self.commandNames)
    let name = try fields.requiredText("name")
    let line = try fields.required("run")
    guard !name.isEmpty, !KeyTable.standard.names.contains(name) else {
      throw error(tree.place, "name", "must be a name that no other command has")
    }
    let words: [CustomCommand.Word]
    do throws(CommandLineError) {
      words = try CustomCommand.words(of: try text(line))
    } catch {
      throw ScenarioError(
        file: file, line: line.place.line, key: "run", error.problem, nearest: error.nearest)
    }
    return CustomCommand(
      name: name,
      keys: try fields["key"].map { tree throws(ScenarioError) in try keys(tree, of: "key") } ?? [],
      screens: try screens(fields["scope"]), words: words, asksFirst: try fields.flag("confirm") ?? false,
      line: tree.place.line)
  }

  private func text(_ tree: ScenarioTree) throws(CommandLineError) -> String {
    guard case .scalar(let text, _) = tree.value else { throw CommandLineError(problem: "must be a text") }
    return text
  }

  /// The screens of a scope; all where none is named.
  private func screens(_ tree: ScenarioTree?) throws(ScenarioError) -> [KeyContext] {
    guard let tree else { return Screens.all.map { $0.type.context } }
    var trees = [tree]
    if case .list(let all) = tree.value { trees = all }
    var screens: [KeyContext] = []
    for tree in trees {
      let word = try tree.word("scope", among: Screens.all.map { $0.type.title.lowercased() })
      screens += Screens.all.filter { $0.type.title.lowercased() == word }.map { $0.type.context }
    }
    return screens
  }

  private func error(_ place: ScenarioTree.Place, _ key: String, _ problem: String) -> ScenarioError {
    ScenarioError(file: file, line: place.line, key: key, problem)
  }
}
