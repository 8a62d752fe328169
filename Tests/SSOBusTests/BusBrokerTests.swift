import Foundation
import SSOCore
import SSOScenarios
import SSOStore
import Synchronization
import Testing

@testable import LabTestSupport
@testable import SSOBus
@testable import SSODevice
@testable import SSOLab

/// The broker on a real private bus, with a real client of libdbus.
@Suite struct BusBrokerTests {
  private static let azure = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"

  /// A broker that serves on a private bus.
  private final class Served: Sendable {
    let folder: ScratchFolder
    let bus: PrivateBus
    let broker: BusBroker
    let lab: Lab
    let ended = DispatchSemaphore(value: 0)
    let waits = DispatchSemaphore(value: 0)
    let lines = Mutex<[BrokerLine]>([])
    let problem = Mutex<BusError?>(nil)

    init(_ approval: Approval = .terminal, on shared: PrivateBus? = nil) throws {
      bus = try shared ?? PrivateBus()
      folder = try ScratchFolder()
      lab = Lab(store: try folder.open())
      try lab.create(try ScenarioLibrary().scenario("contoso-suite"))
      try lab.registerExternalClients()
      let ready = DispatchSemaphore(value: 0)
      let (waits, box) = (waits, Box())
      var events = BrokerEvents()
      events.ready = { ready.signal() }
      events.waits = { waits.signal() }
      events.served = { line in box.owner.withLock { $0 }?.lines.withLock { $0.append(line) } }
      broker = BusBroker(lab, address: bus.address, approval: approval, events: events)
      box.owner.withLock { $0 = self }
      Thread.detachNewThread { [self] in
        do { try broker.run() } catch { problem.withLock { $0 = error as? BusError } }
        ready.signal()
        ended.signal()
      }
      ready.wait()
    }

    func end() {
      broker.stop()
      ended.wait()
      bus.end()
    }
  }

  /// A box for the object, because events arrive before it is complete.
  private final class Box: Sendable { let owner = Mutex<Served?>(nil) }

  private func call(
    _ connection: BusConnection, _ method: String, _ body: String, path: String = BusBroker.path
  ) -> [String]? {
    connection.call(LinuxBroker.busName, path, BusBroker.interface, method, ["0.0", "id-1", body])?.texts
  }

  private let interactive = """
    {"authParameters":{"clientId":"\(azure)","authority":"https://login.microsoftonline.com/common",
    "redirectUri":"https://login.microsoftonline.com/common/oauth2/nativeclient","requestedScopes":["User.Read"]}}
    """

  @Test func aProgramIsAnsweredAndKnownByItsExecutable() throws {
    let served = try Served(.automatic(username: "ada@contoso.com"))
    defer { served.end() }
    let client = try BusConnection(address: served.bus.address)
    let token = try #require(call(client, "acquireTokenInteractively", interactive)?.first)
    #expect(JSONValue(bounded: Array(token.utf8))?["brokerTokenResponse"]?["accessToken"] != nil)
    let hops = try served.lab.read { reader in
      try reader.traces.rows().first.flatMap { try reader.traces.trace($0.id) }?.hops ?? []
    }
    let asked = try #require(hops.first { $0.action == "acquireTokenInteractively" })
    #expect(asked.result.hasSuffix("process \(getpid()) of user \(getuid())"))
    #expect(asked.result.hasPrefix("/"))
  }

