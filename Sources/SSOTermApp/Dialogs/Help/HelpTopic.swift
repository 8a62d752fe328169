/// A row of the help: a key with its command, or a term with its meaning.
struct HelpRow: Equatable, Sendable {
  var topic: HelpTopic
  var term: String
  var text: String
  /// The command that Enter runs.
  var command: KeyCommand?
}

/// A topic of the help.
enum HelpTopic: CaseIterable, Sendable {
  case here, lists, moving, everywhere, states, times, secrets, files

  var title: String {
    switch self {
    case .here: "Here"
    case .lists: "Lists"
    case .moving: "Moving"
    case .everywhere: "Everywhere"
    case .states: "States"
    case .times: "Clock"
    case .secrets: "Secrets"
    case .files: "Files"
    }
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
    case .states:
      Explanation.all(of: .state).map {
        HelpRow(topic: self, term: $0.code, text: $0.meaning)
      }
    case .times: words(Self.timeWords, model)
    case .secrets: words(Self.secretWords, model)
    case .files: words(Self.fileWords(model), model)
    }
  }

  /// Returns the commands of the context that have a key.
  ///
  /// Commands that are not available now come last.
  private func commands(in model: AppModel) -> [HelpRow] {
    let own = model.shared.keys.commands(in: model.context).filter {
      !$0.keyText.isEmpty && Self.topic(of: $0, model) == self
        && (!isDigit($0) || $0.keys == [.character("1")])
    }
    let can = own.filter { model.obstacle(to: $0.action.value) == nil }
    return (can + own.filter { !can.contains($0) }).map { command in
      isDigit(command)
        ? HelpRow(topic: self, term: "1 to 9", text: "Marks the account of this number; Enter sends it.")
        : HelpRow(
          topic: self, term: command.keys.map(\.words).joined(separator: " "),
          text: model.shared.keys.sentence(of: command),
          command: command)
    }
  }

  private static func topic(of command: KeyCommand, _ model: AppModel) -> HelpTopic {
    let table = model.shared.keys
    // A screen's own commands, and the effect of Enter there.
    if case NavigationAction.open? = command.action.value as? NavigationAction { return .here }
    if model.hasStory, command.action.value is StoryAction { return .here }
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
      ("settings", "Keys, commands of your own, how times are shown: ssoterm-config(5)."),
      ("paths", "ssoterm paths prints where the files are."),
      ("exit codes", "ssoterm --exit-codes prints them."),
      ("error codes", "{explain} explains the code of the selection; ssoterm explain lists all."),
    ]
  }
}
