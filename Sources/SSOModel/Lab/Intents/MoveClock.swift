/// Moves the lab's clock by hand.
struct MoveClock: IntentAction {
  /// nil: back to real time.
  var seconds: Int?

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let offset = seconds.map { (transaction.state.clockOffset ?? 0) + $0 }
    transaction.state.clockOffset = offset
    try transaction.store.write(transaction.state, .lab, LabState.key)
    return Outcome(
      .succeeded,
      offset.map { "The clock is \(offsetText($0)) against real time." } ?? "The clock shows real time again."
    )
  }
}
