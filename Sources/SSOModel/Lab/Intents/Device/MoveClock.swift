import SSOCore
import SSOReference

/// A change of the lab's clock by hand.
package struct MoveClock: Intent {
  package static let verb = "clock"
  /// The step in seconds, or `nil` to return to the real time.
  var seconds: Int?

  package init(bySeconds seconds: Int?) { self.seconds = seconds }

  package var displayText: String { seconds.map { "clock \(offsetText($0))" } ?? "reset the clock" }

  /// The maximum difference of the clock from real time, in seconds: 100 years of 365.25 days.
  private static let furthest = 3_155_760_000

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let offset = try seconds.map { try moved(from: transaction.state.clockOffset ?? 0, by: $0) }
    transaction.state.clockOffset = offset
    try transaction.store.write(transaction.state, .lab, LabState.key)
    // Do not name the real time, because the clock of a demo does not show it.
    return Outcome(.succeeded, offset.map { "Clock \(offsetText($0))." } ?? "Clock reset.")
  }

  private func moved(from before: Int, by step: Int) throws(LabError) -> Int {
    let (offset, overflows) = before.addingReportingOverflow(step)
    guard !overflows, (-Self.furthest...Self.furthest).contains(offset) else {
      throw LabError(
        .badInput, "The clock was not moved.", why: "It may differ from real time by at most 100 years.",
        next: "\(.resetClock)")
    }
    return offset
  }
}
