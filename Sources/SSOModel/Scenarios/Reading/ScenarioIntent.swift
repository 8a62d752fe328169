import SSOCore
import SSODevice
import SSOLab
import SSOProvider

/// An intent that a step of a scenario can perform.
///
/// The step's key is the intent's ``Intent/verb``.
protocol ScenarioIntent: Intent {
  /// Reads the value of the step's key, so that it cannot refer to an app or a user that does not exist in the world.
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent
}

/// The intents that scenario files can name.
///
/// A cast of each type of an intent would make the runtime search all conformances of the program, before the first
/// frame of a demo.
enum ScenarioIntents {
  static let all: [any ScenarioIntent.Type] = [
    SignIn.self, AcquireSilently.self, SignOut.self, ForgetAccount.self, MoveClock.self, AddFault.self,
    TransferAccount.self, EndApp.self, GetCurrentAccount.self, RevokeSessions.self, EditRecord.self,
    AddRecord.self, RemoveRecord.self, InstallBroker.self, RemoveBroker.self, RegisterPlatformSSO.self,
    InjectFault.self, ReinstallApp.self, OpenURL.self, SetPolicy.self, RemovePolicy.self, SetCompliance.self,
    EnrollApp.self, CallLinuxBroker.self, CallProgram.self, UnregisterDevice.self,
  ]
}

extension ScenarioIntent {
  fileprivate static func fields(_ step: ScenarioTree, _ allowed: String...) throws(ScenarioError)
    -> ScenarioFields
  {
    try ScenarioFields(step, named: verb, allowed: allowed)
  }
}

extension ScenarioFields {
  fileprivate func app(_ key: String = "app", in world: LabWorld) throws(ScenarioError) -> String {
    try required(key).app(key, in: world)
  }

  /// Returns the account as the file names it, by username or home account ID.
  func account(in world: LabWorld) throws(ScenarioError) -> String? {
    guard let tree = self["account"] else { return nil }
    _ = try tree.person("account", in: world)
    return try tree.text("account")
  }

  fileprivate func username(in world: LabWorld) throws(ScenarioError) -> String {
    try required("account").person("account", in: world).username
  }

  fileprivate func callOptions() throws(ScenarioError) -> CallOptions {
    CallOptions(authority: try text("authority"), claims: try text("claims"))
  }
}

// MARK: - Calls and accounts

extension SignIn: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "app", "account", "scopes", "prompt", "overlaps", "authority", "claims")
    return SignIn(
      app: try keys.app(in: world), account: try keys.account(in: world),
      scopes: try keys.texts("scopes") ?? [], prompt: try keys.choice("prompt") ?? .whenRequired,
      overlaps: try keys.flag("overlaps") ?? false, options: try keys.callOptions())
  }
}

extension AcquireSilently: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "app", "account", "username", "scopes", "forceRefresh", "authority", "claims")
    if keys["account"] != nil, keys["username"] != nil {
      throw step.place.error("username", "names the account a second time, beside account")
    }
    return AcquireSilently(
      app: try keys.app(in: world), account: try keys.account(in: world), username: try keys.text("username"),
      scopes: try keys.texts("scopes") ?? [], forceRefresh: try keys.flag("forceRefresh") ?? false,
      options: try keys.callOptions())
  }
}

extension SignOut: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(
      step, "app", "account", "signoutFromBrowser", "wipeAccount", "wipeCacheForAllAccounts")
    return SignOut(
      app: try keys.app(in: world), account: try keys.account(in: world),
      options: SignOutOptions(
        fromBrowser: try keys.flag("signoutFromBrowser") ?? false,
        wipeAccount: try keys.flag("wipeAccount") ?? false,
        wipeCache: try keys.flag("wipeCacheForAllAccounts") ?? false))
  }
}

extension GetCurrentAccount: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    GetCurrentAccount(app: try fields(step, "app").app(in: world))
  }
}

