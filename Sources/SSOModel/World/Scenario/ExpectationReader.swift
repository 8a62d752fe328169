/// Reads `expect:`.
struct ExpectationReader {
  let world: ScenarioWorld

  func expectation(_ tree: ScenarioTree) throws(ScenarioError) -> StepExpectation {
    let keys = try ScenarioFields(
      tree, named: "expect",
      allowed: [
        "verdict", "prompted", "prompts", "notAsked", "source", "errorCode", "failedCheck", "trace", "items",
        "summary", "accounts", "losses", "presentation",
      ])
    var expectation = StepExpectation()
    let verdicts = ["succeeded", "failed", "cancelled"]
    expectation.verdict = Outcome.Verdict(
      rawValue: try keys["verdict"]?.word("verdict", among: verdicts) ?? "")
    expectation.prompted = try keys.flag("prompted")
    if keys["prompts"] != nil { expectation.prompts = try kinds("prompts", keys) }
    expectation.notAsked = try kinds("notAsked", keys)
    expectation.source = try keys.choice("source")
    expectation.errorCode = try keys.number("errorCode")
    expectation.failedCheck = try keys.text("failedCheck")
    expectation.summary = try keys.text("summary")
    expectation.presentation = try keys.choice("presentation")
    for tree in try keys.list("trace") ?? [] { expectation.trace.append(try check(tree)) }
    for tree in try keys.list("items") ?? [] { expectation.items.append(try items(tree)) }
    for tree in try keys.list("losses") ?? [] { expectation.losses.append(try loss(tree)) }
    if let tree = keys["accounts"] {
      let apps = world.apps.map(\.bundleID)
      let inner = try ScenarioFields(tree, named: "accounts", allowed: apps)
      for app in apps { expectation.accounts[app] = try inner.texts(app) }
    }
    return expectation
  }

  private func kinds(_ key: String, _ keys: ScenarioFields) throws(ScenarioError) -> [PromptKind] {
    var kinds: [PromptKind] = []
    for element in try keys.list(key) ?? [] { kinds.append(try element.choice(key)) }
    return kinds
  }

  /// `same team: passed`
  private func check(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedCheck {
    guard case .map(let entries) = tree.value, let entry = entries.first, entries.count == 1 else {
      throw tree.wrongType("trace", wanted: "a check's name and its verdict, as in 'same team: passed'")
    }
    let verdict = try entry.value.word(entry.key, among: ["passed", "failed", "skipped"])
    return ExpectedCheck(name: entry.key, verdict: Check.Verdict(rawValue: verdict) ?? .skipped)
  }

  private func items(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedItems {
    let keys = try ScenarioFields(tree, named: "items", allowed: ["group", "service", "type", "count"])
    return ExpectedItems(
      group: try keys.requiredText("group"), service: try keys.text("service"), type: try keys.text("type"),
      count: try keys.number("count"))
  }

  private func loss(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedLoss {
    let keys = try ScenarioFields(tree, named: "losses", allowed: ["app", "losesSignIn", "effect"])
    return ExpectedLoss(
      app: try keys.requiredText("app"), losesSignIn: try keys.flag("losesSignIn"),
      effect: try keys.text("effect"))
  }
}
