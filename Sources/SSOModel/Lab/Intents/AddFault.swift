/// Sets a fault at the provider, beside those that are set.
struct AddFault: IntentAction {
  var fault: Fault

  func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.provider(.person, actor: "").addFault(fault)
    transaction.trace.add(.person, .provider, "set a fault", result: fault.words)
    return Outcome(.succeeded, "The provider answers \(fault.words).")
  }
}
