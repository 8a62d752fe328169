/// A sign-in of a real client that the person at a terminal may answer: one row of the Provider screen.
public struct WaitingSignIn: Codable, Hashable, Sendable, Identifiable {
  public var id: String
  /// Also on the browser's page.
  public var number: String
  public var client: String
  public var clientID: String
  /// `MSAL.Python 1.39.0`; empty if it did not say.
  public var program: String
  /// Empty if the answer goes to another device.
  public var redirectURI: String
  public var scopes: [String]
  /// What the other device shows (RFC 8628).
  public var userCode: String?
  public var secondsLeft: Int

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

extension Lab {
  /// Sign-ins of real clients that wait for a person at a terminal, oldest first.
  public func waitingSignIns() throws -> [WaitingSignIn] {
    try view { stage in
      try PendingSignIns(documents: stage.transaction, now: stage.now).waiting().map {
        WaitingSignIn($0.pending, key: $0.key, now: stage.now)
      }
    }
  }
}
