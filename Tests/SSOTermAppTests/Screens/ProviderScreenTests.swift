import SSOCore
import SSOServer
import TerminalUI
import Testing

@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOTermApp

/// The socket, the waiting sign-ins, and the faults, operated with keys.
struct ProviderScreenTests {
  private func press(_ model: inout AppModel, _ key: KeyPress) -> [Command] {
    update(&model, .event(.key(key)))
  }

  private func answering(_ number: Int) -> Command {
    let waiting = Sample.waiting[number]
    return .perform(AnswerSignIn(id: waiting.id, client: waiting.client))
  }

  @Test func theServerIsStartedAndStoppedByOneKey() {
    var model = Sample.model(.provider)
    #expect(FrameSample.commands(&model, "s") == [.serve(ServeOptions())])
    _ = update(&model, .server(.starting(port: 40123)))
    #expect(update(&model, .server(.on)) == [.load(.provider)])
    #expect(model.screens.provider.server.origin == "https://localhost:40123" && model.working == nil)
    #expect(FrameSample.commands(&model, "s") == [.stopServing])
    #expect(FrameSample.commands(&model, "s").isEmpty, "it is stopping already")
    _ = update(&model, .server(.off(nil)))
    #expect(model.screens.provider.server == .off && model.notice?.text == "The server is off.")
  }

  /// `ssoterm serve`.
  @Test func itMayBeginWithTheServerOn() {
    var model = AppModel(title: "~/.local/share/ssoterm/store.sqlite")
    let wish = ServeOptions(port: 9000, addresses: [.ipv4], approval: .terminal)
    #expect(ProviderScreen.start(wish, in: &model) == [.load(.status), .load(.provider), .serve(wish)])
    _ = update(&model, .server(.starting(port: 9000)))
    #expect(update(&model, .server(.on)) == [.load(.provider)])
    #expect(update(&model, .loaded(.provider(Sample.providerRows))) == [answering(0)], "who waits is asked")
  }

  @Test func aPortThatIsTakenLeavesItOff() {
    var model = Sample.model(.provider)
    _ = FrameSample.commands(&model, "s")
    _ = update(&model, .failed(Problem(what: "Port 8443 of 127.0.0.1 cannot be used.")))
    #expect(model.screens.provider.server == .off && model.working == nil)
    #expect(FrameSample.commands(&model, "o40123\r").isEmpty)
    #expect(FrameSample.commands(&model, "s") == [.serve(ServeOptions(port: 40123))])
  }

  @Test func newSettingsStartARunningServerAgain() {
    var model = Sample.busyProvider
    #expect(FrameSample.commands(&model, "pbrow\r") == [.stopServing])
    let wish = ServeOptions(port: 8443, approval: .browser)
    #expect(update(&model, .server(.off(nil))) == [.serve(wish)])
  }

  @Test func aSignInBringsItsPickerUpOnce() {
    var model = Sample.busyProvider
    (model.screens.provider.raised, model.screens.provider.rows.waiting) = ([], [])
    #expect(update(&model, .server(.waits)) == [.load(.provider)])
    #expect(update(&model, .loaded(.provider(Sample.providerRows))) == [answering(0)])
    let prompt = Prompt.chooseAccount(Sample.picker(.overlay))
    let intent = AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI"))
    _ = update(&model, .performed(intent, answers: [], .needs(prompt, hopsSoFar: [])))
    #expect(model.context == .picker)
    // The second sign-in waits until the first is answered, and the keyboard focus does not change.
    #expect(update(&model, .loaded(.provider(Sample.providerRows))).isEmpty)
    #expect(model.notice?.text == "Azure CLI waits for a sign-in: ! shows it.")
    let done = update(
      &model, .performed(intent, answers: [], .done(Outcome(.succeeded, "Done."), traceID: 3)))
    #expect(model.notice?.canUndo == false, "z would undo something else")
    #expect(done.last == answering(1))
    #expect(update(&model, .loaded(.provider(Sample.providerRows))).isEmpty, "each comes up once")
  }

  /// The sign-in was answered elsewhere, or is older than ten minutes.
  @Test(arguments: [KeyPress.enter, .character("X")])
  func aPickerWhoseSignInNoLongerWaitsClosesAndTheNextComesUp(_ key: KeyPress) {
    var model = Sample.busyProvider
    model.screens.provider.raised = ["w42"]
    let prompt = Prompt.chooseAccount(Sample.picker(.overlay))
    let intent = AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI"))
    _ = update(&model, .performed(intent, answers: [], .needs(prompt, hopsSoFar: [])))
    #expect(model.context == .picker)
    #expect(press(&model, key).count == 1)
    let commands = update(&model, .failed(Problem(what: "This sign-in does not wait any more.")))
    #expect(model.dialogs.isEmpty)
    #expect(commands == [.load(.provider), answering(1)])
  }

