import ArgumentParser
import Dispatch
import Essentials
import SSOBus
import SSOCore
import SSODevice
import SSOLab
import SSOServer
import SSOTermApp
import SafeText
import Synchronization

/// `ssoterm broker serve [-- COMMAND]`: serves the lab's broker over D-Bus, for Linux programs.
struct BrokerServeCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Let Linux programs sign in through the lab's broker, over D-Bus.",
    discussion: """
      Programs that use Microsoft's broker on Linux (MSAL Python, az, linux-entra-sso, …) find it on a private \
      session bus, as com.microsoft.identity.broker1. A command after -- runs on that bus, and the broker stops when \
      it exits; another shell gets the address from ssoterm broker env.

      Examples:
        ssoterm broker serve
        ssoterm broker serve -- python3 app.py
        ssoterm broker serve --approve auto:ada@contoso.com -- python3 app.py
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  @Option(
    help: "Who answers: terminal (the default), or auto:UPN for scripts.", completion: .list(["terminal"]),
    transform: Approval.init(typed:))
  var approve: Approval = .terminal

  @Option(
    help: "private (the default), or session: your own session bus, if no broker is on it.",
    completion: .list(["private", "session"]))
  var bus = "private"

  @Argument(
    parsing: .postTerminator, help: ArgumentHelp("A program and its arguments.", valueName: "command"),
    completion: .shellCommand("command"))
  var words: [String] = []

  func validate() throws {
    guard ["private", "session"].contains(bus) else {
      throw ValidationError("--bus must be private or session, not “\(bus)”.")
    }
    guard approve != .browser else {
      throw ValidationError("--approve must be terminal or auto:UPN: no browser waits for the answer.")
    }
  }

  func perform(on console: Console) throws -> ExitStatus {
    try ProcessFiles.check()
    let lab = try console.openLab(options)
    try lab.checkWritable()
    try lab.registerExternalClients()
    let approval = try approve.checked(on: lab)
    if try lab.read({ $0.device.brokerVersion }) == nil {
      _ = try runUnattended(InstallBroker(version: nil, managed: nil), on: lab)
      console.note("the lab had no broker: it is installed now")
    }
    let own = try bus == "private" ? PrivateBus() : nil
    defer { own?.end() }
    let address = try own?.address ?? sessionAddress()
    defer { try? LinuxBrokerCalls(lab).endCalls { $0 == .own } }
    if words.isEmpty, approval == .terminal, console.canShowScreens {
      let settings = BusSettings(address: address, isPrivate: own != nil, approval: approval)
      _ = try console.startTerminal(
        lab: lab, title: storeName(lab), start: .bus(settings), screen: screen)
      return .done
    }
    return try serve(lab, address, approval, on: console)
  }

  private func sessionAddress() throws -> String {
    guard let address = StandardStreams.variable("DBUS_SESSION_BUS_ADDRESS") else {
      throw CommandFailure(
        usage: "There is no session bus.", why: "DBUS_SESSION_BUS_ADDRESS is not set",
        next: "ssoterm broker serve")
    }
    return address
  }

  private func serve(
    _ lab: Lab, _ address: String, _ approval: Approval, on console: Console
  ) throws -> ExitStatus {
    let log = ServerLog { console.note($0) }
    let asking = approval == .terminal ? TerminalApprovals(lab, console, log, ownsInput: words.isEmpty) : nil
    defer {
      asking?.end()
      log.settle()
    }
    let thread = BrokerThread()
    var events = BrokerEvents()
    events.ready = { thread.ready() }
    events.served = { log.add($0.text) }
    events.waits = { asking?.look() }
    let broker = BusBroker(lab, address: address, approval: approval, events: events)
    try thread.start(broker)
    guard !words.isEmpty else {
      let signals = EndSignals { broker.stop() }
      defer { withExtendedLifetime(signals) {} }
      try console.show(["variables": ["DBUS_SESSION_BUS_ADDRESS": .string(address)]]) {
        "DBUS_SESSION_BUS_ADDRESS=" + shellWord(address)
      }
      console.note("serves the store \(storeName(lab)) as \(LinuxBroker.busName); ^C ends it")
      try thread.wait()
      return .done
    }
    let code = ForegroundProgram.run(
      words, adding: ["DBUS_SESSION_BUS_ADDRESS": address])
    broker.stop()
    try thread.wait()
    guard code == 0 else { throw ExitCode(code) }
    return .done
  }
}

/// `ssoterm broker env`: prints the address of the bus as a line for a shell.
struct BrokerEnvironmentCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "env", "Print an export line with the address of the bus of ssoterm broker serve.",
    examples: ["eval \"$(ssoterm broker env)\""])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions
  @OptionGroup var screen: ScreenOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let noted = try lab.read { try $0.provider.notedBusAddresses() }
    guard let address = noted.first(where: BusBroker.answers(at:)) else {
      throw CommandFailure(
        status: .nothingMatched, kind: "noBus", what: "No broker serves this store.",
        why: noted.isEmpty ? "no broker was started" : "every broker that was started has ended",
        next: "ssoterm broker serve")
    }
    return try console.show(["variables": ["DBUS_SESSION_BUS_ADDRESS": .string(address)]]) {
      "export DBUS_SESSION_BUS_ADDRESS=" + shellWord(address)
    }
  }
}

/// The thread on which a broker serves while the command continues.
final class BrokerThread: Sendable {
  private let began = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)
  private let isReady = Mutex(false)

  /// Records that the broker has acquired its bus name.
  func ready() {
    isReady.withLock { $0 = true }
    began.signal()
  }

  /// Starts the broker and returns once it serves.
  /// - Throws: the reason that it cannot.
  func start(_ broker: BusBroker) throws {
    detachThread { [self] in
      do { try broker.run() } catch { failure.withLock { $0 = error } }
      began.signal()
      ended.signal()
    }
    began.wait()
    if !isReady.withLock(\.self) { try wait() }
  }

  /// Waits until the broker ends.
  /// - Throws: the error that ended it.
  func wait() throws {
    ended.wait()
    ended.signal()
    if let error = failure.withLock(\.self) { throw error }
  }
}
