/// A sign-in of a real client that the person at a terminal may answer: one row of the Provider screen.
package struct WaitingSignIn: Codable, Hashable, Sendable, Identifiable {
  package var id: String
  /// Also on the browser's page; empty for a device code that was not entered in a browser.
  package var number: String
  package var client: String
  /// `MSAL.Python 1.39.0`; empty if it did not say.
  package var program: String
  /// Empty if the answer goes to another device.
  package var redirectURI: String
  package var scopes: [String]
  /// What the other device shows (RFC 8628).
  package var userCode: String?
  /// Until it can no longer be answered.
  package var secondsLeft: Int
  /// The machine whose ports the two below are; nil: not known.
  package var machine: Machine?
  /// Where its program listens for the answer, if that is a port of the machine.
  package var programPort: Int?
  /// Where the server listens that it came to.
  package var serverPort: Int?
  /// Why an answer would reach no program; nil: as far as is known, one waits for it.
  package var ended: String?
  /// The Linux program that asks the broker, as the kernel reports it; nil: a browser's page waits, or a device.
  package var caller: String?
  /// Where the user code can be entered instead; nil: a browser's page or a Linux program waits.
  package var devicePage: String?

  /// What tells it from others: the number of its page, the code of its device, the Linux program.
  package var mark: String {
    caller ?? (devicePage == nil ? "number \(number)" : "device code \(userCode ?? "")")
  }
  /// The same as a sentence.
  package var whichWords: String {
    if let caller { return "It is \(caller)." }
    return devicePage == nil
      ? "Its page shows the number \(number)."
      : "It shows the code \(userCode ?? ""), which was not entered in a browser."
  }
  /// A person answers it at a terminal only if the code was not entered in a browser: it does not come up by itself.
  package var comesUp: Bool { ended == nil && devicePage == nil }

  init(_ pending: PendingSignIn, key: String, now: Instant) {
    id = key
    number = pending.number
    client = pending.client.displayName
    program = pending.client.programWords
    redirectURI = pending.userCode == nil ? pending.client.redirectURI : ""
    scopes = pending.scopes
    userCode = pending.userCode
    caller = pending.brokerCall?.caller.words
    devicePage = pending.isUntyped ? pending.request.origin + pending.request.path : nil
    secondsLeft = pending.lifetime - pending.askedAt.seconds(until: now)
    // A call of the broker comes by the bus.
    machine = pending.machine
    programPort = pending.brokerCall == nil ? pending.programPort : nil
    serverPort = pending.brokerCall == nil ? pending.serverPort : nil
    let silence = (pending.seenAt ?? pending.askedAt).seconds(until: now)
    if pending.userCode == nil, pending.brokerCall == nil, silence > PendingSignIn.longestSilence {
      ended = "its page was closed"
    }
  }
}
