import Synchronization

/// Makes the signatures of a token response before its batch begins, on a read-only replica of the lab: one replica for
/// each thread that does so at the same time.
final class SignaturePrecomputation: Sendable {
  private let lab: Lab
  private let idleReplicas = Mutex<[Lab]>([])

  init(for lab: Lab) { self.lab = lab }

  /// Does nothing for a request that asks for no tokens.
  func precompute(for request: ServedRequest) {
    guard request.asksForTokens,
      let replica = idleReplicas.withLock({ $0.popLast() }) ?? lab.readOnlyReplica()
    else { return }
    lab.precomputeSignatures(for: request, on: replica)
    idleReplicas.withLock { $0.append(replica) }
  }
}
