import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// The result of a Linux program's call.
package enum ServedBrokerCall: Sendable {
  case answered(LinuxBrokerAnswer, client: String)
  /// The call waits for a user at a terminal.
  ///
  /// `id` is the ID of the ``WaitingSignIn``.
  case waits(id: String, client: String)
}

/// The lab's side of the broker on a bus: calls, some of which wait for a user.
///
/// Throws `StoreError`, and `LabError` for a store without a lab. An error of the broker is a response.
package struct LinuxBrokerCalls: Sendable {
  private let lab: Lab
  private var store: WorldStore { lab.store }

  package init(_ lab: Lab) { self.lab = lab }

  /// Responds to a call in one transaction.
  ///
  /// An interactive call that must prompt is saved until a user answers at a terminal. A malformed request
  /// writes nothing. As with ``Lab/serve(_:cookies:approval:)``, the journal does not contain it.
  package func serve(_ call: LinuxBrokerCall, approval: Approval) throws -> ServedBrokerCall {
    do throws(LinuxBrokerError) { _ = try LinuxBrokerRequest(call) } catch {
      return .answered(LinuxBrokerAnswer(error, for: call.method), client: call.caller.program)
    }
    let moment = lab.clock()
    return try store.write(nil) { store in
      func transaction() throws -> IntentTransaction {
        try IntentTransaction(
          store, realTime: moment, random: RandomSource(SystemClock.randomness()), keyReader: lab.keyReader,
          isServed: true)
      }
      do {
        return try store.part {
          let transaction = try transaction()
          if case .automatic(let username) = approval {
            transaction.automaticApprover = try AutomaticApprover(username: username, in: store)
          }
          let exchange = LinuxBrokerExchange(transaction: transaction, call: call)
          let answer = try exchange.answer()
          try transaction.automaticApprover?.removeUsed(in: store)
          if call.method != .getLinuxBrokerVersion { try transaction.keepTrace(of: exchange, answer) }
          return .answered(answer, client: try exchange.clientName)
        }
      } catch is NeedsAnswer {
        return try store.part {
          let exchange = LinuxBrokerExchange(transaction: try transaction(), call: call)
          return .waits(id: try exchange.keep(), client: try exchange.clientName)
        }
      }
    }
  }

  /// Returns the response to a waiting call, or `nil` while it waits.
  ///
  /// The response is returned only once. A call that was not answered in time gets the response of a
  /// cancelled call.
  package func answer(toWaiting id: String) throws -> JSONValue? {
    let found = try lab.read { reader in
      try PendingSignIns(documents: reader.documents, now: reader.now).pending(key: id)
    }
    guard let pending = found else {
      let error = LinuxBrokerError(.userCanceled, "The call was not answered in a terminal.")
      return error.json(for: .acquireTokenInteractively)
    }
    guard let answer = pending.answer else { return nil }
    try endWaiting(id)
    return JSONValue(bounded: answer.http.body, maximumBytes: 1 << 20)
  }

  /// Ends a waiting call, because its program has exited or cancelled it.
  package func endWaiting(_ id: String) throws {
    try store.write(nil) { try $0.delete(.pendingSignIn, id) }
  }

  /// Records the address of the broker's bus, for other processes of this user on this machine.
  package func noteBus(address: String) throws {
    try store.write(nil) { store in
      let before = try store.read(BusNotes.self, .server, BusNotes.key)
      let note = BusNote(address: address, machine: .own, user: getuid())
      try store.write(BusNotes(note, after: before), .server, BusNotes.key)
    }
  }

  /// Removes the calls that waited at brokers of this machine that no longer run.
  ///
  /// - Throws: `StoreError`.
  package func endOrphanedCalls() throws { try endCalls { $0.isRunning == false } }

  /// Removes the calls that wait at these brokers.
  ///
  /// - Throws: `StoreError`.
  package func endCalls(at isIncluded: (MachineProcess) -> Bool) throws {
    try store.write(nil) { store in
      for (key, body) in try store.documents(.pendingSignIn, keyPrefix: "") {
        let pending = try decodeJSON(PendingSignIn.self, from: body)
        guard let broker = pending.brokerCall?.broker, isIncluded(broker) else { continue }
        try store.delete(.pendingSignIn, key)
      }
    }
  }
}

