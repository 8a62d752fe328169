/// The broker app is deleted.
///
/// Its accounts stay in its keychain, as keychain items do (docs/behaviour/keychain.md §1), and are there again after an
/// install.
struct RemoveBroker: IntentAction {
  func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      guard let version = transaction.device.brokerVersion else {
        throw LabError(
          .nothingMatched, "The broker is not installed.", why: "There is nothing to remove.",
          next: "\(.installBroker)")
      }
      guard !transaction.device.platform.hasOwnBroker else {
        throw LabError(
          .badInput, "The broker cannot be removed.", why: "On Windows it is part of the system (claim A5).",
          next: "Change the app's setting brokerUse instead.")
      }
      transaction.device.brokerVersion = nil
      transaction.device.brokerManagement = nil
      try transaction.saveDevice()
      transaction.trace.add(
        .person, .system, "remove the broker",
        result: "\(BrokerScheme.names.joined(separator: ", ")) cannot be opened now")
      return Outcome(
        .succeeded, "The broker \(version) is removed. Apps sign in without it from now on.")
    }
  }
}
