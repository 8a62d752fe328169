import Foundation
import SSOReference
import TerminalUI
import Testing

@testable import SSOCore
@testable import SSODevice
@testable import SSODoctor
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOTermApp

/// A sample of a screen, with its name.
///
/// Every screen is drawn in the sizes of the design.
struct FrameSample: Sendable, CustomTestStringConvertible {
  var name: String
  var model: AppModel
  var testDescription: String { name }

  static let sizes = [(80, 24), (120, 40), (200, 60), (60, 20), (40, 12)].map {
    Size(width: $0.0, height: $0.1)
  }

  /// All samples, drawn from a real lab if a lab can produce the state.
  static let all: [FrameSample] =
    [
      FrameSample("apps", suite: ""), FrameSample("accounts", suite: "2"), FrameSample("tokens", suite: "3"),
      FrameSample("traces", LabByKeys.suite("4", isWide: true)), FrameSample("trace", suite: "4\r]]"),
      FrameSample("keychain", suite: "5"), FrameSample("confirm", suite: "o"),
      FrameSample("help", suite: "?"), FrameSample("help-filtered", suite: "3?exp"),
      FrameSample("palette", suite: ":sign"), FrameSample("palette-argument", suite: ":silent "),
      FrameSample("filter", suite: "/contoso !app:3"), FrameSample("visibility", suite: "mjj"),
      FrameSample("apps-marked", suite: "O5  "), FrameSample("tokens-marked", suite: "3 j "),
      FrameSample("trace-note", suite: "4\rm]m;Here the app asks."), FrameSample("copy-menu", suite: "3y"),
      FrameSample("sort-menu", suite: "O4O"), FrameSample("column-menu", suite: "4,2"),
      FrameSample("export-menu", suite: "4x"), FrameSample("zoom", suite: "3l+"),
      FrameSample("presenter", suite: "Pj"),
      FrameSample("readonly", LabByKeys.suite("5le", isReadOnly: true)),
      FrameSample("system-alert", LabByKeys.suite("i", isSignedIn: false)),
      FrameSample("sign-in-username", LabByKeys.suite("i\r", isSignedIn: false)),
      // A lab cannot produce these states: wide names, a blocked account, an error page, and a demo that is half done.
      FrameSample("apps-wide", Sample.model(.apps)), FrameSample("tokens-expired", Sample.model(.tokens)),
      FrameSample("keychain-outsiders", Sample.model(.keychain)),
      FrameSample("choose-account", Sample.prompt(.chooseAccount(Sample.picker(.transition)))),
      FrameSample("choose-account-overlay", Sample.prompt(.chooseAccount(Sample.picker(.overlay)))),
      FrameSample(
        "sign-in-password",
        pressed(
          Sample.prompt(.signIn(Sample.signIn(.password, failure: "AADSTS50126: wrong password."))), "hunter2"
        )),
      FrameSample("sign-in-number", Sample.prompt(.signIn(Sample.signIn(.verification("42"))))),
      FrameSample("consent", Sample.prompt(.consent(Sample.consent))),
      FrameSample("error-page", Sample.prompt(.errorPage(Sample.errorPage))),
      FrameSample("visibility-empty", noVisibility()), FrameSample("demo-steps", Sample.demoSteps()),
      FrameSample("scenarios", Sample.scenarios()),
      FrameSample("apps-empty", AppModel(title: "demo")),
      FrameSample("keychain-empty", LabByKeys.suite("5", isSignedIn: false)),
      FrameSample(
        "picker-details", pressed(Sample.prompt(.chooseAccount(Sample.picker(.transition))), "i")),
    ] + decisions + changes + provider + doctor + reproductions + asides

  /// Creates a sample of the suite in a real lab after these keys.
  ///
  /// A carriage return is Enter.
  init(_ name: String, suite keys: String) { self.init(name, LabByKeys.suite(keys, isWide: true)) }

  init(_ name: String, _ model: AppModel) {
    self.name = name
    self.model = model
  }