extension IntentTransaction {
  fileprivate func keepTrace(of exchange: LinuxBrokerExchange, _ answer: LinuxBrokerAnswer) throws {
    let outcome = Outcome(
      answer.error == nil ? .succeeded : .failed, answer.displayText, failedCheck: lastFailedCheck,
      username: answer.username, source: answer.source)
    _ = try store.append(
      trace: TraceRecord(
        title: "\(try exchange.clientName): \(exchange.call.method.rawValue)",
        correlationID: exchange.call.correlationID, at: now, outcome: outcome.encoded, hops: trace.hops))
  }
}

/// A Linux program's call to the broker, answered in one transaction.
struct LinuxBrokerExchange {
  let transaction: IntentTransaction
  let call: LinuxBrokerCall

  /// Responds to the call.
  ///
  /// - Throws: `NeedsAnswer` if the user must be prompted and has not answered yet.
  func answer() throws -> LinuxBrokerAnswer {
    let answer: LinuxBrokerAnswer
    do {
      answer = try self.answer(to: LinuxBrokerRequest(call))
    } catch let error as LinuxBrokerError {
      answer = LinuxBrokerAnswer(error, for: call.method)
    }
    transaction.trace.add(
      .broker, .app, actor: try clientName, "answer \(call.method.rawValue)", result: answer.displayText)
    return answer
  }

  /// The client's name in the registration.
  ///
  /// For an unknown client it is the ID or the program's name.
  var clientName: String {
    get throws {
      guard let request = try? LinuxBrokerRequest(call), !request.clientID.isEmpty else {
        return call.caller.program
      }
      return try transaction.directory.registration(clientID: request.clientID)?.displayName
        ?? String(request.clientID.prefix(100))
    }
  }

  private func answer(to request: LinuxBrokerRequest) throws -> LinuxBrokerAnswer {
    let client = try client(of: request)
    transaction.trace.add(
      .app, .broker, actor: client.displayName, call.method.rawValue, result: call.caller.displayText,
      sent: request.shown, checks: [call.caller.check])
    try checkExecutable(client)
    try checkNoFault(client)
    let app = client.asApp
    let isRegistered = try transaction.directory.registration(clientID: client.clientID) != nil
    let runtime = transaction.runtime
    let cache = MSALClient(runtime.context(of: app)).cache
    let asks = call.method == .acquireTokenInteractively
    let broker = LinuxBroker(
      context: BrokerContext(
        device: transaction.device, documents: transaction.store, now: transaction.now,
        random: transaction.random, trace: transaction.trace, deviceKeychain: runtime.deviceKeychain,
        system: AppServices(runtime: runtime, app: app, sender: .broker)),
      request: request, caller: call.caller, client: app, cache: isRegistered ? cache : nil,
      people: asks ? try WaitingPicker(reader: transaction.reader).people(hint: request.account.last) : [],
      localPort: try transaction.reader.provider.notedServerPort())
    if asks {
      _ = try broker.authority()
      try checkProviderWouldAsk(request, client)
    }
    let answer = try broker.answer()
    if let issued = answer.issued, isRegistered,
      let copy = TokenCopy(of: issued.response, to: client, for: issued.request, at: transaction.now)
    {
      try cache.save(copy.tokens)
    }
    return answer
  }

  /// Returns the program for lists.
  ///
  /// An unregistered client is not saved.
  private func client(of request: LinuxBrokerRequest) throws -> ExternalClient {
    try RequestHandler(transaction: transaction).noteClient(of: request.asAuthorization)
      ?? ExternalClient(
        clientID: request.clientID, displayName: try clientName, publisher: "",
        redirectURI: request.redirectURI, program: request.library.name,
        programVersion: request.library.version, authority: request.authority)
  }

  /// Checks the policy that limits callers to certain programs, which the lab adds to the interface (claims
  /// B1, B2).
  private func checkExecutable(_ client: ExternalClient) throws {
    guard call.method != .getLinuxBrokerVersion else { return }
    for policy in try transaction.directory.policies() where policy.guardsPrograms(of: client.clientID) {
      let check = policy.check(executable: call.caller.executable)
      transaction.trace.add(
        .broker, .broker, actor: client.displayName, "identify the caller", result: call.caller.displayText,
        checks: [check])
      guard check.verdict == .passed else {
        throw LinuxBrokerError(
          .incorrectConfiguration,
          "Policy “\(policy.name)” does not let \(call.caller.executable) use the broker.")
      }
    }
  }

