/// The progress of a call: the hops so far, and the hop that has begun but has no result yet.
package struct CallProgress: Hashable, Sendable {
  package var hops: [Hop]
  package var running: Hop?

  /// All hops, with the running one last.
  package var steps: [Hop] { hops + (running.map { [$0] } ?? []) }
}

/// A recorder that collects the hops of one intent while it runs.
///
/// It is a class because the keychain, the provider, the broker, and the SDK all add to the same trace.
package final class TraceRecorder {
  package private(set) var hops: [Hop] = []
  /// Whether tracing is disabled, in which case callers need not create hops.
  package let isQuiet: Bool
  private let listener: ((CallProgress) -> Void)?

  /// Creates a recorder that calls `listener` for each hop that is added, and when a hop begins that has to wait.
  package init(isQuiet: Bool = false, listener: ((CallProgress) -> Void)? = nil) {
    self.isQuiet = isQuiet
    self.listener = listener
  }

  /// Adds a hop, unless tracing is disabled.
  package func add(_ hop: Hop) {
    guard !isQuiet else { return }
    hops.append(hop)
    listener?(CallProgress(hops: hops))
  }

  /// Reports that a request or a call into the store has begun; `add` follows when its result is known.
  package func begin(_ from: Party, _ to: Party, actor: String, _ action: @autoclosure () -> String) {
    guard let listener else { return }
    listener(CallProgress(hops: hops, running: Hop(from: from, to: to, actor: actor, action: action())))
  }

  /// Merges the last two hops: a user's answer and its result, if no request came between them.
  package func joinLastTwo() {
    guard hops.count > 1 else { return }
    let last = hops.removeLast()
    var answer = hops.removeLast()
    answer.result = [answer.result, last.result].filter { !$0.isEmpty }.joined(separator: ", ")
    answer.checks += last.checks
    hops.append(answer)
  }

  /// Adds a hop from one party to another.
  ///
  /// `sent` contains the fields that were sent, with secrets masked; `checks` contains the checks that decided it, in
  /// order.
  package func add(
    _ from: Party, _ to: Party, actor: String = "", _ action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = []
  ) {
    add(Hop(from: from, to: to, actor: actor, action: action, result: result, sent: sent, checks: checks))
  }
}
