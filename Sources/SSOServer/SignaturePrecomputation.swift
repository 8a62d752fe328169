import Synchronization

/// A helper that computes the signatures of a token response before its batch starts.
///
/// It works on read-only replicas of the lab, one for each thread that computes signatures at the same time.
final class SignaturePrecomputation: Sendable {
  private let lab: Lab
  private let idleReplicas = Mutex<[Lab]>([])

  init(for lab: Lab) { self.lab = lab }

  /// Computes the signatures for a request.
  ///
  /// Does nothing if the request does not ask for tokens.
  func precompute(for request: ServedRequest) {
    guard request.asksForTokens,
      let replica = idleReplicas.withLock({ $0.popLast() }) ?? lab.readOnlyReplica()
    else { return }
    lab.precomputeSignatures(for: request, on: replica)
    idleReplicas.withLock { $0.append(replica) }
  }
}
