/// Arms what goes wrong in the app's next brokered call.
struct InjectFault: IntentAction {
  var app: String
  /// nil: nothing goes wrong.
  var fault: InjectedFault?

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let key = InjectedFault.key(of: app, on: transaction.device)
    guard transaction.device.platform.brokerCall == .url else {
      throw LabError(
        .badInput, "No fault can be injected on \(transaction.device.platform.rawValue).",
        why: "Faults of a brokered call change URLs, and no URL is opened there (claim A5).",
        next: "Use a device with iOS.")
    }
    guard let fault else {
      try transaction.store.delete(.injectedFault, key)
      return Outcome(.succeeded, "The next brokered call of \(app.displayName) has no injected fault.")
    }
    try transaction.store.write(fault, .injectedFault, key)
    transaction.trace.add(
      .person, .system, actor: app.bundleID, "inject a fault into the next brokered call",
      result: fault.rawValue)
    return Outcome(
      .succeeded, "Injected into the next brokered call of \(app.displayName): \(fault.words)")
  }
}
