import SSOLab
import SSOReference
import TerminalUI

extension KeyContext { static let help = KeyContext("help") }

/// The actions that are possible behind this dialog, by topic.
///
/// Typing searches all topics.
struct Help: ListDialog {
  /// The rows of all topics.
  let rows: [HelpRow]
  private(set) var topic = HelpTopic.here
  var list = RowList() {
    didSet { if list.isFiltered != oldValue.isFiltered { fill() } }
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .help: [
      KeyCommand(HelpAction.run, [.enter], "Enter", "run", name: "run", "Runs the selected command."),
      KeyCommand(
        HelpAction.nextTopic, [.tab], "Tab", "topic", name: "next topic", "Shows the next topic of the help."),
      KeyCommand(
        HelpAction.previousTopic, [.backTab], "S-Tab", "", name: "previous topic",
        "Shows the previous topic of the help."),
      .close([.escape], "close", name: "close list", "Goes back to the screen."),
    ]
  ]

  init(_ model: AppModel) {
    rows = HelpTopic.allCases.flatMap { $0.rows(in: model) }
    fill()
  }

  /// The rows of the topic or, under a filter, of all topics.
  private var offered: [Int] {
    rows.indices.filter { list.isFiltered || rows[$0].topic == topic }
  }

  private mutating func fill() {
    let offered = offered
    var index = RowIndex(
      ids: offered.map { RowID(Int64($0)) },
      texts: offered.map { number in
        let row = rows[number]
        let names = [row.command?.label, row.command?.name].compactMap(\.self).joined(separator: " ")
        return [names, "\(row.term) \(row.text) @\(row.term)"]
      }, columns: ["", ""])
    index.ranksNames = true
    list.replace(index)
  }

  mutating func show(_ topic: HelpTopic) {
    self.topic = topic
    list = RowList()
    fill()
  }

  var context: KeyContext { .help }
  var selected: HelpRow? { list.selectedID.map { rows[Int($0.value)] } }
  mutating func type(_ key: KeyPress) -> Bool { list.typeFilter(key) }
  mutating func paste(_ text: String) { list.paste(text) }
  mutating func click(tab: Int) { show(HelpTopic.allCases[tab]) }

  func draw(in model: AppModel, into grid: inout Grid, _ layout: Layout) {
    let behind = model.behind
    let isSingle = layout.isSingle
    let area = layout.body.centred(
      width: min(layout.body.width, Self.mostWidth), height: min(layout.body.height, wantedRows))
    // A low window has its topic in the title, and a line for the filter only while there is one.
    let title = isSingle && !list.isFiltered ? "Help: \(topic.title), \(topic.numberText)" : "Help"
    let inner = grid.window(area, title, trailing: list.countText)
    let (top, below) = inner.splitTop(isSingle ? 0 : 1)
    if !isSingle { drawTopics(into: &grid, top) }
    let (search, rest) = below.splitTop(isSingle && !list.isFiltered ? 0 : 1)
    if !search.isEmpty { drawSearch(list.query, prompt: "filter:", into: &grid, search) }
    let (table, foot) = rest.splitBottom(isSingle ? 2 : 4)
    let shown = list.ids(at: 0..<list.count).map { rows[Int($0.value)] }
    let terms = min(20, max(6, shown.map { columnWidth($0.term) }.max() ?? 6))
    let labels = min(shown.map { columnWidth($0.label) }.max() ?? 0, table.width - terms - Self.nameWidth - 6)
    drawTable(
      into: &grid, rect: table,
      columns: [
        TableColumn("", width: .fixed(terms)),
        TableColumn("", width: .flexible(min: max(20, labels), weight: 1)),
        TableColumn("", width: .flexible(min: Self.nameWidth, weight: 3), priority: 1),
      ], rowCount: shown.count,
      row: { index in
        let row = shown[index]
        let can = row.command.map { behind.obstacle(to: $0.action.value) == nil } ?? true
        return [
          TableCell(row.term, .accent), TableCell(row.label, can ? .plain : .dim),
          TableCell(row.command.map { ($0.isSet ? "* :" : ":") + $0.name } ?? "", .dim),
        ]
      }, state: list.state,
      headings: list.isFiltered || layout.isSingle ? [:] : groupHeadings(shown.map(\.heading)),
      found: list.filterWords, list: 0)
    drawExplanation(selected, behind, isBrief: isSingle, into: &grid, foot)
  }

  /// The maximum width in columns, in which the eye finds the name of a command beside its key.
  private static let mostWidth = 100
  private static let nameWidth = 18

  /// The rows that the longest topic needs, so that the window is as high for each topic.
  private var wantedRows: Int {
    let longest =
      HelpTopic.allCases.map { topic in
        let own = rows.filter { $0.topic == topic }
        return own.count + groupHeadings(own.map(\.heading)).count
      }.max() ?? 0
    return longest + 8
  }

