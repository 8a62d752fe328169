/// Arms what goes wrong in the app's next brokered call.
struct InjectFault: IntentAction {
  var app: String
  /// nil: nothing goes wrong.
  var fault: InjectedFault?

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let key = InjectedFault.key(of: app, on: transaction.device)
    guard let fault else {
      try transaction.store.delete(.disturbance, key)
      return Outcome(.succeeded, "Nothing disturbs the next brokered call of \(app.displayName).")
    }
    try transaction.store.write(fault, .disturbance, key)
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "disturb the next brokered call", result: fault.rawValue)
    return Outcome(
      .succeeded, "Armed for the next brokered call of \(app.displayName): \(fault.words)")
  }
}