  static func pressed(_ model: AppModel, _ keys: String) -> AppModel {
    var model = model
    _ = commands(&model, keys)
    return model
  }

  /// Returns all commands that the keys cause.
  ///
  /// A carriage return is Enter.
  static func commands(_ model: inout AppModel, _ keys: String) -> [Command] {
    keys.flatMap { update(&model, .event(.key($0 == "\r" ? .enter : .character($0)))) }
  }

  private static func noVisibility() -> AppModel {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.visibility([])))
    return model
  }

  func frame(_ size: Size) -> Grid {
    var model = model
    _ = update(&model, .event(.resize(width: size.width, height: size.height)))
    var grid = Grid(width: size.width, height: size.height)
    view(model, into: &grid)
    return grid
  }
}

extension FrameSample {
  /// The samples of the Lab screen, and of changing a field.
  static let changes = [
    FrameSample("lab", suite: "6jjjl"),
    FrameSample("lab-kind", suite: "6g"),
    FrameSample("lab-filter", suite: "6/contoso app"),
    FrameSample("field", suite: "C\rB"), FrameSample("effects-real", suite: "jC\rX\r"),
    FrameSample("field-secret", typed(opened(Sample.lab, "jjjjjljj"), "hunter2")),
    FrameSample("field-choice", opened(Sample.lab, "jjjljjjjj")),
    FrameSample("effects", effects()),
  ]

  /// Returns the model after these keys and Enter.
  private static func opened(_ model: AppModel, _ keys: String) -> AppModel {
    var model = model
    _ = commands(&model, keys + "\r")
    return model
  }

  private static func typed(_ model: AppModel, _ text: String) -> AppModel { pressed(model, text) }

  private static func effects() -> AppModel {
    var model = Sample.lab
    let outcome = Outcome(
      .succeeded, "Mail: teamID=TEAM2.",
      effects: [
        """
        Mail: next call needs sign-in: no account is signed in (before: silent: cache, no network); \
        shares its group with no app (before: Files)
        """,
        "Files: shares its group with no app (before: Mail)",
      ])
    _ = update(&model, .performed(Sample.teamChange, answers: [], .done(outcome, traceID: 9)))
    return model
  }
}

extension Sample {
  static let lab: AppModel = {
    var model = Sample.model(.records)
    _ = update(&model, .loaded(.records(records)))
    return model
  }()

  static let teamChange = AnyIntent(
    EditRecord(
      .app, record: "com.contoso.mail", Setting("x teamID=TEAM2").map { [$0.change] } ?? []))

  static let records = [
    record(
      .device, "device-1", "Ada's iPhone",
      [field("id", "device-1", fixed: true), field("brokerVersion", nil)]),
    record(.app, "com.contoso.files", "Files", [field("bundleID", "com.contoso.files", fixed: true)]),
    record(
      .app, "com.contoso.mail", "Mail",
      [
        field("bundleID", "com.contoso.mail", fixed: true), field("teamID", "TEAM1"),
        field("vendor", "Contoso"),
        field("clientID", client), field("redirectURI", "msauth.com.contoso.mail://auth"),
        field("brokerUse", "auto", choices: ["auto", "none"]),
        field("queriesSchemes", "msauthv2, msauthv3", parts: true),
      ]),
    record(
      .person, "ada@contoso.com", "Ada Lovelace",
      [
        field("username", "ada@contoso.com", fixed: true), field("displayName", "Ada Lovelace"),
        field("password", masked("analytical-engine"), secret: true),
        field("requiresMFA", "no", choices: ["yes", "no"]),
      ]),
    record(.tenant, "a3be859b-0000-4000-8000-0000000c0de1", "Contoso", []),
  ]

  private static func record(
    _ kind: RecordKind, _ name: String, _ title: String, _ fields: [RecordRow.Field]
  ) -> RecordRow {
    RecordRow(kind: kind, name: name, title: title, fields: fields)
  }