  /// Draws the topics in one line, with the current topic in brackets.
  ///
  /// A filter searches all topics. If there is no room for all of them, the line begins with the current topic, and
  /// dots stand for the others.
  private func drawTopics(into grid: inout Grid, _ row: Rect) {
    let all = Array(HelpTopic.allCases.enumerated())
    let needed = all.reduce(2) { $0 + $1.element.title.count + 2 }
    let gap = needed + all.count <= row.width ? 1 : 0
    let here = all.firstIndex { $0.element == topic } ?? 0
    let shown = needed <= row.width ? all : Array(all[here...] + all[..<here])
    var x = row.x + 1
    for (number, each) in shown {
      let isHere = each == topic && !list.isFiltered
      let text = isHere ? "[\(each.title)]" : " \(each.title) "
      guard x + columnWidth(text) <= row.maxX - (needed <= row.width ? 0 : 2) else {
        return grid.put(" …", at: x, row.y, style: .dim)
      }
      grid.put(text, at: x, row.y, style: isHere ? .accent : .dim)
      grid.add(Touch(.tab(number), Rect(x: x, y: row.y, width: columnWidth(text), height: 1)))
      x += columnWidth(text) + gap
    }
  }

  private func drawExplanation(
    _ row: HelpRow?, _ model: AppModel, isBrief: Bool, into grid: inout Grid, _ rect: Rect
  ) {
    guard let row else { return grid.emptyState(["Nothing in the help matches."], in: rect) }
    var lines = (isBrief ? [] : [PanelLine("")]) + wrapped(row.text, rect.width - 2).map { PanelLine($0) }
    if let command = row.command, let obstacle = model.obstacle(to: command.action.value) {
      lines.append(PanelLine("Not available now: \(obstacle).", .warning))
    } else if row.command?.isSet == true {
      lines.append(PanelLine("* from your settings", .dim))
    }
    grid.lines(lines, in: rect)
  }
}

enum HelpAction: FeatureAction {
  case open, run, nextTopic, previousTopic

  var keyGroup: KeyGroup { self == .open ? .everywhere : .act }

  func obstacle(in model: AppModel) -> String? {
    guard self == .run, let help = model.topDialog(Help.self) else { return nil }
    return help.selected?.command == nil ? "this row is not a command" : nil
  }

  func run(on model: inout AppModel) -> [Command] {
    guard var help = model.topDialog(Help.self) else {
      if self == .open { model.shared.open(Help(model)) }
      return []
    }
    switch self {
    case .open: break
    case .nextTopic, .previousTopic:
      help.show(help.topic.next(self == .nextTopic ? 1 : -1))
      model.shared.replaceDialog(help)
    case .run:
      guard let command = help.selected?.command else { return [] }
      model.dialogs.removeLast()
      return model.attempt(command)
    }
    return []
  }
}

/// A row of the help: a key with its command, or a term with its meaning.
struct HelpRow: Equatable, Sendable {
  var topic: HelpTopic
  var term: String
  var text: String
  /// The command that Enter runs.
  var command: KeyCommand?

  /// The heading that the row is below: the purpose of the command, or the screen that has it.
  var heading: String {
    guard let action = command?.action.value else { return "" }
    if case PaletteThing.command(let screen, _, _)? = action as? PaletteThing {
      return "\(Place(screen).tab + 1) \(Place(screen).title)"
    }
    return action.heading
  }

  /// The text in the table, which is short for a command because its sentence is below the table.
  var label: String { command.map { $0.label.isEmpty ? $0.name : $0.label } ?? text }
}

/// A topic of the help.
enum HelpTopic: CaseIterable, Sendable {
  case here, lists, moving, everywhere, elsewhere, states, times, secrets, files

  var title: String {
    switch self {
    case .here: "Here"
    case .lists: "Lists"
    case .moving: "Moving"
    case .everywhere: "Everywhere"
    case .elsewhere: "Elsewhere"
    case .states: "States"
    case .times: "Clock"
    case .secrets: "Secrets"
    case .files: "Files"
    }
  }

  /// The place among the topics: `1 of 9`.
  var numberText: String {
    "\((Self.allCases.firstIndex(of: self) ?? 0) + 1) of \(Self.allCases.count)"
  }

  func next(_ step: Int) -> HelpTopic {
    let all = Self.allCases
    let place = (all.firstIndex(of: self) ?? 0) + step + all.count
    return all[place % all.count]
  }

