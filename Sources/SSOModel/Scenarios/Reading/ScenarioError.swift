import SSOCore
import SSOReference

/// An error in a scenario file: its place, its key, and the values that are allowed there.
///
/// Two errors are equal if all of their properties are, so that a test compares the entire message.
package struct ScenarioError: Error, Equatable, Sendable {
  /// The path as the user specified it, or the name of the scenario that could not be found.
  package var file: String
  /// The one-based line, or 0 if the error is about the entire file.
  package var line: Int
  /// The key that the error is about, or `nil` if it is about the entire file.
  package var key: String?
  /// The rest of the sentence that `key` begins: "is not known here".
  package var problem: String
  /// Everything that is allowed there, or an empty array if there is no closed list.
  package var allowed: [String]
  /// The allowed word that is most similar to the word found.
  package var nearest: String?
  /// The kind of file: a scenario, or a checklist.
  package var noun = "scenario"

  private static let missing = "the file does not exist"

  /// Whether there is no file at the path.
  package var isMissingFile: Bool { problem == Self.missing }

  package init(missing path: String) { self.init(file: path, Self.missing) }

  package init(
    file: String, line: Int = 0, key: String? = nil, _ problem: String, allowed: [String] = [],
    nearest: String? = nil
  ) {
    self.file = file
    self.line = line
    self.key = key
    self.problem = problem
    self.allowed = allowed
    self.nearest = nearest
  }
}

extension ScenarioTree.Place {
  package func error(
    _ key: String, _ problem: String, allowed: [String] = [], nearest: String? = nil
  ) -> ScenarioError {
    ScenarioError(file: file, line: line, key: key, problem, allowed: allowed, nearest: nearest)
  }

  /// Returns an error for a word that is not in a closed list, with the nearest word of the list.
  func error(_ key: String, _ problem: String, found: String, among allowed: [String]) -> ScenarioError {
    error(key, problem, allowed: allowed, nearest: allowed.closestSpelling(to: found))
  }
}

extension ScenarioError: CustomStringConvertible {
  private var place: String { line > 0 ? "\(file):\(line)" : file }
  /// The statement of the error on one line, because a value that it quotes from the file may have several lines.
  private var statement: String {
    let text = key.map { "key '\($0)' \(problem)" } ?? problem
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The problem, as one sentence.
  package var what: String {
    isUnknownName ? "There is no \(noun) “\(file)”." : "\(place): \(statement)."
  }

  /// Whether the scenario does not exist, in which case `allowed` contains the names of all scenarios.
  package var isUnknownName: Bool { line == 0 && key == nil && !allowed.isEmpty }

  /// The reason that the file is rejected, as one sentence.
  package var why: String {
    // The next step names the nearest.
    if isUnknownName { return nearest == nil ? "None of the \(allowed.count) has a similar name." : "" }
    guard !allowed.isEmpty else {
      return line == 0 && key == nil ? "" : "A \(noun) is read as a whole or not at all."
    }
    if let nearest, allowed.isTooLongToList { return "The nearest of \(allowed.count) is '\(nearest)'." }
    // A world may have thousands of users.
    let more = allowed.count - Self.listedNames
    return "Allowed there: \(allowed.prefix(Self.listedNames).joined(separator: ", "))"
      + (more > 0 ? " and \(more) more." : ".")
  }

  private static let listedNames = 40

  /// The next step, as one sentence.
  package var next: Advice {
    if let nearest { return "Did you mean '\(nearest)'?" }
    return line > 0
      ? "Correct line \(line) and run it again."
      : noun == "scenario" ? "See the names with: \(.scenarios)" : "\(.checklistFormat)"
  }

  /// The entire error on one line: `suite.yaml:12: key 'clentID' is not known here; allowed: bundleID, clientID`.
  package var description: String {
    var text = "\(place): \(statement)"
    if !allowed.isEmpty { text += "; allowed: \(allowed.joined(separator: ", "))" }
    if let nearest { text += "; nearest: \(nearest)" }
    return text
  }
}