  private static func field(
    _ name: String, _ value: String?, fixed: Bool = false, choices: [String]? = nil, secret: Bool = false,
    parts: Bool = false
  ) -> RecordRow.Field {
    RecordRow.Field(
      name: name, value: value, canChange: !fixed, choices: choices, isSecret: secret,
      isOptional: value == nil,
      hasParts: parts)
  }
}

extension FrameSample {
  /// The samples of a demo, a checklist, a user's own command, and a running call.
  static let asides =
    [
      demo("sign-out-one", "two-vendors", "i-"), demo("leaving", "contoso-suite", "tq"),
      demo("demo", "two-vendors", "8"), demo("presenter-demo", "contoso-suite", ">P"),
      FrameSample("paste-log", suite: "4p"),
      FrameSample("remark", pressed(Sample.scenarios(), "f;No picker came up.")),
      FrameSample("evidence", pressed(Sample.scenarios(), "a")),
      FrameSample("sign-in-over", opened(SignInEnded(client: "Azure CLI"))),
      FrameSample(
        "run-question",
        opened(
          RunConfirmation(
            program: ExternalProgram(
              name: "portal", words: ["xdg-open", "https://portal.example/apps/b6c69a37"])))),
    ] + calls

  /// Returns a sample of a demo, with its scenario in the screens.
  private static func demo(_ name: String, _ scenario: String, _ keys: String) -> FrameSample {
    do {
      var lab = try LabByKeys(try ScenarioLibrary().scenario(scenario))
      lab.model.notice = nil
      lab.press(keys)
      return FrameSample(name, lab.model)
    } catch {
      Issue.record(error)
      return FrameSample(name, AppModel(title: "no lab"))
    }
  }

  private static func opened(_ dialog: some DialogComponent) -> AppModel {
    var model = LabByKeys.suite("")
    model.shared.open(dialog)
    return model
  }

  /// The samples of a silent call in progress, and after it has ended.
  private static var calls: [FrameSample] {
    do {
      var lab = try LabByKeys("contoso-suite")
      lab.model.mayMove = true
      lab.signIn()
      lab.press("js")
      lab.take(.alarm(.callPicture))
      let picture = FrameSample("call-picture", lab.model)
      lab.model.screens.apps.endPicture()
      lab.model.working = "My Test App 2 asks…"
      let (intent, progress) = try lab.halfOfACall()
      lab.take(.callRuns(intent, progress))
      return [picture, FrameSample("running-call", lab.model)]
    } catch {
      Issue.record(error)
      return []
    }
  }
}

extension LabByKeys {
  /// Returns a silent call of the second app up to its middle, where a step has started.
  func halfOfACall() throws -> (AnyIntent, CallProgress) {
    let intent = AnyIntent(
      AcquireSilently(
        app: "com.contoso.mytestapp2", account: nil, scopes: [], forceRefresh: false))
    var told: [CallProgress] = []
    _ = try lab.perform(intent.value) { told.append($0) }
    return (intent, try #require(told[(told.count / 2)...].first { $0.running != nil }))
  }
}

extension FrameSample {
  /// The samples of "Why?", and of the dialogs that it opens.
  static let decisions = [
    FrameSample("why", suite: "w"), FrameSample("why-heading", suite: "wgjjjj"),
    FrameSample("why-rule", suite: "w\r"), FrameSample("why-second-app", suite: "wwapp2"),
    FrameSample("explain", suite: "3W"), FrameSample("why-fails", why(.app("com.contoso.mail"))),
  ]

