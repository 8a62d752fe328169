import SSOCore
import SSODevice
import SSOLab
import SSOProvider

/// A reader of `expect:`.
struct ExpectationReader {
  static let keys = [
    "verdict", "prompted", "prompts", "notAsked", "source", "errorCode", "error", "homeAccountID",
    "failedCheck",
    "trace", "hops", "items", "summary", "accounts", "losses", "presentation", "notChecked", "notReached",
    "broker", "tree", "next",
  ]
  let world: LabWorld

  func expectation(_ tree: ScenarioTree) throws(ScenarioError) -> StepExpectation {
    let keys = try ScenarioFields(
      tree, named: "expect", allowed: Self.keys)
    var expectation = StepExpectation()
    let verdicts = ["succeeded", "failed", "cancelled"]
    expectation.verdict = Outcome.Verdict(
      rawValue: try keys["verdict"]?.word("verdict", among: verdicts) ?? "")
    expectation.prompted = try keys.flag("prompted")
    if keys["prompts"] != nil { expectation.prompts = try keys.choices("prompts") }
    expectation.notAsked = try keys.choices("notAsked")
    expectation.notChecked = try keys.texts("notChecked") ?? []
    expectation.notReached = try keys.choices("notReached")
    expectation.source = try keys.choice("source")
    expectation.errorCode = try keys.number("errorCode")
    expectation.error = try keys["error"].map { tree throws(ScenarioError) in try error(tree) }
    expectation.homeAccountID = try keys.text("homeAccountID")
    expectation.failedCheck = try keys.text("failedCheck")
    expectation.summary = try keys.text("summary")
    expectation.presentation = try keys.choice("presentation")
    for tree in try keys.list("trace") ?? [] { expectation.trace.append(try check(tree)) }
    for tree in try keys.list("hops") ?? [] { expectation.hops.append(try hop(tree)) }
    for tree in try keys.list("items") ?? [] { expectation.items.append(try items(tree)) }
    for tree in try keys.list("losses") ?? [] { expectation.losses.append(try loss(tree)) }
    for tree in try keys.list("tree") ?? [] { expectation.tree.append(try branch(tree)) }
    expectation.broker = try keys.list("broker")?.map { tree throws(ScenarioError) in
      try tree.person("broker", in: world).username
    }
    let apps = world.apps.map(\.bundleID)
    if let tree = keys["next"] {
      let inner = try ScenarioFields(tree, named: "next", allowed: apps)
      for app in apps {
        if let call = inner[app] { expectation.next[app] = try nextCall(call, of: app) }
      }
    }
    if let tree = keys["accounts"] {
      let inner = try ScenarioFields(tree, named: "accounts", allowed: apps)
      for app in apps { expectation.accounts[app] = try inner.texts(app) }
    }
    return expectation
  }