  /// Checks that the provider's authorization endpoint would accept the request, before prompting for a
  /// sign-in.
  private func checkProviderWouldAsk(_ request: LinuxBrokerRequest, _ client: ExternalClient) throws {
    let provider = transaction.provider(.broker, actor: client.displayName)
    guard let refused = try provider.errorBeforeAsking(request.asAuthorization) else { return }
    transaction.trace.add(
      .broker, .broker, actor: client.displayName, "check the request", result: refused.error.message,
      checks: [refused.check])
    throw LinuxBrokerError(refused.error)
  }

  private func checkNoFault(_ client: ExternalClient) throws {
    let provider = transaction.provider(.broker, actor: client.displayName)
    let found = try provider.takeFault(ofBroker: call.method.rawValue, clientID: client.clientID)
    guard let found, case .brokerStatus(let status) = found.kind else { return }
    transaction.trace.add(
      .broker, .broker, actor: client.displayName, call.method.rawValue, result: "fault",
      checks: [found.check])
    throw LinuxBrokerError(status, "A fault set in the lab refuses this call.")
  }

  /// Saves an interactive call until a user at a terminal answers it.
  ///
  /// - Returns: The key of the ``PendingSignIn``.
  func keep() throws -> String {
    let waiting = PendingSignIns(documents: transaction.store, now: transaction.now)
    let request = try LinuxBrokerRequest(call)
    let key = sha256Hex(Base64URL.encode(transaction.random.bytes(24)))
    var pending = PendingSignIn(
      request: request.asAuthorization, cookies: [], client: try client(of: request), scopes: request.scopes,
      number: "", random: Randomness(key: transaction.random.bytes(32)), browser: nil,
      askedAt: transaction.now)
    pending.brokerCall = call
    for key in try waiting.excess(for: pending) { try transaction.store.delete(.pendingSignIn, key) }
    try transaction.store.write(pending, .pendingSignIn, key)
    return key
  }
}

/// An answer at a terminal to a Linux program's interactive call.
struct AnswerBrokerCall {
  let transaction: IntentTransaction
  let call: LinuxBrokerCall
  let pending: PendingSignIn

  func run(key: String) throws -> Outcome {
    let answer = try LinuxBrokerExchange(transaction: transaction, call: call).answer()
    var pending = pending
    pending.answer = ProviderResponse(.json(200, answer.json))
    try transaction.store.write(pending, .pendingSignIn, key)
    let name = pending.client.displayName
    guard let error = answer.error else {
      return Outcome(
        .succeeded, "\(name) has a token for \(answer.username ?? "").", username: answer.username,
        source: answer.source, prompted: true)
    }
    return Outcome(
      error.status == .userCanceled ? .cancelled : .failed, "\(name) received \(answer.displayText)",
      failedCheck: transaction.lastFailedCheck, prompted: true)
  }
}

/// A bus on which a broker of this lab was started.
///
/// Everyone who can write the lab can change it, so an address is only one on which to look for a broker: for the
/// user and the machine that recorded it, and after a check of the socket.
struct BusNote: Codable, Hashable {
  var address: String
  var machine: Machine
  /// The user ID of the broker's process.
  var user: UInt32
}

/// The buses on which brokers of this lab were started: one document of the kind `server`.
///
/// Earlier versions recorded addresses without machine and user, in another document, which is ignored.
struct BusNotes: Codable {
  static let key = "buses"
  /// The maximum number of remembered buses.
  ///
  /// Each user of a team has one or two.
  private static let most = 64

  /// The buses, newest first.
  private(set) var buses: [BusNote]

  init(_ note: BusNote, after before: BusNotes?) {
    let others = (before?.buses ?? []).filter { $0 != note }
    buses = [note] + others.prefix(Self.most - 1)
  }
}

extension ProviderQueries {
  /// Returns the addresses of the buses on which this user's brokers were started on this machine, newest first.
  ///
  /// The buses may no longer exist, and the addresses are unchecked.
  package func notedBusAddresses() throws -> [String] {
    let notes = try reader.documents.read(BusNotes.self, .server, BusNotes.key)?.buses ?? []
    return notes.filter { $0.machine == .own && $0.user == getuid() }.map(\.address)
  }
}