  static func why(_ subject: WhySubject) -> AppModel {
    var model = Sample.model(.apps)
    _ = update(&model, .loaded(.why(subject, Sample.checklist)))
    return model
  }
}

extension Sample {
  static let checklist = Checklist(
    title: "Why Mail is not silent",
    answer: "The next silent call needs sign-in: No token matching arguments found in the cache, -50002.",
    cause: failed,
    sections: [
      Checklist.Section(title: "The application object", checks: [passed]),
      Checklist.Section(
        title: "The next silent call",
        checks: [
          passed, failed,
          Check(
            "access token in the cache", expected: "more than 300 s left", found: "MSALErrorDomain -50002",
            false, source: "silent-call.md §1(2)"),
        ]),
      Checklist.Section(
        title: "The broker in an interactive call",
        checks: [
          Check(
            "msauthv2 can be opened", expected: "yes", found: "not asked", verdict: .skipped,
            source: "broker.md §1")
        ]),
    ])
}

extension FrameSample {
  /// The samples of a call of a log, reproduced.
  static let reproductions: [FrameSample] = {
    do {
      var lab = try Sample.reproduction()
      let facts = FrameSample("reproduction", lab.model)
      lab.press("l")
      let steps = FrameSample("reproduction-steps", lab.model)
      lab.press("hje")
      return [facts, steps, FrameSample("reproduction-choice", lab.model)]
    } catch {
      Issue.record(error)
      return []
    }
  }()
}

extension FrameSample {
  /// The samples of the Doctor screen for the projects in `assets/projects`.
  static let doctor = [
    FrameSample("doctor", Sample.doctor()),
    FrameSample("doctor-checks", pressed(Sample.doctor(), "l")),
    FrameSample("doctor-finding", opened(pressed(Sample.doctor(), "l"))),
    FrameSample("doctor-unreadable", Sample.doctor(of: ["nowhere"])),
  ]

  private static func opened(_ model: AppModel) -> AppModel {
    var model = model
    _ = commands(&model, "\r")
    return model
  }
}

extension Sample {
  static let projects = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "assets/projects").path

  /// Returns the doctor's screen for these projects, with paths that are the same on every machine.
  static func doctor(
    of names: [String] = ["no-callback", "no-callback/registration.json", "unused-entitlements"]
  )
    -> AppModel
  {
    let source = ProjectSource(paths: names.map { "projects/" + $0 })
    var model = Sample.model(.doctor(source))
    model.stack = [.apps, .doctor(source)]
    _ = update(&model, .loaded(.doctor(source, diagnosis(of: names))))
    return model
  }

  private static func diagnosis(of names: [String]) -> Result<CheckedProject, UnreadableProject> {
    func relative(_ path: String) -> String { path.replacing(projects, with: "projects") }
    do throws(UnreadableProject) {
      var checked = CheckedProject(try Doctor.examine(names.map { projects + "/" + $0 }), clientID: nil)
      for index in checked.diagnosis.apple.indices {
        checked.diagnosis.apple[index].origin.path = relative(checked.diagnosis.apple[index].origin.path)
      }
      for index in checked.diagnosis.registrations.indices {
        checked.diagnosis.registrations[index].origin.path = relative(
          checked.diagnosis.registrations[index].origin.path)
      }
      for index in checked.diagnosis.checks.indices {
        checked.diagnosis.checks[index].place.path = relative(checked.diagnosis.checks[index].place.path)
        checked.diagnosis.checks[index].check.found = relative(checked.diagnosis.checks[index].check.found)
      }
      return .success(checked)
    } catch {
      return .failure(UnreadableProject(path: relative(error.path), error: error.error))
    }
  }
}

extension FrameSample {
  /// The samples of the Provider screen, both off and busy, and of the form for a fault.
  static let provider = [
    FrameSample("provider-off", suite: "7"),
    FrameSample("provider", Sample.busyProvider),
    FrameSample("provider-device", deviceCode()),
    FrameSample("provider-faults", pressed(Sample.busyProvider, "lj")),
    FrameSample("fault-form", suite: "7aj"), FrameSample("fault-set", suite: "!a\r429:7\r\r"),
    FrameSample("fault-kind", suite: "7a\r429"),
    FrameSample("choose-account-real", realPicker()),
    FrameSample("provider-bus", Sample.busyBus),
    FrameSample("approval", suite: "7p"),
    FrameSample("consent-device", deviceConsent()),
  ]

