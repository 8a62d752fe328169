extension Lab {
  /// Creates a request that arrived at this moment, with separate random numbers.
  ///
  /// `isGeneric` makes discovery list what Entra lacks. `browserMachine` is the machine of the browser, or
  /// `nil` if it is unknown.
  package func request(
    _ http: HTTPRequest, cookies: [NameValue] = [], approval: Approval, machine: ManagedIdentityHost? = nil,
    isGeneric: Bool = false, browserMachine: Machine? = nil
  ) -> ServedRequest {
    ServedRequest(
      http: http, cookies: cookies, approval: approval, moment: clock(), machine: machine,
      isGeneric: isGeneric, browserMachine: browserMachine)
  }

  /// Responds to a request.
  package func serve(_ http: HTTPRequest, cookies: [NameValue] = [], approval: Approval) throws
    -> ServedAnswer
  {
    try serve([request(http, cookies: cookies, approval: approval)])[0].get()
  }

  /// Responds to requests in one transaction, so that they wait for the disk only once.
  ///
  /// Each request is a separate part, which leaves nothing behind if it fails. Returned responses are
  /// durable. The journal does not contain them, because an external client's response cannot be undone.
  package func serve(_ requests: [ServedRequest]) -> [Result<ServedAnswer, any Error>] {
    do {
      return try store.again {
        try store.write(nil) { transaction in
          let answers = requests.map { request in Result { try answer(request, in: transaction) } }
          for (request, copy) in lastCopies(of: Array(zip(requests, answers))) {
            try save(copy, of: request, in: transaction)
          }
          return answers
        }
      }
    } catch {
      return requests.map { _ in .failure(error) }
    }
  }

  private func save(_ copy: TokenCopy, of request: ServedRequest, in store: StoreTransaction) throws {
    let transaction = try intentTransaction(request, store, TraceRecorder(isQuiet: true))
    try MSALClient(transaction.runtime.context(of: copy.client.asApp)).cache.save(copy.tokens)
  }

  private func intentTransaction(
    _ request: ServedRequest, _ store: StoreTransaction, _ trace: TraceRecorder = TraceRecorder()
  ) throws -> IntentTransaction {
    let transaction = try IntentTransaction(
      store, realTime: request.moment, random: RandomSource(request.random), trace: trace,
      keyReader: keyReader, isServed: true)
    transaction.isGeneric = request.isGeneric
    return transaction
  }

  private func answer(_ request: ServedRequest, in store: StoreTransaction) throws -> ServedAnswer {
    func part(_ body: (IntentTransaction) throws -> ServedAnswer) throws -> ServedAnswer {
      try store.part { try body(intentTransaction(request, store)) }
    }
    do {
      return try part { transaction in
        request.http.path == WaitingPage.path
          ? try TerminalApproval(transaction: transaction).page(for: request.http, cookies: request.cookies)
          : try RequestHandler(transaction: transaction).answer(request)
      }
    } catch is NeedsTerminal {
      return try part {
        try TerminalApproval(transaction: $0).start(for: request)
      }
    }
  }
}

/// Returns the copies to keep, in order.
///
/// A client may receive tokens for the same user and scopes many times at once, and each copy replaces the
/// one before.
private func lastCopies(
  of served: [(request: ServedRequest, answer: Result<ServedAnswer, any Error>)]
) -> [(ServedRequest, TokenCopy)] {
  var places: Set<TokenCopy.Place> = []
  var copies: [(ServedRequest, TokenCopy)] = []
  for (request, answer) in served.reversed() {
    guard case .success(let answer) = answer, let copy = answer.copy else { continue }
    if places.insert(copy.place).inserted { copies.append((request, copy)) }
  }
  return copies.reversed()
}
