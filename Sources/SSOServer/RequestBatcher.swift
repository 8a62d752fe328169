import Dispatch
import Synchronization

/// A queue that answers requests in batches.
///
/// The store allows one transaction at a time and waits for the disk at its end, so the requests that arrive during one
/// batch form the next.
final class RequestBatcher: Sendable {
  private struct Waiting {
    let request: ServedRequest
    let answer: CheckedContinuation<ServedAnswer, any Error>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isServing = false
  }

  /// The maximum size of a batch, which is limited because other processes want to write too.
  private static let batchLimit = 64

  private let lab: Lab
  private let queue = DispatchQueue(label: "ssoterm.store")
  private let state = Mutex(State())
  private let signatures: SignaturePrecomputation

  init(_ lab: Lab) {
    self.lab = lab
    signatures = SignaturePrecomputation(for: lab)
  }

  /// Returns the lab's response once it is saved to disk.
  func serve(_ request: ServedRequest) async throws -> ServedAnswer {
    signatures.precompute(for: request)
    return try await withCheckedThrowingContinuation { answer in
      let begins = state.withLock { state in
        state.waiting.append(Waiting(request: request, answer: answer))
        defer { state.isServing = true }
        return !state.isServing
      }
      if begins { queue.async { self.serveAll() } }
    }
  }

  private func serveAll() {
    while let batch = nextBatch() {
      for (waiting, answer) in zip(batch, lab.serve(batch.map(\.request))) {
        waiting.answer.resume(with: answer)
      }
    }
  }

  /// Returns the requests to answer together, or `nil` if none is waiting.
  private func nextBatch() -> [Waiting]? {
    state.withLock { state in
      let batch = Array(state.waiting.prefix(Self.batchLimit))
      state.waiting.removeFirst(batch.count)
      state.isServing = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }
}
