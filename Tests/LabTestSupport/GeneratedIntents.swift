import Foundation

@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider

/// Random intents that a user might request of a lab, and random answers to its prompts.
struct GeneratedIntents {
  var random: Randomness
  let apps: [InstalledApp]
  let people: [DirectoryUser]

  private mutating func app() -> String { random.pick(apps).bundleID }

  /// Returns a username, a home account ID, or no account.
  mutating func account() -> String? {
    let person = random.pick(people)
    return random.pick([nil, person.username, person.username, person.clientInfo.homeAccountID])
  }

  mutating func next(_ tokens: @autoclosure () throws -> [TokenRow]) rethrows -> any Intent {
    return switch random.below(100) {
    case 0..<26:
      SignIn(
        app: app(), account: random.holds(60) ? nil : account(), scopes: [],
        prompt: random.pick(PromptBehavior.allCases))
    case 26..<50: AcquireSilently(app: app(), account: account(), scopes: [], forceRefresh: false)
    case 50..<54: AcquireSilently(app: app(), account: account(), scopes: [], forceRefresh: true)
    case 54..<57: SignOut(app: app(), account: account(), options: signOutOptions())
    case 57..<59: ForgetAccount(account: random.pick(people).username)
    case 59..<67: change(of: try tokens())
    case 67..<72: MoveClock(bySeconds: random.pick([60, 3000, 4000, 86_400, -7200, 90 * 86_400]))
    case 72..<76: AddFault(fault())
    case 76..<78: ClearFaults()
    case 78..<80: random.holds(60) ? InstallBroker(version: nil, managed: management()) : RemoveBroker()
    case 80..<84: InjectFault(app: app(), random.pick(InjectedFault.allCases))
    case 84: ReinstallApp(app: app())
    case 85: EndApp(app: app())
    case 86..<90: policy()
    case 90: SetCompliance(random.holds(50))
    case 91: EnrollApp(app: app(), account: random.pick(people).username)
    case 92..<94: TransferAccount(from: random.holds(60) ? app() : nil, to: app())
    case 94: GetCurrentAccount(app: app())
    case 95: RevokeSessions(account: random.pick(people).username)
    case 97: RegisterPlatformSSO(account: random.pick(people).username)
    case 96: OpenURL("msauthv2://broker?client_id=\(random.pick(GeneratedWorld.clients))", from: app())
    default: edit()
    }
  }

  private mutating func signOutOptions() -> SignOutOptions {
    SignOutOptions(fromBrowser: random.holds(20), wipeAccount: random.holds(20), wipeCache: random.holds(10))
  }

  private mutating func change(of tokens: [TokenRow]) -> any Intent {
    guard !tokens.isEmpty else { return ClearFaults() }
    let ids = (0...random.below(3)).map { _ in random.pick(tokens).id }
    let unique = Set(ids).sorted()
    return random.pick([
      ChangeCredentials(.expire, unique), ChangeCredentials(.invalidate, unique),
      ChangeCredentials(.delete, unique),
    ])
  }

  private mutating func fault() -> Fault {
    let texts = [
      "503", "429:30", "unreachable", "hang", "truncated:20", "slow:5", "invalid_grant", "require:consent",
      "require:mfa", "invalid_grant:bad_token", "invalid_grant:client_mismatch",
      "invalid_grant:user_account_deleted", "token:expired", "token:signature", "clock:-600", "keys:rollover",
      "interaction_required", "unauthorized_client:protection_policy_required", "invalid_scope",
    ]
    let kind = Fault.Kind(random.pick(texts)) ?? .unreachable
    return Fault(
      random.pick([.any, .token, .token, .authorize, .discovery, .configuration]), kind,
      clientID: random.holds(30) ? random.pick(GeneratedWorld.clients) : nil,
      remaining: random.pick([nil, 1, 2]))
  }

  private mutating func management() -> BrokerManagement? {
    random.holds(60) ? nil : BrokerManagement(apps: random.holds(50) ? nil : [app()])
  }

