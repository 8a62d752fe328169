/// A reader of `steps:` for a world, so that a step cannot refer to an app or a user that does not exist.
struct StepReader {
  static let verbs =
    [
      "signIn", "silent", "signOut", "forget", "expire", "invalidate", "delete", "clock", "undo", "redo",
      "fault", "handOver", "endApp", "currentAccount", "revoke",
    ] + recordVerbs + deviceVerbs + policyVerbs + linuxVerbs
  let world: LabWorld

  func step(_ tree: ScenarioTree) throws(ScenarioError) -> ScenarioStep {
    let keys = try ScenarioFields(
      tree, named: "steps", allowed: ["title", "note", "do", "answers", "expect"])
    return ScenarioStep(
      title: try keys.requiredText("title"), note: try keys.text("note") ?? "",
      action: try action(try keys.required("do")),
      answers: try keys["answers"].map { tree throws(ScenarioError) in try answers(tree) }
        ?? ScenarioAnswers(),
      expectation: try keys["expect"].map { tree throws(ScenarioError) in
        try ExpectationReader(world: world).expectation(tree)
      } ?? StepExpectation())
  }

  /// Reads a verb alone, such as `undo`, or a map with one verb, such as `signIn: {app: …}`.
  private func action(_ tree: ScenarioTree) throws(ScenarioError) -> ScenarioAction {
    if case .scalar = tree.value {
      return switch try tree.word("do", among: ["undo", "redo", "removeBroker"]) {
      case "undo": .undo
      case "redo": .redo
      default: .intent(.removeBroker)
      }
    }
    let keys = try ScenarioFields(tree, named: "do", allowed: Self.verbs)
    guard case .map(let entries) = tree.value, let entry = entries.first, entries.count == 1 else {
      throw tree.wrongType("do", wanted: "one verb", allowed: Self.verbs)
    }
    let detail = entry.value
    switch entry.key {
    case "undo": return .undo
    case "redo": return .redo
    case "clock": return .intent(.moveClock(bySeconds: try clock(keys)))
    case "signIn": return .intent(try signIn(detail))
    case "silent": return .intent(try silent(detail))
    case "signOut":
      return .intent(try signOut(detail))
    case "currentAccount":
      let inner = try ScenarioFields(detail, named: "currentAccount", allowed: ["app"])
      return .intent(.currentAccount(app: try app(inner)))
    case "forget":
      let inner = try ScenarioFields(detail, named: "forget", allowed: ["account"])
      _ = try inner.required("account")
      return .intent(.forget(account: try account(inner) ?? ""))
    case "revoke":
      let inner = try ScenarioFields(detail, named: "revoke", allowed: ["account"])
      return .intent(
        .revokeSessions(account: try inner.required("account").person("account", in: world).username))
    case "fault": return .intent(try fault(detail))
    case "set", "add", "remove": return .intent(try edit(detail, verb: entry.key))
    case "endApp":
      let inner = try ScenarioFields(detail, named: "endApp", allowed: ["app"])
      return .intent(.endApp(app: try app(inner)))
    case "handOver":
      let inner = try ScenarioFields(detail, named: "handOver", allowed: ["from", "to"])
      let giver = try inner["from"].map { tree throws(ScenarioError) in try tree.app("from", in: world) }
      return .intent(.transferAccount(from: giver, to: try inner.required("to").app("to", in: world)))
    default:
      if let intent = try deviceIntent(entry) { return .intent(intent) }
      if let intent = try policyIntent(entry) { return .intent(intent) }
      if let intent = try linuxIntent(entry) { return .intent(intent) }
      let change = CredentialChange(rawValue: entry.key) ?? .expire
      return .credentials(change, try selector(detail, named: entry.key))
    }
  }

  private func signIn(_ tree: ScenarioTree) throws(ScenarioError) -> Intent {
    let keys = try ScenarioFields(
      tree, named: "signIn", allowed: ["app", "account", "scopes", "prompt"] + Self.callKeys)
    return .signIn(
      app: try app(keys), account: try account(keys), scopes: try keys.texts("scopes") ?? [],
      prompt: try keys.choice("prompt") ?? .whenRequired, options: try options(keys))
  }

  private func signOut(_ tree: ScenarioTree) throws(ScenarioError) -> Intent {
    let keys = try ScenarioFields(
      tree, named: "signOut",
      allowed: ["app", "account", "signoutFromBrowser", "wipeAccount", "wipeCacheForAllAccounts"])
    return .signOut(
      app: try app(keys), account: try account(keys),
      options: SignOutOptions(
        fromBrowser: try keys.flag("signoutFromBrowser") ?? false,
        wipeAccount: try keys.flag("wipeAccount") ?? false,
        wipeCache: try keys.flag("wipeCacheForAllAccounts") ?? false))
  }

  private static let callKeys = ["authority", "claims"]

  private func options(_ keys: ScenarioFields) throws(ScenarioError) -> CallOptions {
    CallOptions(authority: try keys.text("authority"), claims: try keys.text("claims"))
  }

  private func silent(_ tree: ScenarioTree) throws(ScenarioError) -> Intent {
    let keys = try ScenarioFields(
      tree, named: "silent", allowed: ["app", "account", "scopes", "forceRefresh"] + Self.callKeys)
    return .acquireSilently(
      app: try app(keys), account: try account(keys), scopes: try keys.texts("scopes") ?? [],
      forceRefresh: try keys.flag("forceRefresh") ?? false, options: try options(keys))
  }

  private func selector(_ tree: ScenarioTree, named name: String) throws(ScenarioError) -> CredentialSelector
  {
    let keys = try ScenarioFields(tree, named: name, allowed: ["app", "account", "type", "clientID"])
    let bundleID = try keys["app"].map { tree throws(ScenarioError) in try tree.app("app", in: world) }
    return CredentialSelector(
      app: bundleID.flatMap { id in world.apps.first { $0.bundleID == id }?.displayName },
      account: try account(keys), type: try keys.text("type"), clientID: try keys.text("clientID"))
  }

  private func app(_ keys: ScenarioFields) throws(ScenarioError) -> String {
    try keys.required("app").app("app", in: world)
  }

  private func account(_ keys: ScenarioFields) throws(ScenarioError) -> String? {
    guard let tree = keys["account"] else { return nil }
    _ = try tree.person("account", in: world)
    return try tree.text("account")
  }

  /// Reads `+1h`, `-90m`, `3600`, or `reset` for the real time, which is returned as `nil`.
  private func clock(_ keys: ScenarioFields) throws(ScenarioError) -> Int? {
    let tree = try keys.required("clock")
    let text = try tree.text("clock")
    if text == "reset" { return nil }
    guard let seconds = parseDuration(text) ?? Int(text), seconds.magnitude < 10_000_000_000 else {
      throw tree.place.error(
        "clock", "cannot be moved by '\(text)'",
        allowed: ["+1h", "-90m", "+2d", "3600", "reset"])
    }
    return seconds
  }

  private func answers(_ tree: ScenarioTree) throws(ScenarioError) -> ScenarioAnswers {
    let keys = try ScenarioFields(
      tree, named: "answers",
      allowed: ["choose", "username", "password", "consent", "verification", "alert", "cancel"])
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
    return answers
  }
}
