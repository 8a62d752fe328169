/// Takes all faults away from the provider.
struct ClearFaults: IntentAction {
  func run(in transaction: IntentTransaction) throws -> Outcome {
    let provider = transaction.provider(.person, actor: "")
    let count = try provider.faults().count
    try provider.clearFaults()
    transaction.trace.add(.person, .provider, "clear the faults", result: "\(count) cleared")
    return Outcome(.succeeded, count == 1 ? "1 fault is cleared." : "\(count) faults are cleared.")
  }
}
