/// The keys of one map, which are read one by one by name, with the type of each value checked.
///
/// They are created with the closed list of allowed keys, so that a misspelt key is reported before its absence is.
package struct ScenarioFields {
  package let tree: ScenarioTree
  private let entries: [ScenarioTree.Entry]

  /// Creates the fields of a map, which errors refer to by `name`.
  /// - Throws: `ScenarioError` if the tree is not a map, or has a key that is not allowed.
  package init(_ tree: ScenarioTree, named name: String, allowed: [String]) throws(ScenarioError) {
    var unknown: ScenarioError?
    try self.init(tree, named: name, allowed: allowed) { unknown = unknown ?? $0 }
    if let unknown { throw unknown }
  }

  /// Creates the fields of a map, and passes each key that is not allowed to `report`, in the order of the file.
  /// - Throws: `ScenarioError` if the tree is not a map.
  package init(
    _ tree: ScenarioTree, named name: String, allowed: [String], unknown report: (ScenarioError) -> Void
  ) throws(ScenarioError) {
    guard case .map(let entries) = tree.value else {
      throw tree.wrongType(name, wanted: "a map with keys", allowed: allowed)
    }
    for entry in entries where !allowed.contains(entry.key) {
      report(
        entry.keyPlace.error(
          entry.key, "is not known here", found: entry.key, among: allowed))
    }
    self.tree = tree
    self.entries = entries
  }

  /// The value of a key, or `nil` if the key is absent or has no value.
  package subscript(key: String) -> ScenarioTree? {
    guard let value = entries.first(where: { $0.key == key })?.value else { return nil }
    if case .null = value.value { return nil }
    return value
  }

  /// Returns whether a key is present without a value, which means "none" for some keys.
  func isNull(_ key: String) -> Bool {
    guard let entry = entries.first(where: { $0.key == key }), case .null = entry.value.value else {
      return false
    }
    return true
  }

  /// Returns the value of a required key.
  package func required(_ key: String) throws(ScenarioError) -> ScenarioTree {
    guard let value = self[key] else {
      throw tree.place.error(key, "is missing")
    }
    return value
  }

  package func text(_ key: String) throws(ScenarioError) -> String? { try self[key]?.text(key) }
  func requiredText(_ key: String) throws(ScenarioError) -> String { try required(key).text(key) }
  func number(_ key: String) throws(ScenarioError) -> Int? { try self[key]?.number(key) }
  package func flag(_ key: String) throws(ScenarioError) -> Bool? { try self[key]?.flag(key) }
  func list(_ key: String) throws(ScenarioError) -> [ScenarioTree]? { try self[key]?.list(key) }

  func texts(_ key: String) throws(ScenarioError) -> [String]? {
    try list(key)?.map { element throws(ScenarioError) in try element.text(key) }
  }

  /// Returns the word of `Choice` in a key, or `nil` if the key is absent.
  /// - Throws: `ScenarioError` with the allowed words.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(ScenarioError) -> Choice? where Choice.RawValue == String {
    try self[key]?.choice(key, of: type)
  }

  /// Returns a list of such words, which is empty if the key is absent.
  func choices<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(ScenarioError) -> [Choice] where Choice.RawValue == String {
    try (list(key) ?? []).map { element throws(ScenarioError) in try element.choice(key, of: type) }
  }
}

extension ScenarioTree {
  /// Returns an error with the key, its line, and the expected value.
  package func wrongType(_ key: String, wanted: String, allowed: [String] = []) -> ScenarioError {
    place.error(key, "must be \(wanted), not \(kind)", allowed: allowed)
  }

  package func text(_ key: String) throws(ScenarioError) -> String {
    guard case .scalar(let text, _) = value else { throw wrongType(key, wanted: "a text") }
    return text
  }

  func number(_ key: String) throws(ScenarioError) -> Int {
    guard case .scalar(let text, isQuoted: false) = value, let number = Int(text) else {
      throw wrongType(key, wanted: "a whole number")
    }
    return number
  }

  func flag(_ key: String) throws(ScenarioError) -> Bool {
    switch value {
    case .scalar("true", isQuoted: false): return true
    case .scalar("false", isQuoted: false): return false
    default: throw wrongType(key, wanted: "true or false")
    }
  }

  package func list(_ key: String) throws(ScenarioError) -> [ScenarioTree] {
    guard case .list(let elements) = value else { throw wrongType(key, wanted: "a list") }
    return elements
  }

  /// Returns a text that must be in a closed list.
  package func word(_ key: String, among allowed: [String]) throws(ScenarioError) -> String {
    let found = try text(key)
    guard allowed.contains(found) else {
      throw place.error(
        key, "has the value '\(found)', which is not known here", found: found, among: allowed)
    }
    return found
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type = Choice.self
  ) throws(ScenarioError) -> Choice where Choice.RawValue == String {
    let found = try word(key, among: Choice.allCases.map(\.rawValue))
    guard let choice = Choice(rawValue: found) else { throw wrongType(key, wanted: "a known word") }
    return choice
  }
}
