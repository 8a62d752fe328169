/// Sets a fault at the provider, beside those that are set.
struct AddFault: IntentAction {
  var fault: Fault

  func run(in transaction: IntentTransaction) throws -> Outcome {
    guard fault.fitsEndpoint else {
      throw LabError(
        .badInput, "The fault \(fault.kind.text) cannot happen at \(fault.endpoint.rawValue).",
        why: "The broker's methods answer a status from 0 to 21, and only they do.",
        next: "\(.addFault, "broker:acquireTokenSilently", "2")")
    }
    try transaction.provider(.person, actor: "").addFault(fault)
    transaction.trace.add(.person, .provider, "set a fault", result: fault.words)
    return Outcome(.succeeded, "The provider answers \(fault.words).")
  }
}
