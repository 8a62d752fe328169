extension Lab {
  /// Writes a world into an empty store.
  ///
  /// A store that already contains a lab is left unchanged.
  ///
  /// - Parameters:
  ///   - name: The name of the scenario that the world comes from.
  ///   - seed: The seed of the lab's random source, or 0 for a seed from the system.
  ///   - world: The records to write.
  /// - Throws: `StoreError`.
  package func create(named name: String, seed: UInt64, _ world: LabWorld) throws {
    let now = clock()
    try store.write(nil) { transaction in
      // Another process may have been faster, and its world may be in use already.
      guard try transaction.document(.lab, LabState.key) == nil else { return }
      let device = world.device
      try transaction.write(LabState(name: name, deviceID: device.id), .lab, LabState.key)
      let seed = seed == 0 ? SystemClock.seed() : seed
      try transaction.write(LabRandom(source: Randomness(seed: seed)), .lab, LabRandom.key)
      try transaction.write(device, .device, device.id)
      for tenant in world.tenants { try transaction.save(tenant) }
      for person in world.people { try transaction.save(person) }
      try transaction.save(ClientRegistration.authenticationBroker)
      for policy in world.policies { try transaction.save(policy) }
      if let isCompliant = world.isCompliant {
        try transaction.save(ManagedDevice(serial: device.id, isCompliant: isCompliant))
      }
      for registration in world.registrations { try transaction.save(registration) }
      for app in world.apps { try transaction.write(app, .app, device.id + "/" + app.bundleID) }
      let provisioning = DeviceProvisioning(transaction: try IntentTransaction(transaction, realTime: now))
      for held in world.brokerAccounts { try provisioning.give(held) }
      for username in world.certificates { try provisioning.addCertificate(username) }
      try provisioning.transaction.saveRandom()
    }
  }
}
