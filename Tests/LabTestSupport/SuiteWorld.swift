import SSOCore
import SSOStore
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// One developer's apps on one iPhone, each with its own choice of library.
struct SuiteApp: Sendable {
  var name: String
  var sdk = SDKKind.adal
  var version = "2.6.6"
  var client = "c1"
  var extra = ""

  static func adal(_ name: String, _ version: String, client: String = "c1", extra: String = "") -> SuiteApp {
    SuiteApp(name: name, version: version, client: client, extra: extra)
  }
  static func msal(_ name: String, client: String = "c1", extra: String = "") -> SuiteApp {
    SuiteApp(name: name, sdk: .msal, version: "2.13.0", client: client, extra: extra)
  }

  var bundleID: String { "com.contoso.\(name)" }
  var redirectURI: String {
    sdk == .adal ? "x-msauth-\(name)://\(bundleID)" : "msauth.\(bundleID)://auth"
  }

  var yaml: String {
    """
        - bundleID: \(bundleID)
          displayName: \(name)
          vendor: Contoso
          teamID: A1B2C3D4E5
          sdk: \(sdk.rawValue)
          sdkVersion: "\(version)"
          clientID: \(client)
          redirectURI: \(redirectURI)
          \(sdk == .adal ? "resource: https://graph.microsoft.com" : "webView: embedded")
    \(extra.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n"))
    """
  }
}

/// Returns a lab with these apps, in which ada and grace may sign in.
///
/// If `family` is true, the clients `c1` and `c2` are in family 1.
func suiteLab(on engine: TestEngine = .sqlite, _ apps: [SuiteApp], family: Bool = false) throws -> Lab {
  let registrations = Set(apps.map(\.client)).sorted().map { client in
    """
        - clientID: \(client)
          displayName: Contoso \(client)
          publisher: Contoso
          redirectURIs: [\(apps.filter { $0.client == client }.map(\.redirectURI).joined(separator: ", "))]
          isPreauthorized: true
    \(family ? "      familyID: \"1\"" : "")
    """
  }
  let text = """
    name: suite
    title: suite
    clock: 2026-03-02T09:00:00Z
    world:
      broker: {installed: false}
      tenants:
        - {id: 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90, displayName: Contoso, domains: [contoso.com]}
      people:
        - {username: ada@contoso.com, displayName: Ada, password: engine, objectID: 2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21, homeTenantID: 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90}
        - {username: grace@contoso.com, displayName: Grace, password: bug, objectID: 7d3e9a54-16c2-4b88-a0f7-3c5e2d914b60, homeTenantID: 5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90}
      registrations:
    \(registrations.joined(separator: "\n"))
      apps:
    \(apps.map(\.yaml).joined(separator: "\n"))
    steps: []
    """
  return try engine.lab(try ScenarioFile(ScenarioSource(path: "suite.yaml", text: text)))
}

let adaHome = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
let suiteGroup = "A1B2C3D4E5.com.microsoft.adalcache"

extension Lab {
  /// Signs a user in with name and password.
  @discardableResult
  func signIn(
    _ app: SuiteApp, _ user: String = "ada@contoso.com", account: String? = nil,
    prompt: PromptBehavior = .whenRequired
  ) throws -> Outcome {
    let password = user.hasPrefix("ada") ? "engine" : "bug"
    let hinted = account == user
    return try outcome(
      SignIn(app: app.bundleID, account: account, scopes: [], prompt: prompt),
      hinted ? [.password(password)] : [.username(user), .password(password)])
  }

  func silent(_ app: SuiteApp, _ account: String? = nil, forceRefresh: Bool = false) throws -> Outcome {
    try outcome(AcquireSilently(app: app.bundleID, account: account, scopes: [], forceRefresh: forceRefresh))
  }

  @discardableResult
  func outcome(_ intent: any Intent, _ answers: [Answer] = []) throws -> Outcome {
    guard case .done(let outcome, _) = try perform(intent, answers: answers) else {
      Issue.record("an answer is missing")
      return Outcome(.failed, "")
    }
    return outcome
  }

  /// Performs one intent and undoes it.
  ///
  /// An intent that only reads leaves nothing to undo. The lab's own undo would also take back the change before a silent
  /// call.
  func takenBack<Result>(_ body: () throws -> Result) throws -> Result {
    let entry = try store.journal(limit: 1).first?.id
    let result = try body()
    if try store.journal(limit: 1).first?.id != entry { _ = try store.undo(at: realTime()) }
    return result
  }

  /// Returns the number of items of each kind in the shared group.
  func kinds() throws -> [String: Int] {
    try read { try $0.keychain.rows(group: suiteGroup) }.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
  }
}