  /// The program has exited, or `cancelInteractiveFlow` cancelled its call, so further typing has no effect.
  @Test(arguments: [Prompt.chooseAccount(Sample.picker(.overlay)), .signIn(Sample.signIn(.password))])
  func aPromptOfAProgramThatNoLongerWaitsIsTakenDown(_ prompt: Prompt) {
    var model = Sample.busyProvider
    model.screens.provider.raised = ["w42"]
    let intent = AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI"))
    _ = update(&model, .performed(intent, answers: [], .needs(prompt, hopsSoFar: [])))
    var rows = Sample.providerRows
    _ = update(&model, .loaded(.provider(rows)))
    #expect(model.topDialog(PromptDialog.self) != nil)
    rows.waiting.removeAll { $0.id == "w42" }
    _ = update(&model, .loaded(.provider(rows)))
    #expect(model.topDialog(SignInEnded.self) == SignInEnded(client: "Azure CLI"))
    #expect(FrameSample.commands(&model, "szDXq!").isEmpty)
    #expect(press(&model, .enter) == [answering(1)], "the next one comes up")
  }

  /// The key is `!` in the picker and on the pages with buttons, and Ctrl-N where letters are text.
  @Test(arguments: [KeyPress.character("!"), .control("n")])
  func aPickerIsPutOffAndTheListAnswersInAnyOrder(_ key: KeyPress) {
    var model = Sample.busyProvider
    model.screens.provider.raised = ["w42"]
    _ = model.show(.apps)
    let intent = AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI"))
    let prompt = Prompt.chooseAccount(Sample.picker(.overlay))
    _ = update(&model, .performed(intent, answers: [], .needs(prompt, hopsSoFar: [])))
    #expect(press(&model, key) == [.load(.provider)], "none comes up over the list")
    #expect(model.dialogs.isEmpty && model.place == .provider && model.panel == 0)
    #expect(
      model.notice?.text
        == "Postponed the sign-in for Azure CLI. Press Enter to answer the selected sign-in.")
    #expect(FrameSample("", model).frame(Size(width: 80, height: 24)).text().contains("postponed"))
    #expect(FrameSample.commands(&model, "j\r") == [answering(1)])
    model.working = nil
    #expect(FrameSample.commands(&model, "k\r") == [answering(0)])
  }

  @Test func onAPageWithAFieldThePutOffKeyIsCtrlN() {
    var model = Sample.busyProvider
    let intent = AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI"))
    let page = Prompt.signIn(Sample.signIn(.password))
    _ = update(&model, .performed(intent, answers: [], .needs(page, hopsSoFar: [])))
    _ = press(&model, .character("!"))
    #expect(model.topDialog(PromptDialog.self)?.field.text.hasSuffix("!") == true)
    model.screens.provider.raised = ["w42"]
    _ = update(&model, .loaded(.provider(Sample.providerRows)))
    #expect(model.notice?.text == "Azure CLI waits for a sign-in: Ctrl-N shows it.")
    _ = press(&model, .control("n"))
    #expect(model.dialogs.isEmpty && model.place == .provider)
  }

  @Test func anAppOfTheLabCannotBePutOff() {
    var model = Sample.prompt(.chooseAccount(Sample.picker(.transition)))
    #expect(press(&model, .character("!")).isEmpty)
    #expect(model.notice?.text == "!: no program outside the lab asks.")
  }

  /// The program has exited, or the page is closed.
  ///
  /// The sign-in comes last, is marked, and does not open automatically.
  @Test func aSignInThatHasEndedIsMarkedAndDoesNotComeUp() {
    var model = Sample.busyProvider
    var rows = Sample.providerRows
    rows.waiting[0].ended = "its page was closed"
    rows.waiting = rows.waiting.markedIfEnded()
    #expect(rows.waiting.map(\.number) == ["17", "42"])
    model.screens.provider.raised = ["w17"]
    #expect(update(&model, .loaded(.provider(rows))).isEmpty)
    _ = press(&model, .character("g"))
    let text = FrameSample("", model).frame(Size(width: 120, height: 40)).text()
    #expect(text.contains("✗ ended") && !text.contains("its page was closed"))
    #expect(text.contains("Pending sign-ins 1, 1 ended"), "\(text)")
    _ = press(&model, .character("j"))
    let selected = FrameSample("", model).frame(Size(width: 80, height: 24)).text()
    #expect(selected.contains("Ended: its page was closed."))
    #expect(press(&model, .enter) == [answering(0)], "it can still be answered")
  }

  @Test func theSelectedSignInIsDeclined() {
    var model = Sample.busyProvider
    let intent = AnyIntent(AnswerSignIn(id: "w42", client: "Azure CLI"))
    #expect(FrameSample.commands(&model, "X") == [.perform(intent, [.cancel])])
  }

  @Test func whatWaitsIsAKeyAway() {
    var model = Sample.busyProvider
    _ = model.show(.apps)
    #expect(FrameSample.commands(&model, "!") == [.load(.provider)])
    #expect(model.place == .provider && model.panel == 0)
  }

  @Test func aSignInWaitsUntilTheKeysAreFreeAndThenComesUp() {
    var model = Sample.busyProvider
    _ = FrameSample.commands(&model, "?")
    model.screens.provider.raised = ["w42"]
    #expect(update(&model, .loaded(.provider(Sample.providerRows))).isEmpty)
    #expect(model.context == .help)
    #expect(update(&model, .event(.key(.escape))) == [answering(1)])
  }

  @Test func enterAnswersTheSelectedSignIn() {
    var model = Sample.busyProvider
    #expect(FrameSample.commands(&model, "j\r") == [answering(1)])
  }

  @Test func aFaultIsPutTogetherFromListsAndTypedNumbers() {
    var model = Sample.busyProvider
    _ = FrameSample.commands(&model, "a\r429:5\r")
    _ = FrameSample.commands(&model, "gj\rauthor\r")
    _ = FrameSample.commands(&model, "gjj\rcontoso\r")
    _ = FrameSample.commands(&model, "gjjj\r7\r")
    let fault = Fault(.authorize, .throttled(retryAfter: 5), clientID: Sample.client, remaining: 7)
    #expect(FrameSample.commands(&model, "\r") == [.perform(AddFault(fault))])
    #expect(model.dialogs.isEmpty)
  }

  @Test func untilClearedHasNoNumber() {
    var model = Sample.busyProvider
    _ = FrameSample.commands(&model, "ajjj\runtil\r")
    #expect(FrameSample.commands(&model, "a") == [.perform(AddFault(Fault(.token, .status(503))))])
  }

  @Test func oneFaultIsClearedOrAll() {
    var model = Sample.busyProvider
    #expect(FrameSample.commands(&model, "d").isEmpty)
    #expect(FrameSample.commands(&model, "ljd") == [.perform(ClearFault(Sample.faultsSet[1]))])
    model.working = nil
    #expect(FrameSample.commands(&model, "D") == [.perform(ClearFaults())])
  }

  @Test func theFaultsAreAKeyAway() {
    var model = Sample.model(.apps)
    #expect(FrameSample.commands(&model, "!") == [.load(.provider)])
    #expect(model.place == .provider && model.panel == 1)
  }

  @Test func everyExampleOfAFaultIsOne() {
    for example in Fault.Kind.examples { #expect(Fault.Kind(example.value) != nil, "\(example.value)") }
  }

  @Test func requestsAreListedNewestFirstAndNotForEver() {
    var model = Sample.model(.provider)
    for number in 1...60 { _ = update(&model, .server(.served("GET /\(number)"))) }
    #expect(
      model.screens.provider.requests.first == "GET /60"
        && model.screens.provider.requests.count == ProviderScreen.requestsKept)
  }

  @Test func headerSaysFaultsAndWhoWaits() {
    let text = FrameSample("", Sample.busyProvider).frame(Size(width: 80, height: 24)).text()
    #expect(text.prefix { $0 != "\n" }.contains(" faults 2    WAITS 2   MASKED"))
  }

  /// This uses a real socket on a free port.
  @Test func deskServesAndStops() async throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    let (news, posted) = AsyncStream.makeStream(of: ServerEvent.self)
    let desk = ServerController(lab: lab) { if case .server(let item) = $0 { posted.yield(item) } }
    try desk.start(ServeOptions(port: 0, approval: .browser))
    var seen: [ServerEvent] = []
    for await item in news {
      seen.append(item)
      if item == .on { desk.stop() }
      if case .off = item { break }
    }
    let port = try #require(try lab.read { try $0.provider.notedServerPort() })
    #expect(seen == [.starting(port: port), .on, .off(nil)])
  }

  /// An address is never broken into two lines if it fits on one.
  @Test(arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func thePageForADeviceCodeIsWhole(_ size: Size) throws {
    let sample = try #require(FrameSample.all.first { $0.name == "provider-device" })
    let text = sample.frame(size).text()
    #expect(text.contains("https://localhost:8443/common/oauth2/deviceauth"))
    #expect(text.contains("Code V78DWQDN7. Enter answers it"))
  }
}
