import SSOCore
import SSODevice
import SSOLab
import SSOProvider

/// A call of a reproduction as a test makes it over HTTP.
package struct ReproducedCall: Sendable {
  package let grant: CallProgram.Grant
  /// The scopes of the call, including the SDK's own.
  package let scopes: [String]
  /// The user's answers: `username`, `password`, `consent`, `verification`.
  package private(set) var answers: [(name: String, value: String)]
  package let clientID: String
  package let redirectURI: String
  /// The path of the authority, such as `common`.
  package let tenant: String
  package private(set) var secret: String?
  package private(set) var origin: String?
  package private(set) var prompt: String?
  /// The fields that the program does not send with these values; a field without a value is omitted.
  package private(set) var changes: [CallProgram.Change] = []
  /// Whether the token endpoint is asked twice, and the second answer counts.
  package private(set) var repeats = false
  /// Whether the authority's configuration is read first.
  package private(set) var discovers = false
  package private(set) var opensTokenEndpoint = false
  /// The path of the authority whose token endpoint redeems the code, or `nil` for the call's.
  package private(set) var redeemingTenant: String?
  /// The client ID of the program whose access token is presented.
  package private(set) var assertionOf: String?
  /// Whether the call presents a token that only the lab can create, or that a test does not keep.
  let needsLab: Bool
  /// Whether the user leaves a page or follows a link, and types nothing more.
  let leavesPage: Bool

  private init(
    _ grant: CallProgram.Grant, _ scopes: [String], clientID: String, redirectURI: String, authority: String,
    _ step: Attempt.Step
  ) {
    (self.grant, self.scopes, self.clientID, self.redirectURI) = (grant, scopes, clientID, redirectURI)
    tenant = Self.tenant(of: authority)
    func answer(_ name: String) -> String? { step.answers?[name].flatMap(\.asText) }
    answers = ["username", "password", "consent", "verification"].compactMap { name in
      answer(name).map { (name, $0) }
    }
    let call = step.action[CallProgram.verb]
    needsLab = call?["federated"] != nil || call?["presents"] != nil
    leavesPage = step.answers?["forgotPassword"] != nil || step.answers?["cancel"] != nil && answers.isEmpty
  }

  /// The call of an app, which redeems its refresh token or signs a user in.
  init(of app: InstalledApp, _ step: Attempt.Step) {
    let silent = step.action["silent"]
    let call = silent ?? step.action["signIn"]
    let asked = call?["scopes"]?.texts ?? []
    self.init(
      silent == nil ? .authorizationCode : .refreshToken,
      (asked.isEmpty ? ["User.Read"] : asked) + ["openid", "profile", "offline_access"],
      clientID: app.clientID,
      redirectURI: app.redirectURI, authority: call?["authority"]?.asText ?? app.authority, step)
    prompt = call?["prompt"]?.asText
  }

  /// The call of a program.
  init(of program: Program, _ step: Attempt.Step, in world: LabWorld) {
    let call = step.action[CallProgram.verb]
    self.init(
      step.grant ?? .authorizationCode, call?["scopes"]?.texts ?? [], clientID: program.clientID,
      redirectURI: program.redirectURI, authority: call?["authority"]?.asText ?? program.authority, step)
    (secret, origin, prompt) = (program.secret, program.origin, call?["prompt"]?.asText)
    (repeats, discovers) = (call?["repeats"] == true, call?["discovers"] == true)
    opensTokenEndpoint = call?["opensTokenEndpoint"] == true
    redeemingTenant = call?["redeemsAt"]?.asText.map(Self.tenant)
    let presented = call?["assertion"]?.asText
    assertionOf = presented.flatMap { name in world.programs.first { $0.name == name } }?.clientID
    // A program that signs in with a password knows the password.
    let account = call?["account"]?.asText
    if grant == .password, let person = world.people.first(where: { $0.username == account }) {
      answers = [("username", person.username), ("password", person.password)]
    }
    for endpoint in CallProgram.Change.Endpoint.allCases {
      guard case .map(let fields)? = call?["change"]?[endpoint.rawValue] else { continue }
      for field in fields {
        let values: [String?] = field.value.texts.isEmpty ? [field.value.asText] : field.value.texts
        changes += values.map { CallProgram.Change(endpoint, field.key, $0) }
      }
    }
  }

  private static func tenant(of authority: String) -> String {
    let path = URLParts(authority)?.path.split(separator: "/").joined(separator: "/") ?? ""
    return path.isEmpty ? "common" : path
  }
}

