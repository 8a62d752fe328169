import Synchronization

/// The problems besides the result of a command, which determine its exit status.
final class CommandProblems: Sendable {
  private struct State {
    var output: SystemError?
    var leftOut: [StoreError] = []
  }

  private let state = Mutex(State())

  var output: SystemError? { state.withLock(\.output) }

  func add(output error: SystemError) { state.withLock { $0.output = error } }
  func add(leftOut error: StoreError) { state.withLock { $0.leftOut.append(error) } }

  /// The failures for stderr.
  var failures: [CommandFailure] {
    let (output, leftOut) = state.withLock { ($0.output, $0.leftOut) }
    return leftOut.map { error in
      var failure = CommandFailure(error)
      failure.what += " It was skipped."
      return failure
    }
      + (output.map {
        [
          CommandFailure(
            status: .fault, kind: "output", what: "The output could not be written.", why: $0.words,
            next: "the same command with its output elsewhere")
        ]
      } ?? [])
  }
}
