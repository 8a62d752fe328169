/// How far a call has come: the hops so far, and the one that has begun and has no result yet.
package struct CallProgress: Hashable, Sendable {
  package var hops: [Hop]
  package var running: Hop?

  /// All of them, the one that runs last.
  package var steps: [Hop] { hops + (running.map { [$0] } ?? []) }
}

/// Collects the hops of one intent while it runs.
///
/// A reference, because the keychain, the provider, the broker and the SDK all add to the same story.
package final class TraceRecorder {
  package private(set) var hops: [Hop] = []
  /// No trace is kept: a hop need not even be made.
  package let isQuiet: Bool
  private let listener: ((CallProgress) -> Void)?

  /// `listener` is told of each hop at once, and of each that begins with a wait.
  package init(isQuiet: Bool = false, listener: ((CallProgress) -> Void)? = nil) {
    self.isQuiet = isQuiet
    self.listener = listener
  }

  /// Adds a hop, unless no trace is kept.
  package func add(_ hop: Hop) {
    guard !isQuiet else { return }
    hops.append(hop)
    listener?(CallProgress(hops: hops))
  }

  /// A request or a call into the store begins: `add` follows when its result is known.
  package func begin(_ from: Party, _ to: Party, actor: String, _ action: @autoclosure () -> String) {
    guard let listener else { return }
    listener(CallProgress(hops: hops, running: Hop(from: from, to: to, actor: actor, action: action())))
  }

  /// Makes one hop of the last two: a person's answer, and its result, where no request was between them.
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
  /// `sent` are the fields that went along, secrets masked; `checks` what decided it, in order.
  package func add(
    _ from: Party, _ to: Party, actor: String = "", _ action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = []
  ) {
    add(Hop(from: from, to: to, actor: actor, action: action, result: result, sent: sent, checks: checks))
  }
}
