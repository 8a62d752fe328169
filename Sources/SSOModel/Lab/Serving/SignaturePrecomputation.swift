/// Precomputation of signatures, which take longer than the rest of a grant and would be made while no other
/// process can write.
///
/// The provider first responds to a token request on a scratch copy, in parallel to other requests, and the
/// signatures that it needs are computed. RS256 produces the same bytes for the same claims, so the real
/// response finds its signatures. If the lab has changed in between, the response computes the others itself.
extension Lab {
  /// Returns the same lab on a separate read-only connection.
  ///
  /// Returns `nil` for a lab in memory, which has only one connection.
  package func readOnlyReplica() -> Lab? {
    guard store.location != .memory, let store = try? WorldStore.open(store.location, create: false) else {
      return nil
    }
    return Lab(store: store, isReadOnly: true, keyReader: SigningKeyReader(isRecording: true), clock: clock)
  }

  /// Computes the signatures that the response is expected to need.
  ///
  /// An error here occurs again when the request is served, and is reported then.
  package func precomputeSignatures(for request: ServedRequest, on replica: Lab) {
    let reader = replica.keyReader
    try? replica.store.read { transaction in
      let state = try transaction.read(LabState.self, .lab, LabState.key)
      // Later writes do not matter.
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
  /// Whether the response is likely to contain signatures.
  package var asksForTokens: Bool { http.method == "POST" && http.route == .token }
}