extension ForgetAccount: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "account")
    _ = try keys.required("account")
    return ForgetAccount(account: try keys.account(in: world) ?? "")
  }
}

extension RevokeSessions: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    RevokeSessions(account: try fields(step, "account").username(in: world))
  }
}

extension TransferAccount: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "from", "to")
    let giver = try keys["from"].map { tree throws(ScenarioError) in try tree.app("from", in: world) }
    return TransferAccount(from: giver, to: try keys.app("to", in: world))
  }
}

// MARK: - Apps and the broker

extension EndApp: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    EndApp(app: try fields(step, "app").app(in: world))
  }
}

extension ReinstallApp: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    ReinstallApp(app: try fields(step, "app").app(in: world))
  }
}

extension OpenURL: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "from", "url")
    return OpenURL(try keys.requiredText("url"), from: try keys.app("from", in: world))
  }
}

extension EnrollApp: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "app", "account")
    return EnrollApp(app: try keys.app(in: world), account: try keys.username(in: world))
  }
}

extension RegisterPlatformSSO: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    RegisterPlatformSSO(account: try fields(step, "account").username(in: world))
  }
}

extension InstallBroker: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "version", "managedByAdmin", "apps")
    return InstallBroker(version: try keys.text("version"), managed: try keys.management(in: world))
  }
}

extension ScenarioFields {
  /// Reads `managedByAdmin: true`, and `apps:` if this is not for the entire device.
  func management(in world: LabWorld) throws(ScenarioError) -> BrokerManagement? {
    var apps: [String]?
    if let list = try list("apps") {
      apps = []
      for tree in list { apps?.append(try tree.app("apps", in: world)) }
    }
    guard try flag("managedByAdmin") ?? (apps != nil) else { return nil }
    return BrokerManagement(apps: apps)
  }
}

extension RemoveBroker: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    RemoveBroker()
  }
}

extension InjectFault: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(step, "app", "with")
    return InjectFault(app: try keys.app(in: world), try keys.required("with").choice("with"))
  }
}

extension CallLinuxBroker: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(
      step, "program", "client", "calls", "account", "scopes", "authority", "redirectURI", "prompt")
    let method: LinuxBrokerMethod = try keys.required("calls").choice("calls")
    let account = try keys["account"].map { tree throws(ScenarioError) in
      try tree.person("account", in: world).username
    }
    let redirectURI = try keys.text("redirectURI") ?? WellKnownClients.nativeRedirectURI
    let authority = try keys.text("authority") ?? PublicCloud.commonAuthority
    var parameters: [String: JSONValue] = [
      "clientId": .string(try keys.requiredText("client")), "redirectUri": .string(redirectURI),
      "authority": .string(authority),
      "requestedScopes": .array((try keys.texts("scopes") ?? ["User.Read"]).map(JSONValue.string)),
    ]
    parameters["username"] = account.map(JSONValue.string)
    parameters["prompt"] = try keys.text("prompt").map(JSONValue.string)
    let body: JSONValue = ["authParameters": .object(parameters), "ssoUrl": .string(authority)]
    return CallLinuxBroker(
      LinuxBrokerCall(
        method, correlationID: "", body: body.text(.wire),
        caller: LinuxCaller(
          connection: ":1.1", userID: 1000, processID: 4711, executable: try keys.requiredText("program"))))
  }
}

