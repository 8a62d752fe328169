/// A named command with its keys.
///
/// Help, key bar, palette and dispatch all read the one table, so none can promise what another does not do.
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
  /// What may be behind the name in the palette.
  var argument: CommandArgument?
  /// Whether the keys, or all of it, come from the person's settings.
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

  /// A command of the palette alone, which says nothing without its argument.
  init(_ action: some FeatureAction, name: String, _ argument: CommandArgument, _ sentence: String) {
    self.init(action, [], "", "", name: name, sentence, taking: argument)
  }
}
