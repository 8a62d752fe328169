import TerminalUI

/// A group of keys in the key bar.
///
/// The groups are listed from left to right.
enum KeyGroup: CaseIterable {
  /// Actions on the selected row, and answers to prompts.
  case act
  /// Explanations of the current state, and ways to change it.
  case explain
  /// The steps of a demo.
  case demo
  /// Actions that work on every screen.
  case everywhere

  /// The heading in the help and the palette.
  var title: String {
    switch self {
    case .act: "On the selection"
    case .explain: "Explain and change"
    case .demo: "Demo"
    case .everywhere: "On every screen"
    }
  }
}

/// The effect of a key or of a command of the palette.
///
/// Each feature lists its actions in an enum, with the name, the keys, and the help of each action.
protocol FeatureAction: Hashable, Sendable {
  /// The group in the key bar.
  var keyGroup: KeyGroup { get }
  /// The heading in the help and the palette, by default that of the key bar's group.
  var heading: String { get }
  /// Whether the action writes to the store, which `--readonly` prevents.
  var changesLab: Bool { get }
  /// Returns the reason that the action is not available now, or `nil` if it is available.
  func obstacle(in model: AppModel) -> String?
  /// Runs the action, if nothing prevents it.
  func run(on model: inout AppModel) -> [Command]
  /// Runs the action with an argument of the palette, or returns `nil` if it does not take one and runs as its key
  /// does.
  func run(with argument: String, on model: inout AppModel) -> [Command]?
  /// Returns the object that the action would act on now, as the palette shows it.
  func object(in model: AppModel) -> String
  /// Returns the words to type after `ssoterm` for the same effect, or `nil` if there is no such command.
  ///
  /// `argument` is empty if there is none.
  func commandWords(_ argument: String, in model: AppModel) -> [String]?
}

extension FeatureAction {
  var keyGroup: KeyGroup { .act }
  var heading: String { keyGroup.title }
  var changesLab: Bool { false }
  func obstacle(in model: AppModel) -> String? { nil }
  func run(with argument: String, on model: inout AppModel) -> [Command]? { nil }
  func object(in model: AppModel) -> String { "" }
  func commandWords(_ argument: String, in model: AppModel) -> [String]? { nil }
}

extension FeatureAction {
  /// Runs the action whose word was typed.
  static func run(_ word: String, among actions: [(word: String, action: Self)], on model: inout AppModel)
    -> [Command]
  {
    guard let action = actions.first(where: { $0.word == word.lowercased() })?.action else {
      return model.shared.refuse("choice", word, among: actions.map(\.word))
    }
    guard let obstacle = model.obstacle(to: action) else { return action.run(on: &model) }
    model.shared.say("\(word): \(obstacle).")
    return []
  }
}

/// An action of any feature, as a value that can be compared.
struct Action: Hashable, Sendable {
  let value: any FeatureAction

  init(_ value: any FeatureAction) { self.value = value }

  /// Compares the types first, because a cast of an existential searches the conformances of the program.
  static func == (one: Action, other: Action) -> Bool {
    type(of: one.value) == type(of: other.value) && one.value.equals(other.value)
  }
  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Equatable {
  /// Returns whether two values of unknown types are equal.
  func equals(_ other: any Equatable) -> Bool { self == other as? Self }
}

/// A named command with its keys.
///
/// The help, the key bar, the palette, and the dispatch all read the same table, so they cannot disagree.
struct KeyCommand: Equatable, Sendable {
  var action: Action
  var keys: [KeyPress]
  /// The text that represents the keys.
  var keyText: String
  /// The text in the key bar, or an empty string for keys that everyone knows.
  var label: String
  /// The name that the palette runs the command by.
  var name: String
  var sentence: String
  /// The argument after the name in the palette.
  var argument: CommandArgument?
  /// Whether the keys, or the entire command, come from the user's settings.
  var isSet = false

  init(
    _ action: some FeatureAction, _ keys: [KeyPress], _ keyText: String, _ label: String, name: String,
    _ sentence: String, taking argument: CommandArgument? = nil
  ) {
    self.action = Action(action)
    self.keys = keys
    self.keyText = keyText
    self.label = label
    self.name = name
    self.sentence = sentence
    self.argument = argument
  }

  /// Creates a command that only the palette has, and that requires its argument.
  init(_ action: some FeatureAction, name: String, _ argument: CommandArgument, _ sentence: String) {
    self.init(action, [], "", "", name: name, sentence, taking: argument)
  }
}

/// The part of the program that receives the keys: a screen, a dialog, or the filter of a list.
///
/// A key has one meaning in each context, or several of which the first available one applies, so that Esc closes the
/// innermost thing. Screens and dialogs define their own contexts.
struct KeyContext: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = name }

  /// The filter of a list, while the user types it.
  static let filter = KeyContext("filter")
}
