/// To sign takes longer than all else that a grant needs, and would be done while nobody else can write. A request for
/// tokens is therefore rehearsed first, beside others: the provider answers it on a scratch copy, and what it would sign
/// there is signed. RS256 gives the same bytes for the same claims, so the answer that counts finds its signatures made;
/// if the world changed in between, it asks for others and makes them itself.
extension Lab {
  /// The same lab on a connection of its own, to rehearse on. Nil in memory, where there is only one connection.
  package func understudy() -> Lab? {
    guard let path = store.path, let store = try? WorldStore.open(.file(path: path), create: false) else {
      return nil
    }
    return Lab(store: store, isReadOnly: true, keyReader: SigningKeyReader(isRecording: true), clock: clock)
  }

  /// Makes the signatures that the answer will have, as far as can be told. What goes wrong here goes wrong again when
  /// the request is served, and is told then.
  package func signAhead(for request: ServedRequest, with understudy: Lab) {
    let reader = understudy.keyReader
    try? understudy.store.read { transaction in
      let state = try transaction.read(LabState.self, .lab, LabState.key)
      // What is kept after that is of no interest: the rehearsal ends there.
      let documents = ScratchDocuments(over: transaction) {
        if reader.hasRecorded { throw EndOfRehearsal() }
      }
      let provider = Provider(
        documents: documents,
        now: request.moment.adding(seconds: state?.clockOffset ?? 0), chance: Chance(request.chance),
        trace: TraceRecorder(isQuiet: true), keyReader: reader)
      _ = try provider.respond(to: request.http, cookies: request.cookies)
    }
    try? keyReader.precompute(recordedBy: reader)
  }
}

private struct EndOfRehearsal: Error {}

extension ServedRequest {
  /// Whether its answer is likely to be signed.
  package var asksForTokens: Bool { http.method == "POST" && http.route == .token }
}
