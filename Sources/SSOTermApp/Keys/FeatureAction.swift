/// What is together in the key bar, from left to right.
enum KeyGroup: CaseIterable {
  /// What is done with the selected row, or answered here.
  case act
  /// Why it is so, and how to change it.
  case explain
  /// The steps of a demo.
  case story
  /// What works on every screen.
  case everywhere
}

/// What a key or a command of the palette does.
///
/// Each feature lists its actions in an enum, with name, keys and help of each.
protocol FeatureAction: Hashable, Sendable {
  /// Where the key bar has it.
  var keyGroup: KeyGroup { get }
  /// Whether it writes to the store, which `--readonly` refuses.
  var changesLab: Bool { get }
  /// Why it can do nothing now; nil if it can.
  func obstacle(in model: AppModel) -> String?
  /// Runs it, if nothing prevents it.
  func run(on model: inout AppModel) -> [Command]
  /// Runs it with an argument of the palette; nil if it takes none, and runs as its key does.
  func run(with argument: String, on model: inout AppModel) -> [Command]?
  /// What it would act on now, as the palette says it.
  func object(in model: AppModel) -> String
  /// What one would type behind `ssoterm` for the same; nil if there is no such command.
  ///
  /// `argument` is empty without one.
  func commandWords(_ argument: String, in model: AppModel) -> [String]?
}

extension FeatureAction {
  var keyGroup: KeyGroup { .act }
  var changesLab: Bool { false }
  func obstacle(in model: AppModel) -> String? { nil }
  func run(with argument: String, on model: inout AppModel) -> [Command]? { nil }
  func object(in model: AppModel) -> String { "" }
  func commandWords(_ argument: String, in model: AppModel) -> [String]? { nil }
}

extension FeatureAction {
  /// Runs the one of several actions whose word was typed.
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

/// The action of any feature, as a value that can be compared.
struct Action: Hashable, Sendable {
  let value: any FeatureAction

  init(_ value: any FeatureAction) { self.value = value }

  /// The types come first: a cast of an existential costs a search among the program's conformances.
  static func == (one: Action, other: Action) -> Bool {
    type(of: one.value) == type(of: other.value) && one.value.equals(other.value)
  }
  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Equatable {
  /// Whether two values of unknown types are the same.
  func equals(_ other: any Equatable) -> Bool { self == other as? Self }
}
