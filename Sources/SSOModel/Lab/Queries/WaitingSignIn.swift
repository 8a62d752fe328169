/// A sign-in of a real client that the person at a terminal may answer: one row of the Provider screen.
package struct WaitingSignIn: Codable, Hashable, Sendable, Identifiable {
  package var id: String
  /// Also on the browser's page.
  package var number: String
  package var client: String
  package var clientID: String
  /// `MSAL.Python 1.39.0`; empty if it did not say.
  package var program: String
  /// Empty if the answer goes to another device.
  package var redirectURI: String
  package var scopes: [String]
  /// What the other device shows (RFC 8628).
  package var userCode: String?
  package var secondsLeft: Int

  init(_ pending: PendingSignIn, key: String, now: Instant) {
    id = key
    number = pending.number
    client = pending.client.displayName
    clientID = pending.client.clientID
    program = pending.client.programWords
    redirectURI = pending.userCode == nil ? pending.client.redirectURI : ""
    scopes = pending.scopes
    userCode = pending.userCode
    secondsLeft = PendingSignIn.lifetime - pending.askedAt.seconds(until: now)
  }
}
