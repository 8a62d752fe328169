/// Takes one fault away from the provider.
///
/// It may have come to its end meanwhile; one that a request counted is still the same.
struct ClearFault: IntentAction {
  var fault: Fault

  func run(in transaction: IntentTransaction) throws -> Outcome {
    guard try transaction.provider(.person, actor: "").removeFault(fault) else {
      throw LabError(
        .nothingMatched, "This fault is no longer set.", why: "Requests may have used up its count.",
        next: "\(.faults)")
    }
    transaction.trace.add(.person, .provider, "clear a fault", result: fault.words)
    return Outcome(.succeeded, "Cleared: \(fault.words).")
  }
}
