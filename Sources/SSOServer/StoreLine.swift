import Dispatch
import SSOLab
import Synchronization

/// Where requests wait for the store, which takes one transaction at a time and waits for the disk at its end: those that
/// came meanwhile are answered together.
final class StoreLine: Sendable {
  private struct Waiting {
    let request: ServedRequest
    let answer: CheckedContinuation<ServedAnswer, any Error>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isServing = false
  }

  /// At most so many share a transaction: other processes want to write too.
  private static let most = 64

  private let lab: Lab
  private let queue = DispatchQueue(label: "ssoterm.store")
  private let state = Mutex(State())
  private let rehearsals: Rehearsals

  init(_ lab: Lab) {
    self.lab = lab
    rehearsals = Rehearsals(of: lab)
  }

  func serve(_ request: ServedRequest) async throws -> ServedAnswer {
    rehearsals.signAhead(for: request)
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
    while let round = next() {
      for (waiting, answer) in zip(round, lab.serve(round.map(\.request))) {
        waiting.answer.resume(with: answer)
      }
    }
  }

  /// Who is served now; nil if nobody waits any more.
  private func next() -> [Waiting]? {
    state.withLock { state in
      let round = Array(state.waiting.prefix(Self.most))
      state.waiting.removeFirst(round.count)
      state.isServing = !round.isEmpty
      return round.isEmpty ? nil : round
    }
  }
}

/// The lab on connections of their own, one for each thread that rehearses at the same time.
private final class Rehearsals: Sendable {
  private let lab: Lab
  private let free = Mutex<[Lab]>([])

  init(of lab: Lab) { self.lab = lab }

  func signAhead(for request: ServedRequest) {
    guard request.asksForTokens,
      let understudy = free.withLock({ $0.popLast() }) ?? lab.understudy()
    else { return }
    lab.signAhead(for: request, with: understudy)
    free.withLock { $0.append(understudy) }
  }
}
