/// A YAML file as a plain tree, with the place of every value.
///
/// So an error can specify the file and line long after parsing, and even after one file was applied to another
/// (`inherit`, `patch`).
package struct ScenarioTree: Sendable {
  package struct Entry: Sendable {
    package var key: String
    package var keyPlace: Place
    package var value: ScenarioTree
  }

  package enum Value: Sendable {
    case null
    /// `isQuoted` distinguishes "true" from true.
    case scalar(String, isQuoted: Bool)
    case list([ScenarioTree])
    case map([Entry])
  }

  package struct Place: Equatable, Sendable {
    package var file: String
    package var line: Int
  }

  package var value: Value
  package var place: Place

  /// The name that a user would give this kind of value.
  var kind: String {
    switch value {
    case .null: "nothing"
    case .scalar(let text, isQuoted: false) where Int(text) != nil: "a number"
    case .scalar("true", isQuoted: false), .scalar("false", isQuoted: false): "true or false"
    case .scalar: "a text"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// The value of a key of a map, or `nil` for an absent key and for other kinds of values.
  subscript(key: String) -> ScenarioTree? {
    guard case .map(let entries) = value else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// Returns this map with one key set, or added at the end.
  ///
  /// Other kinds of values are returned unchanged.
  func setting(_ entry: Entry) -> ScenarioTree {
    guard case .map(var entries) = value else { return self }
    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    return ScenarioTree(value: .map(entries), place: place)
  }
}
