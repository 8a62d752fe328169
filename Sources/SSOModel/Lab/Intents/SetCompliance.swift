/// What the device management reports of the device.
struct SetCompliance: IntentAction {
  var isCompliant: Bool

  func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      let device = transaction.device
      try transaction.store.save(ManagedDevice(serial: device.id, isCompliant: isCompliant))
      let word = isCompliant ? "compliant" : "not compliant"
      transaction.trace.add(
        .system, .provider, "device management reports \(device.name)", result: word)
      return Outcome(.succeeded, "\(device.name) is \(word).")
    }
  }
}
