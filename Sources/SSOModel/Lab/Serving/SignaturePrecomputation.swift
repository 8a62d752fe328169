/// A signature takes longer than the rest of a grant, and would be made while no other process can write. Therefore the
/// provider answers a token request on a scratch copy first, beside other requests, and what it signs there is signed.
/// RS256 gives the same bytes for the same claims, so that the real response finds its signatures made; if the lab
/// changed in between, it makes the others itself.
extension Lab {
  /// The same lab on a read-only connection of its own.
  ///
  /// Nil in memory, where there is only one connection.
  package func readOnlyReplica() -> Lab? {
    guard store.location != .memory, let store = try? WorldStore.open(store.location, create: false) else {
      return nil
    }
    return Lab(store: store, isReadOnly: true, keyReader: SigningKeyReader(isRecording: true), clock: clock)
  }

  /// Makes the signatures that the response is expected to need.
  ///
  /// An error here occurs again when the request is served, and is reported then.
  package func precomputeSignatures(for request: ServedRequest, on replica: Lab) {
    let reader = replica.keyReader
    try? replica.store.read { transaction in
      let state = try transaction.read(LabState.self, .lab, LabState.key)
      // What is written after that is of no interest.
      let documents = ScratchDocuments(over: transaction) {
        if reader.hasRecorded { throw SignaturesCollected() }
      }
      let provider = Provider(
        documents: documents,
        now: request.moment.adding(seconds: state?.clockOffset ?? 0), random: RandomSource(request.random),
        trace: TraceRecorder(isQuiet: true), keyReader: reader)
      _ = try provider.respond(to: request.http, cookies: request.cookies)
    }
    try? keyReader.precompute(recordedBy: reader)
  }
}

private struct SignaturesCollected: Error {}

extension ServedRequest {
  /// Whether its answer is likely to be signed.
  package var asksForTokens: Bool { http.method == "POST" && http.route == .token }
}
