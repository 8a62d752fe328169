/// What the broker app works with while it answers one request.
///
/// The lab joins it to the simulated device and the provider.
package struct BrokerContext {
  package var device: Device
  package var documents: any DocumentStore
  package var now: Instant
  package var random: RandomSource
  package var trace: TraceRecorder
  /// The broker's own group: workplace join.
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

  /// The broker's accounts on this device, last used first.
  /// - Throws: `StoreError`.
  package func accounts() throws -> [BrokerAccount] {
    try documents.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/").lastUsedFirst
  }

  func remove(_ account: BrokerAccount) throws {
    try documents.delete(.brokerAccount, device.id + "/" + account.homeAccountID)
  }

  /// Keeps when an account got tokens, and for whom: what the picker says and is ordered by.
  ///
  /// `app` is the name of the app, or of the Linux program.
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
  /// In the order in which the broker lists them.
  package var lastUsedFirst: [BrokerAccount] {
    sorted {
      ($0.lastUsed?.milliseconds ?? 0, $1.username) > ($1.lastUsed?.milliseconds ?? 0, $0.username)
    }
  }
}