  @Test func pingAndIntrospectionAnswer() throws {
    let served = try Served()
    defer { served.end() }
    let client = try BusConnection(address: served.bus.address)
    let name = LinuxBroker.busName
    #expect(client.call(name, BusBroker.path, "org.freedesktop.DBus.Peer", "Ping", [])?.texts == [])
    let text = client.call(
      name, BusBroker.path, "org.freedesktop.DBus.Introspectable", "Introspect", [])?.texts.first
    for method in LinuxBrokerMethod.allCases { #expect(text?.contains(method.rawValue) == true) }
  }

  @Test func whatIsNoCallOfTheInterfaceIsAnError() throws {
    let served = try Served()
    defer { served.end() }
    let client = try BusConnection(address: served.bus.address)
    #expect(call(client, "acquireEverything", "{}") == nil)
    #expect(call(client, "getAccounts", "{}", path: "/elsewhere") == nil)
    #expect(
      client.call(LinuxBroker.busName, BusBroker.path, BusBroker.interface, "getAccounts", ["0.0"]) == nil)
    let large = try #require(call(client, "getAccounts", String(repeating: "x", count: 10 << 20))?.first)
    #expect(large.contains("\"status\":6"))
    #expect(call(client, "getLinuxBrokerVersion", "{}")?.first == "{\"linuxBrokerVersion\":\"2.5.0\"}")
  }

  @Test func aSecondBrokerIsRefusedWithTheOneThatServes() throws {
    let served = try Served()
    defer { served.end() }
    let second = try Served(on: served.bus)
    second.ended.wait()
    let problem = try #require(second.problem.withLock { $0 })
    #expect(problem.what.contains(LinuxBroker.busName))
    #expect(problem.why.contains("process \(getpid())"))
    let client = try BusConnection(address: served.bus.address)
    #expect(call(client, "getLinuxBrokerVersion", "{}") != nil, "the first one still serves")
  }

  /// `ssoterm broker env` lists neither a bus that has ended nor a bus without a broker.
  @Test func theBrokersThatStillServeAreFound() throws {
    let (first, second, bare) = (try Served(), try Served(), try PrivateBus())
    defer { bare.end() }
    let calls = LinuxBrokerCalls(first.lab)
    #expect(try first.lab.read { try $0.provider.notedBusAddresses() } == [first.bus.address])
    let addresses = [first.bus.address, bare.address, second.bus.address]
    for address in addresses { try calls.noteBus(address: address) }
    let noted = try first.lab.read { try $0.provider.notedBusAddresses() }
    #expect(noted == addresses.reversed())
    #expect(noted.filter(BusBroker.answers(at:)) == [second.bus.address, first.bus.address])
    second.end()
    #expect(noted.filter(BusBroker.answers(at:)) == [first.bus.address])
    try calls.noteBus(address: first.bus.address)
    #expect(try first.lab.read { try $0.provider.notedBusAddresses() }.first == first.bus.address)
    first.end()
    #expect(!noted.contains(where: BusBroker.answers(at:)))
  }

  /// An address in a lab comes from anyone who can write the lab: `unixexec:` would run a program as the user who reads
  /// it.
  @Test func anAddressOfALabIsDialledOnlyIfItIsASocketOfThisUser() throws {
    let served = try Served()
    defer { served.end() }
    let marker = served.folder.path + "/ran"
    let program = served.folder.path + "/program"
    try Data("#!/bin/sh\ntouch '\(marker)'\n".utf8).write(to: URL(fileURLWithPath: program))
    #expect(chmod(program, 0o755) == 0)
    let own = served.bus.address
    #expect(BusBroker.answers(at: own))
    for address in [
      "unixexec:path=\(program)", "unixexec:path=/bin/sh,argv1=\(program)", "unixexec:path=\(program);\(own)",
      "\(own);unixexec:path=\(program)", "autolaunch:", "systemd:", "launchd:env=X", "unix:runtime=yes",
      "unix:tmpdir=/tmp", "unix:path=bus", "unix:path=\(program)", "unix:path=/tmp,path=/tmp",
      "unix:abstract=", "unix:",
      "tcp:host=127.0.0.1,port=1", "nonce-tcp:host=127.0.0.1,port=1,noncefile=\(program)", "", own + "\n",
      own + "%00",
    ] {
      #expect(!BusBroker.answers(at: address), "\(address)")
    }
    #expect(!FileManager.default.fileExists(atPath: marker))
    // Without the check, libdbus runs the program.
    _ = try? BusConnection(address: "unixexec:path=\(program)")
    #expect(FileManager.default.fileExists(atPath: marker))
  }

