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
  /// What may stand behind the name in the palette.
  var argument: CommandArgument?

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

  /// A command of the palette alone, which says nothing without its argument.
  init(_ action: Action, name: String, _ argument: CommandArgument, _ sentence: String) {
    self.init(action, [], "", "", name: name, sentence, Context.screens)
    self.argument = argument
  }

  func taking(_ argument: CommandArgument) -> KeyCommand {
    var command = self
    command.argument = argument
    return command
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

/// The second key after `y`.
enum CopyItem: Character, CaseIterable, Sendable {
  case username = "u"
  case clientID = "c"
  case redirectURI = "r"
  case homeAccountID = "a"
  case correlationID = "k"
  case token = "t"
  case authHeader = "h"
  case mermaid = "m"
  case cell = "."

  var words: String {
    switch self {
    case .username: "username"
    case .clientID: "client ID"
    case .redirectURI: "redirect URI"
    case .homeAccountID: "home account ID"
    case .correlationID: "correlation ID"
    case .token: "token"
    case .authHeader: "auth header"
    case .mermaid: "Mermaid"
    case .cell: "row's name"
    }
  }

  /// In one word, for the palette.
  var word: String {
    switch self {
    case .username: "upn"
    case .clientID: "client"
    case .redirectURI: "redirect"
    case .homeAccountID: "home-account-id"
    case .correlationID: "correlation"
    case .token: "token"
    case .authHeader: "header"
    case .mermaid: "mermaid"
    case .cell: "name"
    }
  }
}

/// What a trace is written as.
package enum ExportForm: Character, CaseIterable, Sendable {
  case text = "t"
  case mermaid = "m"
  case json = "j"

  package var word: String {
    switch self {
    case .text: "text"
    case .mermaid: "mermaid"
    case .json: "json"
    }
  }

  var fileEnding: String {
    switch self {
    case .text: "txt"
    case .mermaid: "mmd"
    case .json: "json"
    }
  }
}
