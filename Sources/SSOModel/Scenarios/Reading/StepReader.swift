import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOReference

/// A reader of `steps:` for a world, so that a step cannot refer to an app or a user that does not exist.
struct StepReader {
  static let verbs =
    ScenarioIntents.all.map { $0.verb } + ChangeCredentials.Change.allCases.map(\.rawValue)
    + ["undo", "redo"]
  let world: LabWorld

  func step(_ tree: ScenarioTree) throws(ScenarioError) -> ScenarioStep {
    let keys = try ScenarioFields(
      tree, named: "steps", allowed: ["title", "note", "question", "do", "answers", "expect"])
    return ScenarioStep(
      title: try keys.requiredText("title"), note: try keys.text("note") ?? "",
      action: try action(try keys.required("do")),
      answers: try keys["answers"].map { tree throws(ScenarioError) in try answers(tree) }
        ?? ScenarioAnswers(),
      expectation: try keys["expect"].map { tree throws(ScenarioError) in
        try ExpectationReader(world: world).expectation(tree)
      } ?? StepExpectation(),
      question: try keys.text("question") ?? "")
  }

  /// Reads `fix:` of a scenario with this number of steps.
  func fix(_ tree: ScenarioTree, of count: Int) throws(ScenarioError) -> ScenarioFix {
    let keys = try ScenarioFields(tree, named: "fix", allowed: ["title", "steps", "call"])
    let title = try keys.requiredText("title")
    var changes: [ScenarioFix.Change] = []
    for tree in try keys.list("steps") ?? [] {
      let step = try ScenarioFields(tree, named: "steps", allowed: ["before", "do"])
      let before = try step.number("before") ?? 1
      guard (1...max(count, 1)).contains(before) else {
        throw tree.place.error("before", "names step \(before), and the scenario has \(count)")
      }
      changes.append(
        ScenarioFix.Change(
          before: before,
          step: ScenarioStep(
            title: title, note: "", action: try action(try step.required("do")), answers: ScenarioAnswers(),
            expectation: StepExpectation())))
    }
    let call = try keys["call"].map { tree throws(ScenarioError) in
      let fields = try ScenarioFields(tree, named: "call", allowed: ["title", "do", "answers"])
      return ScenarioStep(
        title: try fields.requiredText("title"), note: "", action: try action(try fields.required("do")),
        answers: try fields["answers"].map { tree throws(ScenarioError) in try answers(tree) }
          ?? ScenarioAnswers(), expectation: StepExpectation())
    }
    return ScenarioFix(title: title, changes: changes, call: call)
  }

  /// Reads a verb alone, such as `undo`, or a map with one verb, such as `signIn: {app: …}`.
  private func action(_ tree: ScenarioTree) throws(ScenarioError) -> ScenarioAction {
    if case .scalar = tree.value {
      return switch try tree.word("do", among: ["undo", "redo", "removeBroker"]) {
      case "undo": .undo
      case "redo": .redo
      default: .intent(AnyIntent(RemoveBroker()))
      }
    }
    _ = try ScenarioFields(tree, named: "do", allowed: Self.verbs)
    guard case .map(let entries) = tree.value, let entry = entries.first, entries.count == 1 else {
      throw tree.wrongType("do", wanted: "one verb", allowed: Self.verbs)
    }
    if let intent = ScenarioIntents.all.first(where: { $0.verb == entry.key }) {
      return .intent(AnyIntent(try intent.read(entry.value, in: world)))
    }
    if let change = ChangeCredentials.Change(rawValue: entry.key) {
      return .credentials(change, try selector(entry.value, named: entry.key))
    }
    return entry.key == "undo" ? .undo : .redo
  }

  private func selector(_ tree: ScenarioTree, named name: String) throws(ScenarioError) -> CredentialSelector
  {
    let keys = try ScenarioFields(tree, named: name, allowed: ["app", "account", "type", "clientID"])
    let bundleID = try keys["app"].map { tree throws(ScenarioError) in try tree.app("app", in: world) }
    return CredentialSelector(
      app: bundleID.flatMap { id in world.apps.first { $0.bundleID == id }?.displayName },
      account: try keys.account(in: world), type: try keys.text("type"), clientID: try keys.text("clientID"))
  }

  private func answers(_ tree: ScenarioTree) throws(ScenarioError) -> ScenarioAnswers {
    let keys = try ScenarioFields(
      tree, named: "answers",
      allowed: [
        "choose", "username", "password", "consent", "verification", "alert", "cancel", "forgotPassword",
      ])
    var answers = ScenarioAnswers()
    if let choice = keys["choose"] {
      let text = try choice.text("choose")
      answers.choose = text == "another" ? text : try choice.person("choose", in: world).username
    }
    answers.username = try keys.text("username")
    answers.password = try keys.text("password")
    answers.verification = try keys.text("verification")
    answers.consent = try keys.choice("consent")
    answers.alert = try keys.choice("alert")
    answers.cancel = try keys.flag("cancel") ?? false
    answers.forgotPassword = try keys.flag("forgotPassword") ?? false
    return answers
  }
}

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
  /// `chain` contains the names on the way here, in order to detect a cycle.
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