  @Test func anotherUsersSocketIsNotDialled() throws {
    let served = try Served()
    defer { served.end() }
    guard getuid() == 0 else { try Test.cancel("Only root can give a socket to another user.") }
    let path = try #require(served.bus.address.dropFirst("unix:path=".count).split(separator: ",").first)
    #expect(chown(String(path), 12_345, 12_345) == 0)
    #expect(!BusBroker.answers(at: served.bus.address))
  }

  @Test func theNotesOfOtherUsersAndMachinesAreNotRead() throws {
    let served = try Served()
    defer { served.end() }
    let own = BusNote(address: "unix:path=/own", machine: .own, user: getuid())
    let others = [
      BusNote(address: "unix:path=/elsewhere", machine: Machine("another"), user: getuid()),
      BusNote(address: "unix:path=/somebodys", machine: .own, user: getuid() + 1),
    ]
    try served.lab.store.write(nil) { store in
      let notes = others.reduce(BusNotes(own, after: nil)) { BusNotes($1, after: $0) }
      try store.write(notes, .server, BusNotes.key)
    }
    #expect(try served.lab.read { try $0.provider.notedBusAddresses() } == ["unix:path=/own"])
  }

  @Test func aBusThatEndsEndsTheBroker() throws {
    let served = try Served()
    served.bus.end()
    // A bus that stays must not prevent the other tests from ending.
    #expect(served.ended.wait(timeout: .now() + 60) == .success)
    #expect(served.problem.withLock { $0 }?.what == "The session bus has ended.")
  }

  /// Reads the messages that have arrived until there is a reply.
  private func answer(_ client: BusConnection) -> String? {
    for _ in 0..<2000 {
      while let message = client.nextMessage() {
        if message.kind == .reply, message.signature == "s", message.texts[0].hasPrefix("{") {
          return message.texts[0]
        }
      }
      guard client.exchange() else { return nil }
      usleep(10_000)
    }
    return nil
  }

  @Test func twoCallsWaitAndEachGetsItsAnswer() throws {
    let served = try Served()
    defer { served.end() }
    let clients = try (0..<2).map { _ in try BusConnection(address: served.bus.address) }
    for client in clients {
      client.send(
        client.message(
          LinuxBroker.busName, BusBroker.path, BusBroker.interface, "acquireTokenInteractively",
          ["0.0", "id-2", interactive]))
      served.waits.wait()
    }
    // Another process opens the store, as any terminal does.
    let other = Lab(store: try served.folder.open(create: false))
    let waiting = try other.read { try $0.provider.waitingSignIns() }
    #expect(waiting.count == 2)
    for sign in waiting {
      _ = try other.perform(AnswerSignIn(id: sign.id, client: sign.client), answers: [.cancel])
    }
    for client in clients { #expect(answer(client)?.contains("\"status\":7") == true) }
  }

  @Test func aProgramTakesItsCallBack() throws {
    let served = try Served()
    defer { served.end() }
    let client = try BusConnection(address: served.bus.address)
    client.send(
      client.message(
        LinuxBroker.busName, BusBroker.path, BusBroker.interface, "acquireTokenInteractively",
        ["0.0", "id-1", interactive]))
    served.waits.wait()
    #expect(call(client, "cancelInteractiveFlow", "{}") == ["{}"])
    #expect(answer(client)?.contains("\"status\":8") == true)
    #expect(try served.lab.read { try $0.provider.waitingSignIns() }.isEmpty)
  }

  @Test func aCallOfAProgramThatGoesNoLongerWaits() throws {
    let served = try Served()
    defer { served.end() }
    do {
      let client = try BusConnection(address: served.bus.address)
      client.send(
        client.message(
          LinuxBroker.busName, BusBroker.path, BusBroker.interface, "acquireTokenInteractively",
          ["0.0", "id-1", interactive]))
      served.waits.wait()
      #expect(try served.lab.read { try $0.provider.waitingSignIns() }.count == 1)
    }
    served.waits.wait()
    #expect(try served.lab.read { try $0.provider.waitingSignIns() }.isEmpty)
  }
}