  func rows(in model: AppModel) -> [HelpRow] {
    switch self {
    case .here, .lists, .everywhere: commands(in: model)
    case .moving: words(Self.moves, model) + commands(in: model)
    case .elsewhere: commandsOfOtherScreens(in: model)
    case .states:
      Explanation.all(of: .state).map {
        HelpRow(topic: self, term: $0.code, text: $0.meaning)
      }
    case .times: words(Self.timeWords, model)
    case .secrets: words(Self.secretWords, model)
    case .files: words(Self.fileWords(model), model)
    }
  }

  /// Returns the commands of the context that have a key, in groups.
  ///
  /// In each group, commands that are not available now come last.
  private func commands(in model: AppModel) -> [HelpRow] {
    let own = model.shared.keys.commands(in: model.context).filter {
      !$0.keyText.isEmpty && Self.topic(of: $0, model) == self
        && (!isDigit($0) || $0.keys == [.character("1")])
    }
    let can = own.filter { model.obstacle(to: $0.action.value) == nil }
    let inGroups = groups(own, by: \.action.value.heading).flatMap { group in
      group.filter(can.contains) + group.filter { !can.contains($0) }
    }
    return inGroups.map { command in
      isDigit(command)
        ? HelpRow(topic: self, term: "1 to 9", text: "Marks the account of this number; Enter sends it.")
        : HelpRow(
          topic: self, term: command.keys.map(\.displayText).joined(separator: " "),
          text: model.shared.keys.sentence(of: command),
          command: command)
    }
  }

  /// Returns the commands that only other screens have, which Enter goes to.
  private func commandsOfOtherScreens(in model: AppModel) -> [HelpRow] {
    let isOnScreen = Place.tabs.contains { $0.screen == model.context } || model.context == .trace
    guard model.dialogs.isEmpty, isOnScreen else { return [] }
    let table = model.shared.keys
    let names = Set(table.commands(in: model.context).map(\.name))
    return PaletteThing.commands(of: table, besides: names).map {
      HelpRow(topic: self, term: $0.keyText, text: $0.sentence, command: $0)
    }
  }

  private static func topic(of command: KeyCommand, _ model: AppModel) -> HelpTopic {
    let table = model.shared.keys
    // A screen's own commands, and the effect of Enter there.
    if case NavigationAction.open? = command.action.value as? NavigationAction { return .here }
    if model.hasDemo, command.action.value is DemoAction { return .here }
    return switch command.action.value {
    case is ListAction, is ColumnAction: .lists
    case let action as NavigationAction where action.moves: .moving
    default: table.isEverywhere(command) ? .everywhere : .here
    }
  }

  private func words(_ words: [(String, String)], _ model: AppModel) -> [HelpRow] {
    words.map { HelpRow(topic: self, term: $0, text: model.shared.keys.fill($1)) }
  }
}

/// Returns whether a command selects an account of the picker by its number.
private func isDigit(_ command: KeyCommand) -> Bool {
  if case PromptAction.pick? = command.action.value as? PromptAction { true } else { false }
}

extension NavigationAction {
  /// Whether the action leads to another place.
  fileprivate var moves: Bool {
    switch self {
    case .back, .screen, .previousScreen, .nextPanel, .previousPanel, .go: true
    default: false
    }
  }
}

extension KeyTable {
  /// Returns whether every screen has the command.
  fileprivate func isEverywhere(_ command: KeyCommand) -> Bool {
    Place.tabs.allSatisfy { place in
      commands(in: place.screen).contains { $0.action == command.action }
    }
  }
}

extension HelpTopic {
  private static let moves = [
    ("j k ↓ ↑", "One row down or up."), ("C-d C-u", "Half a page down or up."),
    ("PgDn PgUp", "A page down or up."), ("g G", "To the first or the last row; Home and End do the same."),
  ]

  private static let timeWords = [
    ("59m, -12m", "Time left, and time since it expired. {time} shows local time, then UTC."),
    (
      "FAKE",
      "The lab's clock was moved: {clock +1h} moves it forward by an hour, {clock reset} resets it."
    ),
    ("demo", "The clock of a demo starts at the time that its scenario names, and runs from there."),
  ]

  private static let secretWords = [
    ("MASKED", "Secrets are not shown. On 3 Tokens, {reveal} shows the selected one for ten seconds."),
    (
      "copying",
      "{copy} copies a value. A secret is removed from the clipboard after 45 seconds, where that can be checked."
    ),
    ("RO", "The store is open for reading only: commands that would change it say so."),
  ]

  private static func fileWords(_ model: AppModel) -> [(String, String)] {
    [
      ("store", model.lab.status?.storePath ?? "In memory: it is gone when the program ends."),
      ("settings", "Keys, your own commands, the format of times: ssoterm-config(5)."),
      ("paths", "ssoterm paths prints where the files are."),
      ("exit codes", "ssoterm --exit-codes prints them."),
      ("error codes", "{explain} explains the code of the selection; ssoterm explain lists all."),
    ]
  }
}
