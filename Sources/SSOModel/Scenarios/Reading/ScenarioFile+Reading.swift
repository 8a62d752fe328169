import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOReference

/// The text of a scenario file, and its origin.
package struct ScenarioSource: Sendable {
  package var path: String
  package var text: String
  /// Whether it is part of the program, in which case the path is its name.
  var isEmbedded: Bool

  package init(path: String, text: String, isEmbedded: Bool = false) {
    self.path = path
    self.text = text
    self.isEmbedded = isEmbedded
  }
}

extension ScenarioFile {
  static let keys = [
    "name", "title", "claims", "note", "seed", "clock", "inherit", "patch", "world", "steps", "fix",
  ]

  /// Creates a scenario from its file, and from the scenarios that it inherits from.
  ///
  /// `find` returns the file of an inherited scenario by name, or `nil` if it does not exist.
  /// - Throws: `ScenarioError` with file and line, also for a scenario that inherits from itself.
  package init(
    _ source: ScenarioSource, find: (String) throws(ScenarioError) -> ScenarioSource? = { _ in nil }
  ) throws(ScenarioError) {
    try self.init(try Self.tree(source, chain: [], find: find), path: source.path)
  }

  /// Returns the merged tree of a file and its ancestors.
  ///
  /// `chain` contains the names of the scenarios that inherit from this one, in order to detect a cycle.
  private static func tree(
    _ source: ScenarioSource, chain: [String], find: (String) throws(ScenarioError) -> ScenarioSource?
  ) throws(ScenarioError) -> ScenarioTree {
    let tree = try ScenarioParser.parse(source.text, file: source.path)
    let fields = try ScenarioFields(tree, named: "scenario", allowed: keys)
    let name = try fields.requiredText("name")
    guard let inherit = fields["inherit"] else { return try ScenarioPatch.lay(tree, over: tree) }
    let parentName = try inherit.text("inherit")
    let chain = chain + [name]
    if chain.contains(parentName) {
      let cycle = (chain.drop { $0 != parentName } + [parentName]).joined(separator: " → ")
      throw inherit.place.error("inherit", "is circular: \(cycle)")
    }
    guard let parent = try find(parentName) else {
      throw inherit.place.error("inherit", "names the scenario '\(parentName)', which was not found")
    }
    let whole = try ScenarioPatch.lay(tree, over: try Self.tree(parent, chain: chain, find: find))
    // A scenario with its own steps shows only the claims that its own file lists, and has only its own fix.
    guard let line = fields["steps"]?.place else { return whole }
    return [("claims", ScenarioTree.Value.list([])), ("fix", .null)].filter { fields[$0.0] == nil }
      .reduce(whole) { tree, entry in
        tree.setting(
          ScenarioTree.Entry(
            key: entry.0, keyPlace: line, value: ScenarioTree(value: entry.1, place: line)))
      }
  }

  private init(_ tree: ScenarioTree, path: String) throws(ScenarioError) {
    let fields = try ScenarioFields(tree, named: "scenario", allowed: Self.keys)
    self.path = path
    name = try fields.requiredText("name")
    title = try fields.requiredText("title")
    claims = try Self.claims(fields)
    note = try fields.text("note") ?? ""
    seed = UInt64(clamping: try fields.number("seed") ?? 1)
    clock = try fields["clock"]?.moment("clock")
    world = try WorldReader(try fields.required("world")).world
    let reader = StepReader(world: world)
    steps = []
    for tree in try fields.list("steps") ?? [] { steps.append(try reader.step(tree)) }
    let count = steps.count
    fix = try fields["fix"].map { tree throws(ScenarioError) in try reader.fix(tree, of: count) }
  }
}

extension ScenarioFile {
  private static func claims(_ fields: ScenarioFields) throws(ScenarioError) -> [String] {
    let known = Claim.all.map(\.id)
    return try (fields.list("claims") ?? []).map { tree throws(ScenarioError) in
      let id = try tree.text("claims")
      guard known.contains(id) else {
        throw tree.place.error(
          "claims", "names the claim '\(id)', which is not in docs/claims.md", allowed: known)
      }
      return id
    }
  }
}

extension ScenarioTree {
  /// Returns a time in UTC, or `nil` for `real`.
  fileprivate func moment(_ key: String) throws(ScenarioError) -> Instant? {
    let text = try text(key)
    if text == "real" { return nil }
    guard text.hasSuffix("Z"), let moment = Instant(iso8601: text) else {
      throw place.error(
        key, "has the value '\(text)', which is not a time",
        allowed: ["2026-03-02T09:00:00Z", "real"])
    }
    return moment
  }
}
