/// What the broker answers a program, and what the lab notes of it.
package struct LinuxBrokerAnswer: Sendable {
  package var json: JSONValue
  /// Nil: it was served.
  package var error: LinuxBrokerError?
  /// Of the account that it is about; nil if there is none.
  package var username: String?
  /// Where a token comes from: the broker's cache, or its primary refresh token.
  package var source: String?
  /// The request and the response by which the program's token was made just now.
  package var issued: (request: HTTPRequest, response: HTTPResponse)?

  init(_ json: JSONValue, username: String? = nil) {
    self.json = json
    self.username = username
  }

  package init(_ error: LinuxBrokerError, for method: LinuxBrokerMethod) {
    json = error.json(for: method)
    self.error = error
  }

  /// A few words for log and trace; no secret.
  package var words: String {
    guard let error else { return username ?? "done" }
    return "\(error.status.text): \(error.context)"
  }
}

extension BrokerAccount {
  private var halves: [String] { homeAccountID.split(separator: ".").map(String.init) }
  /// Object ID in the home tenant.
  package var objectID: String { halves.first ?? "" }
  package var tenantID: String { halves.last ?? "" }

  /// Whether a program means this account by one of these IDs or names; the first that names an account at all decides.
  package func isNamed(by names: [String]) -> Bool {
    names.contains { name in
      let name = name.lowercased()
      return name == homeAccountID.lowercased() || name == objectID.lowercased()
        || name == username.lowercased()
    }
  }

  /// As the broker lists it (docs/behaviour/linux-broker.md §3).
  package var linuxJSON: JSONValue {
    let names = displayName.split(separator: " ", maxSplits: 1).map(String.init)
    return [
      "environment": .string(PublicCloud.preferredCache), "homeAccountId": .string(homeAccountID),
      "localAccountId": .string(objectID), "realm": .string(tenantID), "username": .string(username),
      "name": .string(displayName), "givenName": .string(names.first ?? ""),
      "familyName": .string(names.count > 1 ? names[1] : ""), "passwordExpiry": .integer(0),
      "clientInfo": .string(ClientInfo(uid: objectID, utid: tenantID).encoded),
    ]
  }
}
