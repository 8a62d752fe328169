/// Takes a policy of Conditional Access away.
struct RemovePolicy: IntentAction {
  var name: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      guard try transaction.store.removePolicy(name) else {
        throw LabError.unknown(
          .nothingMatched, "policy", name, among: try transaction.directory.policies().map(\.name),
          list: "\(.list, "policy")")
      }
      transaction.trace.add(.system, .provider, "remove policy “\(name)”", result: "done")
      return Outcome(.succeeded, "Policy “\(name)” is removed.")
    }
  }
}