/// A reproduction as a test of another program needs it: the call before and after the change.
package struct ReproducedTest: Sendable {
  /// The party that makes the call.
  package enum Subject: Sendable { case appleApp, androidApp, program }

  package var subject: Subject
  package var bundleID: String
  /// The one-based number of the scenario's step that fails.
  package var step: Int
  package var call: ReproducedCall
  /// The call after the change, or `nil` if no change is known.
  package var mended: ReproducedCall?
  /// The reason that a test cannot make the call over HTTP, as a clause, or `nil` if it can.
  package var obstacle: String?
  /// Whether the failing call or the change needs the broker.
  package var usesBroker = false
}

extension Reproduction {
  /// The reproduction for an exported test, or `nil` without a failure in the lab.
  package var test: ReproducedTest? {
    guard let attempt, let last = attempt.steps.last, failure != nil else { return nil }
    let mended = changes.first?.attempt
    guard let app = attempt.app else {
      guard let program = attempt.world.programs.first else { return nil }
      func call(_ step: Attempt.Step) -> ReproducedCall {
        ReproducedCall(of: program, step, in: attempt.world)
      }
      let failing = call(last)
      return ReproducedTest(
        subject: .program, bundleID: program.name, step: attempt.steps.count, call: failing,
        mended: mended?.steps.last.map(call), obstacle: obstacle(failing))
    }
    var test = ReproducedTest(
      subject: app.platform == .android || attempt.world.device.platform == .android
        ? .androidApp : .appleApp,
      bundleID: app.bundleID, step: attempt.steps.count, call: ReproducedCall(of: app, last),
      mended: mended.flatMap { mended in
        mended.app.flatMap { app in mended.steps.last.map { ReproducedCall(of: app, $0) } }
      })
    test.usesBroker = attempt.usesBroker || mended?.usesBroker == true
    test.obstacle =
      test.usesBroker
      ? "the call or the change needs the broker"
      : failure?.place == .discovery ? "the app's SDK asks about the authority first" : obstacle(test.call)
    return test
  }

  /// Returns the reason that a test cannot make a call over HTTP, or `nil` if it can.
  private func obstacle(_ call: ReproducedCall) -> String? {
    if call.grant == .managedIdentity { return "the machine, and not the provider, refuses the call" }
    if call.changes.contains(where: { $0.endpoint == .answer })
      || failure?.place == .sdk && failure?.number == nil
    {
      return "the program's SDK fails by itself, and the provider refuses no request"
    }
    if Set(call.changes.map { [$0.endpoint.rawValue, $0.name] }).count < call.changes.count {
      return "the call sends a field twice"
    }
    if call.needsLab { return "the call presents a token that a test cannot make" }
    if call.changes.contains(where: { $0.name == "Origin" }) {
      return "the header Origin is missing, which only a browser sends"
    }
    if call.leavesPage { return "the user leaves the page, and the provider does not refuse anything" }
    return failure?.number == nil ? "the provider refuses no request with a number" : nil
  }
}

extension Attempt {
  /// The first app as it is after the steps that change it, or `nil` if a program makes the call.
  fileprivate var app: InstalledApp? {
    guard var app = world.apps.first else { return nil }
    for step in steps where step.action["set"]?["app"] != nil {
      for text in step.action["set"]?["fields"]?.texts ?? [] {
        app = (try? FieldChange(text)).flatMap { app.applying($0) } ?? app
      }
    }
    return app
  }

  fileprivate var usesBroker: Bool {
    world.device.brokerVersion != nil || steps.contains { $0.action["installBroker"] != nil }
  }
}
