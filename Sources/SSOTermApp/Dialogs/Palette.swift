import SSOCore
import SSOLab
import TerminalUI

extension KeyContext { static let palette = KeyContext("palette") }

/// The command line of the screens.
struct Palette: DialogComponent {
  /// The screen whose commands are offered first.
  var screen: KeyContext
  var field = TextField()
  var state = ListState()
  /// The number of lines back in the history that the field's text is from, or 0 while it is being typed.
  var age = 0
  private var draft = ""

  let table: KeyTable
  /// The screen's own commands, followed by those of other screens: first the commands for which an argument is
  /// sufficient, then commands that go to their screen.
  let commands: [KeyCommand]
  /// The names of the screen's own commands, which come first.
  private let ownNames: Set<String>

  init(screen: KeyContext, _ table: KeyTable) {
    self.screen = screen
    self.table = table
    let own = table.commands(in: screen).filter { $0.action != Action(PaletteAction.open) }
    let names = Set(own.map(\.name))
    ownNames = names
    let others = table.ofScreens.filter { !names.contains($0.name) && Self.standsAlone($0) }
    commands = own + others + PaletteThing.commands(of: table, besides: names.union(others.map(\.name)))
  }

  /// Returns whether the argument alone determines the target, whatever is selected.
  private static func standsAlone(_ command: KeyCommand) -> Bool {
    switch command.argument {
    case .app, .call, .account: true
    default: false
    }
  }

  func needsArgument(_ command: KeyCommand) -> Bool {
    command.argument != nil && (command.keys.isEmpty || !table.commands(in: screen).contains(command))
  }

  /// Handles a key that edits the line, and returns whether the key was used.
  mutating func type(_ key: KeyPress) -> Bool {
    guard field.handle(key) else { return false }
    edited()
    return true
  }

  mutating func paste(_ text: String) {
    field.insert(text)
    edited()
  }

  private mutating func edited() {
    age = 0
    state = ListState()
  }

  mutating func set(_ line: String) {
    field = TextField(line)
    edited()
  }

  /// Moves up in the list and, from its top, into the history.
  ///
  /// Down leads back the same way.
  mutating func move(_ key: KeyPress, in model: AppModel) -> Bool {
    let count = suggestions(in: model.behind).count
    let (history, height) = (model.history, model.layout.paletteRows)
    switch key {
    case .up where state.selection == 0:
      guard age < history.count else { return true }
      if age == 0 { draft = field.text }
      recall(age + 1, history)
    case .down where age > 0: recall(age - 1, history)
    case .up, .down, .pageUp, .pageDown: return state.handle(key, count: count, height: height)
    default: return false
    }
    return true
  }

  private mutating func recall(_ lines: Int, _ history: [String]) {
    age = lines
    field = TextField(lines == 0 ? draft : history[history.count - lines])
    state = ListState()
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .palette: [
      KeyCommand(
        PaletteAction.complete, [.tab], "Tab", "complete", name: "complete",
        "Completes the name or the argument."),
      KeyCommand(PaletteAction.run, [.enter], "Enter", "run", name: "run", "Runs the selected command."),
      KeyCommand(
        PaletteAction.copyCommand, [.control("x")], "C-x", "copy as CLI", name: "copy as command",
        "Copies what the command line of ssoterm would be."),
      .close([.escape], "close", name: "close list", "Goes back to the screen."),
    ]
  ]

  var context: KeyContext { .palette }
  mutating func click(row: Int) { state.selection = row }

  /// Returns the suggestion that Enter would run.
  func chosen(in model: AppModel) -> Suggestion? {
    let all = suggestions(in: model)
    return all.indices.contains(state.selection) ? all[state.selection] : nil
  }

  /// Returns the theme that Enter would choose, or `nil` if it would do something else.
  ///
  /// Each frame asks for it, so only a line that a theme matches is searched for everything else.
  func selectedTheme(in model: AppModel) -> Theme? {
    guard !line.isEmpty, !PaletteThing.themes(matching: line).isEmpty,
      case .theme(let theme)? = chosen(in: model)?.command.action.value as? PaletteThing
    else { return nil }
    return theme
  }
}