  /// Reads `{code: -50002, oauth: invalid_grant, suberror: bad_token, aadsts: 700082, at: token}`.
  private func error(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedError {
    let keys = try ScenarioFields(
      tree, named: "error",
      allowed: ["domain", "code", "internal", "symbol", "oauth", "suberror", "aadsts", "b2c", "at"])
    let entra = try keys.number("aadsts").map { "AADSTS\($0)" }
    let b2c = try keys.number("b2c").map { "AADB2C\($0)" }
    return ExpectedError(
      domain: try keys.text("domain"), code: try keys.number("code"),
      internalCode: try keys.number("internal"), symbol: try keys.text("symbol"),
      oauth: try keys.text("oauth"), suberror: try keys.text("suberror"), number: entra ?? b2c,
      place: try keys.choice("at"))
  }

  /// Reads `cache` for each account, or `{ada@contoso.com: cache, grace@contoso.com: prompt}`.
  private func nextCall(_ tree: ScenarioTree, of app: String) throws(ScenarioError) -> ExpectedNextCall {
    guard case .map = tree.value else { return .ofEachAccount(try tree.choice(app)) }
    let names = world.people.map(\.username)
    let fields = try ScenarioFields(tree, named: app, allowed: names)
    var kinds: [String: Prediction.Kind] = [:]
    for name in names { kinds[name] = try fields.choice(name) }
    return .byUsername(kinds)
  }

  /// Reads `same team: passed`.
  private func check(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedCheck {
    guard case .map(let entries) = tree.value, let entry = entries.first, entries.count == 1 else {
      throw tree.wrongType("trace", wanted: "a check's name and its verdict, as in 'same team: passed'")
    }
    let verdict = try entry.value.word(entry.key, among: ["passed", "failed", "skipped"])
    return ExpectedCheck(name: entry.key, verdict: Check.Verdict(rawValue: verdict) ?? .skipped)
  }

  /// Reads `{from: sdk, to: system, action: openURL msauthv2, sent: {prompt: login}}`.
  private func hop(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedHop {
    let keys = try ScenarioFields(
      tree, named: "hops", allowed: ["from", "to", "action", "result", "sent"])
    var hop = ExpectedHop(
      from: try keys.choice("from"), to: try keys.choice("to"), action: try keys.text("action"),
      result: try keys.text("result"))
    guard let sent = keys["sent"] else { return hop }
    guard case .map(let entries) = sent.value else {
      throw sent.wrongType("sent", wanted: "names and values")
    }
    for entry in entries { hop.sent.append(NameValue(entry.key, try entry.value.text(entry.key))) }
    return hop
  }

  private func items(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedItems {
    let keys = try ScenarioFields(
      tree, named: "items", allowed: ["group", "service", "type", "format", "account", "count"])
    var items = ExpectedItems(group: try keys.required("group").accessGroup("group", in: world))
    items.service = try keys.text("service")
    items.kind = try keys.choice("type")
    items.format = try keys.choice("format")
    if let person = try keys["account"]?.person("account", in: world) {
      items.owner = [person.username, "\(person.objectID).\(person.homeTenantID)"]
    }
    items.count = try keys.number("count")
    return items
  }

  /// Reads `{clientID: …, redirectURI: …, tokens: [AccessToken, IdToken, RefreshToken]}`.
  private func branch(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedBranch {
    let keys = try ScenarioFields(tree, named: "tree", allowed: ["clientID", "redirectURI", "tokens"])
    let clients = world.apps.map(\.clientID)
    let redirectURIs = world.apps.map(\.redirectURI)
    let tokens = try keys.required("tokens").list("tokens").map { token throws(ScenarioError) in
      try token.word("tokens", among: ExpectedBranch.tokenTypes)
    }
    return ExpectedBranch(
      clientID: try keys.required("clientID").word("clientID", among: clients),
      redirectURI: try keys.required("redirectURI").word("redirectURI", among: redirectURIs), tokens: tokens)
  }

  private func loss(_ tree: ScenarioTree) throws(ScenarioError) -> ExpectedLoss {
    let keys = try ScenarioFields(tree, named: "losses", allowed: ["app", "losesSignIn", "effect"])
    return ExpectedLoss(
      app: try keys.requiredText("app"), losesSignIn: try keys.flag("losesSignIn"),
      effect: try keys.text("effect"))
  }
}

extension ScenarioTree {
  /// Returns an access group in which an app or a credential of this world may have items.
  ///
  /// The team is not checked, because an edit may change it.
  fileprivate func accessGroup(_ key: String, in world: LabWorld) throws(ScenarioError) -> String {
    func bare(_ group: String) -> Substring { group.drop { $0 != "." } }
    let group = try text(key)
    let platform = world.device.platform
    let ofBroker = [platform.workplaceJoinGroup, platform.secondWorkplaceJoinGroup]
    let known = Set(world.apps.flatMap(\.entitledGroups) + ofBroker).sorted()
    guard known.contains(where: { bare($0) == bare(group) }) else {
      throw place.error(
        key, "names the access group '\(group)', which no app in this world has", found: group, among: known)
    }
    return group
  }
}