extension CallProgram: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let keys = try fields(
      step, "program", "grant", "scopes", "account", "prompt", "authority", "assertion", "change",
      "repeats", "discovers", "machine", "redeemsAt", "federated", "presents", "opensTokenEndpoint")
    var program = try keys.required("program").program("program", in: world)
    program.authority = try keys.text("authority") ?? program.authority
    let grant: Grant = try keys.required("grant").choice("grant")
    var call = CallProgram(program, grant, scopes: try keys.texts("scopes") ?? [])
    call.account = try keys["account"].map { tree throws(ScenarioError) in
      try tree.person("account", in: world).username
    }
    if grant == .password, call.account == nil { _ = try keys.required("account") }
    call.prompt = try keys.text("prompt")
    call.assertion = try keys["assertion"].map { tree throws(ScenarioError) in
      try tree.program("assertion", in: world)
    }
    if grant == .onBehalfOf, call.assertion == nil { _ = try keys.required("assertion") }
    if let tree = keys["change"] { call.changes = try tree.changes() }
    call.repeats = try keys.flag("repeats") ?? false
    call.discovers = try keys.flag("discovers") ?? false
    call.opensTokenEndpoint = try keys.flag("opensTokenEndpoint") ?? false
    call.redeemingAuthority = try keys.text("redeemsAt")
    call.federation = try keys["federated"].map { tree throws(ScenarioError) in try tree.federatedProof() }
    let presented = try keys["presents"].map { tree throws(ScenarioError) -> PresentedToken in
      try tree.choice("presents")
    }
    call.presentsIDToken = presented == .idToken
    call.machine =
      try keys["machine"].map { tree throws(ScenarioError) in try tree.choice("machine") } ?? .imds
    return call
  }
}

/// The token of another program that a call on behalf of a user presents.
private enum PresentedToken: String, CaseIterable { case accessToken, idToken }

extension ScenarioTree {
  /// Reads `{subject: repo:contoso/app, audience: api://other, age: 30}`.
  fileprivate func federatedProof() throws(ScenarioError) -> CallProgram.FederatedProof {
    let keys = try ScenarioFields(self, named: "federated", allowed: ["subject", "audience", "age"])
    var proof = CallProgram.FederatedProof(subject: try keys.requiredText("subject"))
    proof.audience = try keys.text("audience") ?? proof.audience
    proof.age = try keys.number("age") ?? proof.age
    return proof
  }

  /// Reads `{token: {resource: https://api.example, code_verifier: ~}}`; a field without a value is omitted, and one with a
  /// list of values is sent once for each.
  fileprivate func changes() throws(ScenarioError) -> [CallProgram.Change] {
    let endpoints = CallProgram.Change.Endpoint.allCases
    let keys = try ScenarioFields(self, named: "change", allowed: endpoints.map(\.rawValue))
    var changes: [CallProgram.Change] = []
    for endpoint in endpoints {
      guard let tree = keys[endpoint.rawValue] else { continue }
      guard case .map(let entries) = tree.value else {
        throw tree.wrongType(endpoint.rawValue, wanted: "names and values")
      }
      for entry in entries {
        if case .null = entry.value.value {
          changes.append(CallProgram.Change(endpoint, entry.key, nil))
        } else if case .list(let values) = entry.value.value {
          for value in values {
            changes.append(CallProgram.Change(endpoint, entry.key, try value.text(entry.key)))
          }
        } else {
          changes.append(CallProgram.Change(endpoint, entry.key, try entry.value.text(entry.key)))
        }
      }
    }
    return changes
  }
}

// MARK: - The administrator and the provider

extension SetPolicy: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    SetPolicy(try step.policy(in: world))
  }
}

extension ScenarioTree {
  /// Reads `{name: …, requires: compliantDevice, tenant: …, person: …, client: …, executables: […]}`.
  func policy(in world: LabWorld) throws(ScenarioError) -> Policy {
    let keys = try ScenarioFields(
      self, named: "policy",
      allowed: ["name", "requires", "tenant", "person", "client", "flow", "hours", "executables"])
    return Policy(
      name: try keys.requiredText("name"), requires: try keys.required("requires").choice("requires"),
      tenantID: try keys["tenant"].map { tree throws(ScenarioError) in
        try tree.tenantID("tenant", in: world.tenants)
      },
      username: try keys["person"].map { tree throws(ScenarioError) in
        try tree.person("person", in: world).username
      },
      clientID: try keys.text("client"), flow: try keys["flow"]?.choice("flow"),
      hours: try keys.number("hours"),
      executables: try keys.texts("executables"))
  }
}