extension Palette {
  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let behind = model.behind.keepingSelection
    let found = suggestions(in: behind)
    let inner = grid.window(layout.paletteArea, "Commands and things", trailing: "\(found.count)")
    let (line, rest) = inner.splitTop(1)
    drawSearch(field, prompt: ":", into: &grid, line)
    let (list, foot) = rest.splitBottom(layout.paletteFoot)
    drawTable(
      into: &grid, rect: list, columns: Self.columns(for: found, width: list.width), rowCount: found.count,
      row: { index in
        let suggestion = found[index]
        let isLive =
          !suggestion.argument.isEmpty || behind.obstacle(to: suggestion.command.action.value) == nil
        return [
          TableCell(suggestion.name, isLive ? .plain : .dim),
          TableCell(suggestion.detail, .dim),
          TableCell(suggestion.argument.isEmpty ? suggestion.command.keyText : "", .accent),
        ]
      }, state: state,
      headings: self.line.isEmpty && !layout.isSingle
        ? groupHeadings(found.map { heading(of: $0.command) }) : [:],
      found: named == nil ? self.line.split(separator: " ").map(String.init) : [], list: 0)
    let chosen =
      found.indices.contains(state.selection) ? found[state.selection] : nil
    grid.lines(explanation(chosen, in: behind, width: foot.width - 2), in: foot)
  }

  /// Returns what a command of this screen is for, or that it is one of another screen.
  private func heading(of command: KeyCommand) -> String {
    ownNames.contains(command.name) ? command.action.value.heading : "On other screens"
  }

  /// Returns the columns for the names, their details, and the keys.
  ///
  /// A name is cut only if it leaves no room for the details.
  private static func columns(for found: [Suggestion], width: Int) -> [TableColumn] {
    let (key, leastName, leastDetail) = (5, 16, 12)
    let room = width - 2 - key - 4
    func widest(_ text: (Suggestion) -> String) -> Int { found.map { columnWidth(text($0)) }.max() ?? 0 }
    let name = min(widest(\.name), max(leastName, room - leastDetail))
    let detail = min(widest(\.detail), max(leastDetail, room - max(leastName, name)))
    return [
      TableColumn("", width: .flexible(min: leastName, wanted: name, weight: 1)),
      TableColumn(
        "", width: .flexible(min: leastDetail, wanted: detail, weight: 1), priority: 1, name: "details"),
      TableColumn("", width: .fixed(key), align: .right),
    ]
  }

  /// Returns the syntax of the chosen command, its effect, and what prevents it.
  private func explanation(_ chosen: Suggestion?, in model: AppModel, width: Int) -> [PanelLine] {
    guard let chosen else { return [PanelLine("")] + wrapped(noMatch, width).map { PanelLine($0, .warning) } }
    let command = chosen.command
    var lines = [PanelLine("")]
    if let argument = command.argument {
      lines.append(PanelLine("\(command.name) \(argument.usage)", .bold))
    }
    lines += wrapped(table.sentence(of: command), width).map { PanelLine($0) }
    if chosen.argument.isEmpty, needsArgument(command) {
      lines.append(PanelLine("It needs an argument; Tab goes there.", .dim))
    } else if chosen.argument.isEmpty, let obstacle = model.obstacle(to: command.action.value) {
      lines.append(PanelLine("Not available now: \(obstacle).", .warning))
    }
    if field.text.isEmpty, !model.history.isEmpty {
      lines.append(PanelLine("Up: " + model.history.suffix(4).reversed().joined(separator: "   "), .dim))
    }
    return lines
  }
}

extension Palette {
  /// The message for a line that matches no command, or whose argument is not valid.
  fileprivate var noMatch: String {
    guard let (command, argument, typed) = named else {
      return "No command, app, account, record, trace, or code matches."
    }
    return "“\(typed)” is not an argument of \(command.name). Try \(argument.usage)."
  }
}

