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
            transaction.automaticPerson = try AutomaticPerson(username: username, in: transaction.directory)
          }
          let exchange = LinuxBrokerExchange(transaction: transaction, call: call)
          let answer = try exchange.answer()
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

  /// Records the address of the broker's bus, for other processes.
  package func noteBus(address: String) throws {
    try store.write(nil) { store in
      let before = try store.read(BusNote.self, .server, BusNote.key)
      try store.write(BusNote(address, after: before), .server, BusNote.key)
    }
  }

  /// Removes the calls that waited at brokers of this machine that no longer run.
  ///
  /// - Throws: `StoreError`.
  package func endOrphanedCalls() throws { try endCalls { $0.isRunning == false } }

  /// Removes the calls that wait at these brokers.
  ///
  /// - Throws: `StoreError`.
  package func endCalls(at isMeant: (MachineProcess) -> Bool) throws {
    try store.write(nil) { store in
      for (key, body) in try store.documents(.pendingSignIn, keyPrefix: "") {
        let pending = try decodeJSON(PendingSignIn.self, from: body)
        guard let broker = pending.brokerCall?.broker, isMeant(broker) else { continue }
        try store.delete(.pendingSignIn, key)
      }
    }
  }
}

extension IntentTransaction {
  fileprivate func keepTrace(of exchange: LinuxBrokerExchange, _ answer: LinuxBrokerAnswer) throws {
    let outcome = Outcome(
      answer.error == nil ? .succeeded : .failed, answer.words, failedCheck: lastFailedCheck,
      username: answer.username, source: answer.source)
    _ = try store.append(
      trace: TraceRecord(
        title: "\(try exchange.clientName): \(exchange.call.method.rawValue)",
        correlationID: exchange.call.correlationID, at: now, outcome: outcome.encoded, hops: trace.hops))
  }
}