extension RemovePolicy: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    RemovePolicy(name: try fields(step, "name").requiredText("name"))
  }
}

extension SetCompliance: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    SetCompliance(try fields(step, "compliant").required("compliant").flag("compliant"))
  }
}

/// The deletion of the world's device from the directory: `unregisterDevice: {}`.
extension UnregisterDevice: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    _ = try fields(step)
    return UnregisterDevice(world.device.id)
  }
}

/// A fault, such as `fault: {endpoint: token, kind: "503", clientID: …, times: 1}`, or `fault: clear`.
extension AddFault: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    if case .scalar = step.value {
      _ = try step.word("fault", among: ["clear"])
      return ClearFaults()
    }
    let keys = try fields(step, "endpoint", "kind", "clientID", "times")
    let text = try keys.requiredText("kind")
    let place = try keys.required("kind").place
    guard let kind = Fault.Kind(text) else {
      throw place.error(
        "kind", "has the value '\(text)', which is not a kind of fault", allowed: Fault.Kind.allowed)
    }
    let times = try keys.number("times")
    guard times.map({ $0 > 0 }) ?? true else {
      throw step.place.error("times", "must be 1 or more")
    }
    return AddFault(
      Fault(
        try keys.required("endpoint").choice("endpoint"), kind, clientID: try keys.text("clientID"),
        remaining: times))
  }
}

/// A step such as `+1h`, `-90m`, or `3600`, or `reset` for the real time.
extension MoveClock: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let text = try step.text(verb)
    if text == "reset" { return MoveClock(bySeconds: nil) }
    guard let seconds = parseDuration(text) ?? Int(text), seconds.magnitude < 10_000_000_000 else {
      throw step.place.error(
        verb, "cannot be moved by '\(text)'", allowed: ["+1h", "-90m", "+2d", "3600", "reset"])
    }
    return MoveClock(bySeconds: seconds)
  }
}

// MARK: - Records

/// A change of a record, such as `set: {app: com.contoso.mytestapp2, fields: [teamID=F6G7H8I9J0]}`.
extension EditRecord: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let (kind, keys) = try record(step)
    return EditRecord(
      kind, record: try keys.requiredText(kind.rawValue), try keys.required("fields").changes("fields"))
  }
}

/// A new record, such as `add: {person: grace@contoso.com, fields: [password=bug]}`.
extension AddRecord: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let (kind, keys) = try record(step)
    return AddRecord(
      kind, record: try keys.requiredText(kind.rawValue), try keys["fields"]?.changes("fields") ?? [])
  }
}

/// A removal, such as `remove: {person: grace@contoso.com}`.
extension RemoveRecord: ScenarioIntent {
  static func read(_ step: ScenarioTree, in world: LabWorld) throws(ScenarioError) -> any Intent {
    let (kind, keys) = try record(step, with: [])
    return RemoveRecord(kind, record: try keys.requiredText(kind.rawValue))
  }
}

extension ScenarioIntent {
  fileprivate static func record(
    _ step: ScenarioTree, with others: [String] = ["fields"]
  ) throws(ScenarioError) -> (RecordKind, ScenarioFields) {
    let kinds = RecordKind.allCases.map(\.rawValue)
    let keys = try ScenarioFields(step, named: verb, allowed: kinds + others)
    guard let kind = RecordKind.allCases.first(where: { keys[$0.rawValue] != nil }) else {
      throw step.wrongType(verb, wanted: "one record and its fields", allowed: kinds)
    }
    return (kind, keys)
  }
}

extension ScenarioTree {
  fileprivate func changes(_ key: String) throws(ScenarioError) -> [FieldChange] {
    try list(key).map { field throws(ScenarioError) in
      let text = try field.text(key)
      do throws(LabError) {
        return try FieldChange(text)
      } catch {
        throw field.place.error(key, "is not valid: \(error.why)")
      }
    }
  }
}