extension Layout {
  var paletteArea: Rect {
    // A wide window has room for the titles beside the names.
    let width = max(68, min(100, size.width - 24))
    return body.centred(width: min(width, size.width), height: min(19, body.height))
  }
  var paletteFoot: Int { isSingle ? 2 : 6 }
  /// The number of rows in the palette's list.
  var paletteRows: Int { max(1, paletteArea.height - 3 - paletteFoot) }
}

/// A line that the palette offers.
struct Suggestion: Equatable, Sendable {
  var command: KeyCommand
  var argument = ""
  var detail = ""

  var line: String { argument.isEmpty ? command.name : "\(command.name) \(argument)" }
  /// The name in the list, which is the argument once the command is complete.
  var name: String { argument.isEmpty ? command.name : argument }
}

extension Palette {
  /// Returns the possible meanings of the line: commands by name, or arguments once a name is complete.
  func suggestions(in model: AppModel) -> [Suggestion] {
    // Each command asks for the selection.
    let model = model.keepingSelection
    guard let (command, argument, typed) = named else {
      let offered = commands.filter { model.hasDemo || $0.action.value.keyGroup != .demo }
      let things = line.isEmpty ? [] : PaletteThing.all(in: model, matching: line)
      return ranked(offered, and: things, by: line).map {
        Suggestion(command: $0, detail: $0.action.value.object(in: model))
      }
    }
    return arguments(of: command, argument, in: model, typed: typed)
  }

  private var line: String { String(field.text.drop { $0 == " " }) }

  /// The command whose full name begins the line, with the text after the name, or `nil` if there is no such command
  /// with an argument.
  var named: (command: KeyCommand, argument: CommandArgument, typed: String)? {
    let line = line
    let command = commands.filter { $0.argument != nil && line.hasPrefix($0.name + " ") }
      .max { $0.name.count < $1.name.count }
    return command.flatMap { command in
      command.argument.map { (command, $0, String(line.dropFirst(command.name.count + 1))) }
    }
  }

  private func arguments(
    of command: KeyCommand, _ argument: CommandArgument, in model: AppModel, typed: String
  ) -> [Suggestion] {
    let words = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // There may be several credentials, and only the last word is still being typed.
    let kept = argument == .credentials ? words.dropLast().map { $0 + " " }.joined() : ""
    let last = argument == .credentials ? words.last ?? "" : typed
    let wanted = last.lowercased()
    let found = argument.candidates(in: model).filter {
      wanted.isEmpty || $0.value.lowercased().contains(wanted) || $0.detail.lowercased().contains(wanted)
    }
    // Candidates that begin with the typed text come first, and the order is otherwise unchanged.
    let first = found.filter { $0.value.lowercased().hasPrefix(wanted) }
    let rest = found.filter { !$0.value.lowercased().hasPrefix(wanted) }
    var suggestions = (first + rest).map {
      Suggestion(command: command, argument: kept + $0.value, detail: $0.detail)
    }
    let asTyped = typed.trimmingSpaces
    if argument.takes(asTyped), !suggestions.contains(where: { $0.argument == asTyped }) {
      suggestions.insert(Suggestion(command: command, argument: asTyped), at: 0)
    }
    return suggestions
  }

  /// Returns the commands and things in which all words occur, names before descriptions.
  ///
  /// The words of the key bar count as a name. For a command's name it is sufficient that the letters occur in order. A
  /// description matches if each word begins one of its words.
  private func ranked(_ commands: [KeyCommand], and things: [KeyCommand], by line: String) -> [KeyCommand] {
    let words = line.lowercased().split(separator: " ").map(String.init)
    guard !words.isEmpty else { return Array(groups(commands, by: heading).joined()) }
    let whole = words.joined(separator: " ")
    func rank(_ command: KeyCommand, isThing: Bool) -> Int? {
      let (name, label) = (command.name.lowercased(), command.label.lowercased())
      if name == whole { return 0 }
      if name.hasPrefix(whole) || label.hasPrefix(whole) { return 1 }
      if words.allSatisfy(name.contains) || words.allSatisfy(label.contains) { return 2 }
      if isThing { return 3 }
      if words.allSatisfy({ name.hasInOrder($0) }) { return 4 }
      let text = name + " " + table.sentence(of: command).lowercased()
      return words.allSatisfy(text.hasWord) ? 5 : nil
    }
    var byRank = [[KeyCommand]](repeating: [], count: 6)
    for command in commands { rank(command, isThing: false).map { byRank[$0].append(command) } }
    for thing in things { rank(thing, isThing: true).map { byRank[$0].append(thing) } }
    return Array(byRank.joined())
  }
}