  private mutating func policy() -> any Intent {
    let name = random.pick(["One", "Two"])
    if random.holds(50) { return RemovePolicy(name: name) }
    return SetPolicy(
      Policy(
        name: name, requires: random.pick(Policy.Requirement.allCases),
        username: random.holds(60) ? random.pick(people).username : nil,
        clientID: random.holds(40) ? random.pick(GeneratedWorld.clients) : nil))
  }

  private mutating func edit() -> any Intent {
    let edit = { (kind: RecordKind, record: String, text: String) -> any Intent in
      EditRecord(kind, record: record, (try? FieldChange(text)).map { [$0] } ?? [])
    }
    let changes = GeneratedChanges(random: random)
    return switch random.below(20) {
    case 0: edit(.device, "device-1", random.pick(changes.ofDevice))
    case 1..<5: edit(.person, random.pick(people).username, random.pick(changes.ofPerson))
    case 5..<8: edit(.registration, random.pick(GeneratedWorld.clients), random.pick(changes.ofRegistration))
    case 8: edit(.tenant, GeneratedWorld.home, random.pick(changes.ofTenant))
    default:
      {
        let number = random.below(apps.count)
        return edit(.app, apps[number].bundleID, random.pick(changes.ofApp(number + 1)))
      }()
    }
  }

  /// Returns an answer: usually a sensible one, sometimes a wrong password, another account, or a cancellation.
  mutating func answer(_ prompt: Prompt) -> Answer {
    switch prompt {
    case .chooseAccount(let picker):
      if random.holds(8) { return .cancel }
      guard !picker.candidates.isEmpty, random.holds(85) else { return .useAnotherAccount }
      return .account(homeAccountID: random.pick(picker.candidates).homeAccountID)
    case .signIn(let page):
      if random.holds(5) { return .cancel }
      return switch page.asks {
      case .username: .username(random.pick(people).username)
      case .password: .password(random.holds(90) ? "p" : "wrong")
      case .verification(let number): .verification(random.holds(90) ? number : "00")
      }
    case .consent: return random.holds(90) ? .accept : .cancel
    case .errorPage: return .cancel
    case .systemAlert: return .accept
    }
  }
}

extension GeneratedIntents {
  /// Performs the intent with the answers that it needs, or returns `nil` if the lab does not know a name in it.
  @discardableResult
  mutating func perform(_ intent: any Intent, on lab: Lab) throws -> (outcome: Outcome, trace: Int64)? {
    var answers: [Answer] = []
    do {
      for _ in 0..<20 {
        switch try lab.perform(intent, answers: answers) {
        case .done(let outcome, let id): return (outcome, id)
        case .needs(let prompt, _): answers.append(answers.count < 14 ? answer(prompt) : .cancel)
        }
      }
    } catch is LabError { return nil }
    throw EndlessQuestions(intent: intent.displayText)
  }

  struct EndlessQuestions: Error { var intent: String }
}

extension Prediction.Kind {
  /// The error codes of Android's exceptions that require user interaction.
  private static let wanting = [
    "no_account_found", "no_tokens_found", "illegal_argument_exception", "invalid_grant",
    "interaction_required", "no_current_account",
  ]

  /// Creates the prediction that matches the outcome of a silent call.
  init(_ outcome: Outcome) {
    self =
      switch (outcome.verdict, outcome.source) {
      case (.succeeded, "cache"): .cache
      case (.succeeded, let source?) where source.contains("family"): .familyRefreshToken
      case (.succeeded, "broker"): .broker
      case (.succeeded, _): .appRefreshToken
      default:
        // A call that does not name one of several accounts needs a name, but no user interaction.
        outcome.failedCheck?.name != MSALError.oneAccountCheck
          && ([-50002, 200].contains(outcome.errorCode) || Self.wanting.contains(outcome.error?.symbol ?? ""))
          ? .prompt : .failure
      }
  }
}
