/// An app that received a response from the broker, with the token that identifies it (docs/behaviour/broker.md §6).
struct BrokerApplication: Codable, Hashable {
  var clientID: String
  var bundleID: String
  var token: String
}

extension BrokerContext {
  func application(_ request: BrokerRequest, _ bundleID: String) throws -> BrokerApplication? {
    try documents.read(BrokerApplication.self, .brokerApplication, key(request, bundleID))
  }

  /// Returns the app's record, which is created with its first response.
  func rememberApplication(_ request: BrokerRequest, _ bundleID: String) throws -> BrokerApplication {
    if let known = try application(request, bundleID) { return known }
    let token = Base64URL.encode(random.bytes(24))
    let made = BrokerApplication(clientID: request.clientID, bundleID: bundleID, token: token)
    try documents.write(made, .brokerApplication, key(request, bundleID))
    return made
  }

  private func key(_ request: BrokerRequest, _ bundleID: String) -> String {
    [device.id, request.clientID.lowercased(), bundleID].joined(separator: "/")
  }
}
