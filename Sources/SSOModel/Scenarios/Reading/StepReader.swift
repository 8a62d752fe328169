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

  /// Reads `fix:`; `count` is the number of the scenario's steps, to one of which `before:` refers.
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