extension String {
  /// Returns whether the letters of `other` occur in this order, with anything in between.
  fileprivate func hasInOrder(_ other: String) -> Bool {
    var rest = other[...]
    for letter in self where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// Returns whether one of the words of the text begins with `beginning`.
  ///
  /// It compares bytes, because each key searches the sentences of all commands.
  fileprivate func hasWord(_ beginning: String) -> Bool {
    var rest = utf8[...]
    var isInWord = false
    while let byte = rest.first {
      let isPart = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      if isPart, !isInWord, rest.starts(with: beginning.utf8) { return true }
      isInWord = isPart
      rest = rest.dropFirst()
    }
    return false
  }

  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

/// The actions of the palette, which complete a line, run it, or copy it as a command line.
enum PaletteAction: FeatureAction {
  var keyGroup: KeyGroup { .everywhere }
  case open, complete, run, copyCommand

  /// The number of lines in the history.
  private static let remembered = 50

  func run(on model: inout AppModel) -> [Command] {
    if self == .open {
      model.shared.open(Palette(screen: model.context, model.shared.keys))
      // Read the names to complete, but not the accounts of a huge store, which are too many for a list.
      let isHuge = (model.lab.status?.accountCount ?? 0) > 1000
      return (model.lab.apps.isEmpty ? [.load(.apps)] : [])
        + (model.screens.accounts.list.index.count == 0 && !isHuge ? [.load(.accounts)] : [])
        + (model.screens.lab.rows.isEmpty && !isHuge ? [.load(.records)] : [])
        + (model.screens.scenarios.entries.isEmpty ? [.load(.scenarios)] : [])
    }
    let behind = model.behind
    guard let palette = model.topDialog(Palette.self), let suggestion = palette.chosen(in: behind) else {
      return []
    }
    switch self {
    case .complete: complete(palette, suggestion, &model.shared)
    case .copyCommand:
      let action = suggestion.command.action.value
      if let words = action.commandWords(suggestion.argument, in: behind) {
        return [.copy(Copy(text: model.lab.commandLine(words), label: "command"))]
      }
      model.shared.say("\(suggestion.line): ssoterm has no such command line.")
    case .open, .run:
      guard !suggestion.argument.isEmpty || !palette.needsArgument(suggestion.command) else {
        complete(palette, suggestion, &model.shared)
        return []
      }
      model.dialogs.removeLast()
      return run(suggestion, on: &model)
    }
    return []
  }

  /// Replaces the line with the selected suggestion, with room for an argument.
  private func complete(_ palette: Palette, _ suggestion: Suggestion, _ shared: inout SharedState) {
    var palette = palette
    let takesMore = suggestion.argument.isEmpty && suggestion.command.argument != nil
    palette.set(suggestion.line + (takesMore ? " " : ""))
    shared.replaceDialog(palette)
  }

  private func run(_ suggestion: Suggestion, on model: inout AppModel) -> [Command] {
    let isSecret = Setting(suggestion.argument)?.change.isSecret ?? false
    if model.history.last != suggestion.line, !isSecret {
      model.history = (model.history + [suggestion.line]).suffix(Self.remembered)
    }
    return suggestion.argument.isEmpty
      ? model.attempt(suggestion.command) : model.run(suggestion.command, suggestion.argument)
  }
}
