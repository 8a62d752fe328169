/// The context in which the broker app handles one request.
///
/// The lab connects it to the simulated device and the provider.
package struct BrokerContext {
  package var device: Device
  package var documents: any DocumentStore
  package var now: Instant
  package var random: RandomSource
  package var trace: TraceRecorder
  /// The workplace join in the broker's own keychain group.
  package var deviceKeychain: DeviceKeychain
  package var system: any SystemServices

  package init(
    device: Device, documents: any DocumentStore, now: Instant, random: RandomSource, trace: TraceRecorder,
    deviceKeychain: DeviceKeychain, system: any SystemServices
  ) {
    self.device = device
    self.documents = documents
    self.now = now
    self.random = random
    self.trace = trace
    self.deviceKeychain = deviceKeychain
    self.system = system
  }

  /// Returns the broker's accounts on this device, most recently used first.
  /// - Throws: `StoreError`.
  package func accounts() throws -> [BrokerAccount] {
    try documents.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/").lastUsedFirst
  }

  func remove(_ account: BrokerAccount) throws {
    try documents.delete(.brokerAccount, device.id + "/" + account.homeAccountID)
  }

  /// Records when an account was last used and by which app.
  ///
  /// The picker displays this and sorts by it. `app` is the name of the app, or of the Linux program.
  func noteUse(of account: BrokerAccount, by app: String) throws {
    var used = account
    (used.lastUsed, used.lastUsedBy) = (now, app)
    try save(used)
  }

  func save(_ account: BrokerAccount) throws {
    try documents.write(account, .brokerAccount, device.id + "/" + account.homeAccountID)
  }
}

extension [BrokerAccount] {
  /// The accounts in the order in which the broker lists them.
  package var lastUsedFirst: [BrokerAccount] {
    sorted {
      ($0.lastUsed?.milliseconds ?? 0, $1.username) > ($1.lastUsed?.milliseconds ?? 0, $0.username)
    }
  }
}
