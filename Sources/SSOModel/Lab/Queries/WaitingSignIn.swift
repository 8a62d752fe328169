import SSOCore
import SSODevice

/// An external client's sign-in that a user at a terminal may answer: one row of the Provider screen.
package struct WaitingSignIn: Codable, Hashable, Sendable, Identifiable {
  package var id: String
  /// The number that the browser's page displays too.
  ///
  /// Empty for a device code that was not entered in a browser.
  package var number: String
  package var client: String
  /// The program, such as `MSAL.Python 1.39.0`.
  ///
  /// Empty if the request does not contain it.
  package var program: String
  /// The redirect URI.
  ///
  /// Empty if the response goes to another device.
  package var redirectURI: String
  package var scopes: [String]
  /// The code that the other device displays (RFC 8628).
  package var userCode: String?
  /// The seconds during which it can still be answered.
  package var secondsLeft: Int
  /// The machine of the two ports below, or `nil` if it is unknown.
  package var machine: Machine?
  /// The port on which the program listens for the response, if it is on the machine.
  package var programPort: Int?
  /// The port of the server that received the request.
  package var serverPort: Int?
  /// The reason that a response would not reach a program, or `nil` if a program seems to wait for it.
  package var ended: String?
  /// The Linux program that called the broker, as the kernel reports it, or `nil` if a browser page or a
  /// device waits.
  package var caller: String?
  /// The page on which the user code can be entered instead, or `nil` if a browser page or a Linux program
  /// waits.
  package var devicePage: String?

  /// The text that distinguishes it from others: the number of its page, the code of its device, or the Linux
  /// program.
  package var mark: String {
    caller ?? (devicePage == nil ? "number \(number)" : "device code \(userCode ?? "")")
  }
  /// The distinguishing text as a sentence.
  package var whichWords: String {
    if let caller { return "It is \(caller)." }
    return devicePage == nil
      ? "Its page shows the number \(number)."
      : "It shows the code \(userCode ?? ""), which was not entered in a browser."
  }
  /// Whether the sign-in is presented automatically.
  ///
  /// A device code is not, because the user normally enters it in a browser.
  package var comesUp: Bool { ended == nil && devicePage == nil }

  init(_ pending: PendingSignIn, key: String, now: Instant) {
    id = key
    number = pending.number
    client = pending.client.displayName
    program = pending.client.programWords
    redirectURI = pending.userCode == nil ? pending.client.redirectURI : ""
    scopes = pending.scopes
    userCode = pending.userCode
    caller = pending.brokerCall?.caller.displayText
    devicePage = pending.isUntyped ? pending.request.origin + pending.request.path : nil
    secondsLeft = pending.lifetime - pending.askedAt.seconds(until: now)
    // A call of the broker arrives over the bus.
    machine = pending.machine
    programPort = pending.brokerCall == nil ? pending.programPort : nil
    serverPort = pending.brokerCall == nil ? pending.serverPort : nil
    let silence = (pending.seenAt ?? pending.askedAt).seconds(until: now)
    if pending.userCode == nil, pending.brokerCall == nil, silence > PendingSignIn.longestSilence {
      ended = "its page was closed"
    }
  }
}
