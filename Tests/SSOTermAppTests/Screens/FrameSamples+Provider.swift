import Foundation

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOTermApp

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

  /// Returns a model in which a device code that nobody entered in a browser is selected.
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
