import SSOCore

/// What the broker app can reach while it answers one request. Joined by the World.
package struct BrokerSurroundings {
  var device: Device
  var documents: any DocumentStore
  var now: Instant
  var chance: Chance
  var trace: TraceRecorder
  var send: (HTTPRequest) throws -> HTTPResponse
  /// Shows a web view; the second value is a primary refresh token that it presents, so that nobody is asked for a password.
  var browse: (HTTPRequest, String?) throws -> WebResult
  /// Shows the system's browser, which can show a certificate of the device.
  var browseExternally: (HTTPRequest) throws -> WebResult
  /// The broker's own group: workplace join.
  var deviceKeychain: DeviceKeychain
  /// Shows the picker; nil: the person went back to the app.
  var choose: (AccountPicker) throws -> PickedAccount?

  package init(
    device: Device, documents: any DocumentStore, now: Instant, chance: Chance, trace: TraceRecorder,
    send: @escaping (HTTPRequest) throws -> HTTPResponse,
    browse: @escaping (HTTPRequest, String?) throws -> WebResult,
    browseExternally: @escaping (HTTPRequest) throws -> WebResult, deviceKeychain: DeviceKeychain,
    choose: @escaping (AccountPicker) throws -> PickedAccount?
  ) {
    self.device = device
    self.documents = documents
    self.now = now
    self.chance = chance
    self.trace = trace
    self.send = send
    self.browse = browse
    self.browseExternally = browseExternally
    self.deviceKeychain = deviceKeychain
    self.choose = choose
  }

  /// What the person picked.
  package enum PickedAccount: Hashable {
    case account(homeAccountID: String)
    case another
  }

  /// The broker's accounts on this device, last used first.
  package func accounts() throws -> [BrokerAccount] {
    try documents.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/")
      .sorted {
        ($0.lastUsed?.milliseconds ?? 0, $1.username) > ($1.lastUsed?.milliseconds ?? 0, $0.username)
      }
  }

  func save(_ account: BrokerAccount) throws {
    try documents.write(account, .brokerAccount, device.id + "/" + account.homeAccountID)
  }
}