  private static func realPicker() -> AppModel {
    var model = Sample.busyProvider
    var picker = Sample.picker(.overlay)
    (picker.appName, picker.sdk) = ("Azure CLI", "")
    picker.reason = "Its page shows 42."
    _ = update(
      &model,
      .performed(
        AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI")), answers: [],
        .needs(.chooseAccount(picker), hopsSoFar: [])))
    return model
  }

  /// Returns a model in which a device code that was not entered in a browser is selected.
  private static func deviceCode() -> AppModel {
    var model = Sample.busyProvider
    var rows = Sample.providerRows
    (rows.waiting[1].number, rows.waiting[1].userCode) = ("", "V78DWQDN7")
    rows.waiting[1].devicePage = "https://localhost:8443/common/oauth2/deviceauth"
    _ = update(&model, .loaded(.provider(rows)))
    return pressed(model, "j")
  }

  private static func deviceConsent() -> AppModel {
    var page = Sample.consent
    page.question =
      "Are you trying to sign in to Azure CLI on another device? Only continue if you started it."
    return Sample.prompt(.consent(page))
  }
}

extension Sample {
  /// A model in which the broker serves on a private bus: two programs have called, and one waits for the user.
  static let busyBus: AppModel = {
    var model = Sample.model(.provider)
    let settings = BusSettings(
      address: "unix:path=/run/user/1000/ssoterm-bus", isPrivate: true, approval: .terminal)
    model.screens.provider.bus = .starting(settings)
    model.screens.provider.raised = ["b7"]
    var rows = providerRows
    (rows.waiting, rows.faults) = ([callOfBus], [])
    for message: Message in [
      .bus(.on), .bus(.callers(2)), .loaded(.provider(rows)),
      .bus(.served("getAccounts (Azure CLI) 1 account")),
      .bus(.served("acquireTokenInteractively (Fabrikam Sync) waits for the terminal")),
    ] { _ = update(&model, message) }
    model.notice = nil
    return model
  }()

  private static let callOfBus: WaitingSignIn = {
    var call = waiting[0]
    (call.id, call.client) = ("b7", "Fabrikam Sync")
    call.caller = "/usr/bin/fabrikam-sync (process 4711)"
    return call
  }()

  static let waiting: [WaitingSignIn] = ["42", "17"].compactMap { number in
    let text = """
      {"id": "w\(number)", "number": "\(number)", "client": "Azure CLI", "clientID": "\(client)",
      "program": "MSAL.Python 1.39.0", "redirectURI": "http://localhost:38211", "scopes": ["User.Read"],
      "secondsLeft": 571}
      """
    return try? JSONDecoder().decode(WaitingSignIn.self, from: Data(text.utf8))
  }

  static let faultsSet = [
    Fault(.token, .throttled(retryAfter: 30), clientID: client, remaining: 2), Fault(.any, .slow(seconds: 5)),
  ]

  static let providerRows = ProviderRows(
    waiting: waiting, faults: faultsSet, tenantID: "a3be859b-0000-4000-8000-0000000c0de1",
    clients: [Candidate(client, "Contoso suite")], people: ["ada@contoso.com", "grace@outlook.example"],
    authorityFile: "/home/x/.local/share/ssoterm/store.sqlite.ca.pem")

  /// A model in which the server is on, two sign-ins wait, two faults are set, and nothing has opened automatically.
  static let busyProvider: AppModel = {
    var model = Sample.model(.provider)
    var busy = status
    busy.faultCount = 2
    busy.waitingCount = 2
    model.screens.provider.raised = ["w42", "w17"]
    for message: Message in [
      .server(.starting(port: 8443)), .server(.on), .loaded(.status(busy)), .loaded(.provider(providerRows)),
      .server(.served("GET /common/v2.0/.well-known/openid-configuration 200")),
      .server(.served("GET /common/oauth2/v2.0/authorize (Azure CLI) 303 waits for the terminal")),
    ] { _ = update(&model, message) }
    model.notice = nil
    return model
  }()
}
