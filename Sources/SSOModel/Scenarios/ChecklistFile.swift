/// A checklist: scenarios that the program runs, and between them steps that a user performs and checks.
///
/// ```yaml
/// checklist: Release 5.2
/// items:
///   - scenario: two-vendors
///   - manual: Install the build and open Mail.
///     expect: No account picker is shown.
/// ```
package struct ChecklistFile: Sendable {
  package enum Item: Sendable {
    case scenario(ScenarioFile)
    /// The action of the user, and what should be visible then.
    case manual(String, expect: String)
  }

  package var title: String
  package var items: [Item]

  init(
    _ source: ScenarioSource, scenario: (String) throws(ScenarioError) -> ScenarioFile
  ) throws(ScenarioError) {
    let tree = try ScenarioParser.parse(source.text, file: source.path)
    let fields = try ScenarioFields(tree, named: "a checklist", allowed: ["checklist", "items"])
    title = try fields.requiredText("checklist")
    items = []
    for tree in try fields.required("items").list("items") {
      let item = try ScenarioFields(tree, named: "an item", allowed: ["scenario", "manual", "expect"])
      if let named = item["scenario"] {
        let name = try named.text("scenario")
        guard item["manual"] == nil, item["expect"] == nil else {
          throw tree.place.error("scenario", "stands alone: its own steps say what is expected")
        }
        do throws(ScenarioError) { items.append(.scenario(try scenario(name))) } catch {
          guard error.line == 0, error.key == nil else { throw error }
          // If the scenario does not exist, report its place and the nearest name, but not all names.
          throw named.place.error(
            "scenario", "names '\(name)': \(error.problem)",
            nearest: error.nearest)
        }
      } else {
        items.append(.manual(try item.requiredText("manual"), expect: try item.text("expect") ?? ""))
      }
    }
    if items.isEmpty { throw tree.place.error("items", "is empty") }
  }
}

extension ScenarioLibrary {
  /// Returns the checklist at a path.
  ///
  /// If the checklist refers to a scenario by path, the path is relative to the folder of the checklist.
  package func checklist(_ path: String) throws(ScenarioError) -> ChecklistFile {
    guard let source = try Self.file(path) else {
      var error = ScenarioError(missing: path)
      error.noun = "checklist"
      throw error
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return try ChecklistFile(source) { name throws(ScenarioError) in
      let isPath = name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml")
      return try scenario(isPath && !name.hasPrefix("/") ? folder + name : name)
    }
  }
}
