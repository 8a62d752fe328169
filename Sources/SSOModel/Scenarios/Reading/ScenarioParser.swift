import Yams

/// Turns YAML text into a `ScenarioTree`.
///
/// The only file that knows Yams.
///
/// A scenario may come from anywhere, so everything is bounded before it is believed: the size of the text,
/// the depth, and the number of values with every alias written out (a few lines of aliases of aliases
/// would otherwise fill the memory).
package struct ScenarioParser {
  package static let largestFile = 4 << 20
  static let deepest = 64
  static let mostNodes = 100_000

  private let file: String
  private let text: String
  private var nodeCount = 0

  /// Reads YAML as a tree with lines; the tree has no aliases any more.
  /// - Throws: `ScenarioError` if it is no YAML, too large, or nested too deeply.
  package static func parse(_ text: String, file: String) throws(ScenarioError) -> ScenarioTree {
    guard text.utf8.count <= largestFile else {
      throw ScenarioError(file: file, "the file is larger than 4 MB")
    }
    switch NestingScan.finding(in: text, deepest: deepest) {
    case .tooDeep(let line)?: throw tooDeep(file: file, line: line)
    case .tooManyAliases(let line)?:
      throw ScenarioError(file: file, line: line, "more than \(NestingScan.mostAliases) aliases")
    case nil: break
    }
    var parser = ScenarioParser(file: file, text: text)
    guard let root = try parser.compose() else { throw ScenarioError(file: file, "the file is empty") }
    return try parser.tree(root, depth: 1)
  }

  private init(file: String, text: String) {
    self.file = file
    self.text = text
  }

  /// The last line; what is missing at the end of a file is missed one line behind it.
  private var lastLine: Int {
    text.count { $0.isNewline } + (text.last?.isNewline == false ? 1 : 0)
  }

  private static func tooDeep(file: String, line: Int) -> ScenarioError {
    ScenarioError(file: file, line: line, "values are nested more than \(deepest) deep")
  }

  private func compose() throws(ScenarioError) -> Node? {
    do {
      // Scalars are read as they are written. Yams' own resolver would compile seven patterns of ICU to tell a number
      // from a word, and try them on each scalar: a twentieth of the start of a demo.
      return try Yams.compose(yaml: text, .basic)
    } catch {
      throw worded(error)
    }
  }

  /// Yams' own descriptions quote the file over several lines; here one line must do.
  private func worded(_ error: any Error) -> ScenarioError {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _)?, .parser(_, let problem, let mark, _)?,
      .composer(_, let problem, let mark, _)?:
      return ScenarioError(
        file: file, line: min(mark.line, lastLine), "this is not YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context)?:
      return ScenarioError(file: file, line: context.mark.line, key: keys.first, "occurs twice")
    case .reader(let problem, _, _, _)?:
      return ScenarioError(file: file, "this is not YAML: \(problem)")
    default:
      return ScenarioError(file: file, "this is not YAML")
    }
  }

  private mutating func tree(_ node: Node, depth: Int) throws(ScenarioError) -> ScenarioTree {
    let place = ScenarioTree.Place(file: file, line: node.mark?.line ?? 0)
    nodeCount += 1
    guard nodeCount <= Self.mostNodes else {
      throw ScenarioError(
        file: file, line: place.line, "more than \(Self.mostNodes) values, aliases written out")
    }
    guard depth <= Self.deepest else { throw Self.tooDeep(file: file, line: place.line) }
    switch node {
    case .scalar(let scalar):
      let isQuoted = scalar.style != .plain
      let isNull = !isQuoted && ["", "~", "null"].contains(scalar.string)
      return ScenarioTree(value: isNull ? .null : .scalar(scalar.string, isQuoted: isQuoted), place: place)
    case .sequence(let sequence):
      var list: [ScenarioTree] = []
      for element in sequence { list.append(try tree(element, depth: depth + 1)) }
      return ScenarioTree(value: .list(list), place: place)
    case .mapping(let mapping):
      var entries: [ScenarioTree.Entry] = []
      for (key, value) in mapping {
        let keyLine = key.mark?.line ?? place.line
        guard case .scalar(let name) = key else {
          throw ScenarioError(file: file, line: keyLine, "a key must be a text")
        }
        entries.append(
          ScenarioTree.Entry(
            key: name.string, keyPlace: ScenarioTree.Place(file: file, line: keyLine),
            value: try tree(value, depth: depth + 1)))
      }
      return ScenarioTree(value: .map(entries), place: place)
    case .alias:
      throw ScenarioError(file: file, line: place.line, "this alias has no anchor")
    }
  }
}
