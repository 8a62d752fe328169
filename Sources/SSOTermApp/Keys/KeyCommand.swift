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
