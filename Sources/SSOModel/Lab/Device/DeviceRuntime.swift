import Essentials

/// The simulated device during an intent: its apps with their keychains and SDKs, the broker app, the
/// browser, and the system.
///
/// It connects them to the provider.
struct DeviceRuntime {
  let transaction: IntentTransaction

  var device: Device { transaction.device }
  var installed: [InstalledApp] { transaction.installed }
  var trace: TraceRecorder { transaction.trace }

  /// Returns the app's SDK, whose calls appear in the trace and change the lab.
  func sdk(of app: InstalledApp) -> any IdentitySDK { context(of: app).sdk }

  func context(of app: InstalledApp) -> AppContext {
    AppContext(
      app: app, device: device, installed: installed, now: transaction.now, random: transaction.random,
      trace: trace, keychain: keychain(of: app), defaults: defaults(of: app),
      process: transaction.memory(of: app),
      system: AppServices(runtime: self, app: app, sender: .sdk))
  }

  func keychain(of app: InstalledApp) -> Keychain {
    Keychain(
      store: transaction.credentials, app: KeychainCaller(app), now: transaction.now, trace: trace,
      isLocked: device.isLocked)
  }

  func defaults(of app: InstalledApp) -> AppDefaults {
    AppDefaults(documents: transaction.store, key: device.id + "/" + app.bundleID)
  }

  func broker(for app: InstalledApp) -> Broker {
    Broker(
      context: BrokerContext(
        device: device, documents: transaction.store, now: transaction.now, random: transaction.random,
        trace: trace, deviceKeychain: deviceKeychain,
        system: AppServices(runtime: self, app: app, sender: .broker)),
      version: device.brokerVersion ?? "")
  }

  var deviceKeychain: DeviceKeychain {
    let caller = KeychainCaller(
      bundleID: brokerBundleID, entitledGroups: [DeviceKeychain.group, DeviceKeychain.secondGroup])
    return DeviceKeychain(
      keychain: Keychain(
        store: transaction.credentials, app: caller, now: transaction.now, trace: trace,
        isLocked: device.isLocked, party: .broker),
      now: transaction.now)
  }

  /// Removes an account from the broker.
  func forget(_ held: BrokerAccount) throws {
    try transaction.store.delete(.brokerAccount, device.id + "/" + held.homeAccountID)
    trace.add(.system, .broker, "remove account \(held.username)", result: "done")
  }
}

// MARK: - Faults of the brokered call

extension DeviceRuntime {
  /// Removes and returns the fault that was injected for this call, or `nil` if there is none.
  func takeInjectedFault(of app: InstalledApp) throws -> InjectedFault? {
    let key = InjectedFault.key(of: app, on: device)
    guard let fault = try transaction.store.read(InjectedFault.self, .injectedFault, key) else { return nil }
    try transaction.store.delete(.injectedFault, key)
    trace.add(
      .person, .system, actor: app.bundleID, "disturbance: \(fault.rawValue)", result: fault.words)
    return fault
  }

  /// Applies the fault to the app's storage while the broker is active.
  func apply(_ fault: InjectedFault, toStorageOf app: InstalledApp) throws {
    let defaults = defaults(of: app)
    switch fault {
    case .defaultsCleared: try defaults.setResumeState(nil)
    case .resumeStateDamaged:
      guard var state = try defaults.resumeState() else { return }
      state.values["redirect_uri"] = nil
      try defaults.setResumeState(state)
    case .keyLost, .keyReplaced:
      let query = KeychainQuery(
        accessGroups: app.entitledGroups, itemClass: .key, service: BrokerKeys.keyTag)
      for var item in try transaction.credentials.items(matching: query) {
        guard fault == .keyReplaced else {
          try transaction.credentials.delete(item.key)
          continue
        }
        item.data = Data(transaction.random.bytes(32))
        item.modifiedAt = transaction.now
        _ = try transaction.credentials.update(item)
      }
    default: break
    }
  }

  /// Makes a second interactive call while the first waits for the broker.
  func callAgain(_ app: InstalledApp) throws {
    var context = context(of: app)
    context.isBusy = true
    let request = SDKRequest(prompt: .selectAccount, correlationID: transaction.random.upperUUID())
    do {
      _ = try context.sdk.acquireInteractively(request)
    } catch let error as SDKError {
      trace.add(.sdk, .app, actor: app.bundleID, "error of the second call", result: error.printed)
    }
  }
}

extension InjectedFault {
  /// Returns the key of the fault's document, of which each app of a device has one.
  static func key(of app: InstalledApp, on device: Device) -> String { device.id + "/" + app.bundleID }
}
