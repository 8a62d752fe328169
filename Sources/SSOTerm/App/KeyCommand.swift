import TerminalUI

/// A named command with its keys. Help, key bar, palette and dispatch all read the one table, so none
/// can promise what another does not do.
struct KeyCommand: Equatable, Sendable {
  var action: Action
  var keys: [KeyPress]
  /// How the keys are written.
  var keyText: String
  /// What the key bar says; empty for keys everybody knows.
  var label: String
  /// What the palette runs it by.
  var name: String
  var sentence: String
  var contexts: Set<Context>

  init(
    _ action: Action, _ keys: [KeyPress], _ keyText: String, _ label: String, name: String,
    _ sentence: String, _ contexts: Set<Context>
  ) {
    self.action = action
    self.keys = keys
    self.keyText = keyText
    self.label = label
    self.name = name
    self.sentence = sentence
    self.contexts = contexts
  }

  /// All commands of a context, in the order of the key bar.
  static func all(in context: Context) -> [KeyCommand] { byContext[context] ?? [] }

  static func find(_ key: KeyPress, in context: Context) -> KeyCommand? {
    all(in: context).first { $0.keys.contains(key) }
  }

  /// Sorted out once: every key press and every frame asks.
  private static let byContext: [Context: [KeyCommand]] = Dictionary(
    uniqueKeysWithValues: Context.allCases.map { context in
      (context, table.filter { $0.contexts.contains(context) })
    })
}

/// What a key can do.
enum Action: Hashable, Sendable {
  case open, back, quit, leave
  case screen(Int)
  case previousScreen, nextPanel, previousPanel
  case silent, interactive, chooseAccount, signOut, forget
  case expire, invalidate, delete, expireAll
  case undo, redo, clockForward, clockReal
  case filter, help, palette, redraw, reload, suspend
  case nextHop, previousHop, follow, exportTrace
  case reveal, copyMenu
  case copy(CopyItem)
  case timeStyle
  case acceptFilter
  case pick(Int)
  case otherAccount
  case submit, cancel, otherButton, testPerson, closeDialog, runSelected
}

extension Action {
  /// Whether it writes to the store, which `--readonly` refuses.
  var changesLab: Bool {
    switch self {
    case .silent, .interactive, .chooseAccount, .signOut, .forget, .expire, .invalidate, .delete, .expireAll,
      .undo, .redo, .clockForward, .clockReal:
      true
    default: false
    }
  }
}

/// The second key after `y`.
enum CopyItem: Character, CaseIterable, Sendable {
  case username = "u"
  case clientID = "c"
  case redirectURI = "r"
  case homeAccountID = "a"
  case correlationID = "k"
  case token = "t"

  var words: String {
    switch self {
    case .username: "username"
    case .clientID: "client ID"
    case .redirectURI: "redirect URI"
    case .homeAccountID: "home account ID"
    case .correlationID: "correlation ID"
    case .token: "token"
    }
  }
}
