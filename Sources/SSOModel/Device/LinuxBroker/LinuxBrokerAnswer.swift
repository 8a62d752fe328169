/// The broker's response to a program, with the details that the lab records about it.
package struct LinuxBrokerAnswer: Sendable {
  package var json: JSONValue
  /// The error, or `nil` if the call succeeded.
  package var error: LinuxBrokerError?
  /// The username of the account concerned, or `nil` if there is none.
  package var username: String?
  /// The source of a token: the broker's cache, or its primary refresh token.
  package var source: String?
  /// The request and the response with which the program's token was just issued.
  package var issued: (request: HTTPRequest, response: HTTPResponse)?

  init(_ json: JSONValue, username: String? = nil) {
    self.json = json
    self.username = username
  }

  package init(_ error: LinuxBrokerError, for method: LinuxBrokerMethod) {
    json = error.json(for: method)
    self.error = error
  }

  /// A short description for the log and the trace, without secrets.
  package var words: String {
    guard let error else { return username ?? "done" }
    return "\(error.status.text): \(error.context)"
  }
}

extension BrokerAccount {
  private var halves: [String] { homeAccountID.split(separator: ".").map(String.init) }
  /// The object ID in the home tenant.
  package var objectID: String { halves.first ?? "" }
  package var tenantID: String { halves.last ?? "" }

  /// Returns whether one of these IDs or names, which a program specifies, identifies this account.
  package func isNamed(by names: [String]) -> Bool {
    names.contains { name in
      let name = name.lowercased()
      return name == homeAccountID.lowercased() || name == objectID.lowercased()
        || name == username.lowercased()
    }
  }

  /// The account as the broker lists it (docs/behaviour/linux-broker.md §3).
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
