import Essentials
import SSOCore
import SSODevice
import SSOProvider

/// An external client's sign-in that waits for a user at a terminal.
///
/// Any process that uses the store may answer it. The browser polls for the response with an ID and a cookie
/// that no other browser has. The document's key is the hash of the ID.
struct PendingSignIn: Codable, Hashable {
  /// The request, with which the flow starts again for each of the user's answers.
  var request: HTTPRequest
  var cookies: [NameValue]
  var client: ExternalClient
  var scopes: [String]
  /// Two digits that both page and terminal display, so that the user answers the right sign-in.
  ///
  /// Empty if no page waits.
  var number: String
  /// The random numbers of this flow, which are the same in every replay and separate from the lab's.
  ///
  /// The value is `nil` in a sign-in of an older version.
  var random: Randomness?
  /// The SHA-256 of the waiting browser's secret, or `nil` if no browser waits.
  var browser: String?
  var askedAt: Instant
  /// The machine of the browser and the server, or `nil` if unknown, as behind a load balancer.
  var machine: Machine?
  /// The last time that the page polled, with a precision of half a minute, or `nil` if it never did.
  var seenAt: Instant?
  /// The response that the browser gets, once, or `nil` until the user has answered.
  var answer: ProviderResponse?
  /// The call of a Linux program that waits instead of a browser.
  ///
  /// Its response is the body of `answer`.
  var brokerCall: LinuxBrokerCall?

  /// The lifetime of a waiting page in seconds: ten minutes.
  static let pageLifetime = 600
  /// The maximum number of waiting pages, and of device codes, so that one program's endless requests do not
  /// slow others down.
  static let most = 50

  /// The seconds without a poll after which a page counts as closed.
  ///
  /// It polls every two seconds. In a hidden tab, a browser may allow only one poll a minute.
  static let longestSilence = 120
  /// The seconds between two saved polls, because other processes read the store after each write.
  static let seenPrecision = 30

  /// Whether this is a device code without a waiting browser.
  ///
  /// A user may still answer it at a terminal.
  var isUntyped: Bool { browser == nil && brokerCall == nil && userCode != nil }

  var lifetime: Int { isUntyped ? DeviceAuthorization.lifetime : Self.pageLifetime }

  func isOver(at now: Instant) -> Bool { askedAt.seconds(until: now) >= lifetime }

  /// The code that another device displays, if the response is for one (RFC 8628).
  var userCode: String? { request.userCode }

  /// The port on which the program listens for the response, if it is on the browser's machine.
  var programPort: Int? { request.field("redirect_uri").flatMap(Self.loopbackPort) }
  /// The port of the server that received this request.
  var serverPort: Int? { Self.loopbackPort(request.origin) }

  private static func loopbackPort(_ url: String) -> Int? {
    guard let authority = URLParts(url)?.authority.lowercased(), let colon = authority.lastIndex(of: ":"),
      isLoopback(authority[..<colon])
    else { return nil }
    return Int(authority[authority.index(after: colon)...])
  }
}

extension HTTPRequest {
  /// The user code in a request to the device page, or `nil` for any other request.
  var userCode: String? {
    guard route == .devicePage, let code = form["user_code"] ?? form["otc"] else { return nil }
    return code.uppercased().filter { $0.isLetter || $0.isNumber }
  }
}

/// The waiting sign-ins.
struct PendingSignIns {
  let documents: any DocumentReader
  let now: Instant

  static func key(id: String) -> String { sha256Hex(id) }

  /// Returns the sign-ins that can still be answered, oldest first.
  func waiting() throws -> [(key: String, pending: PendingSignIn)] {
    try all().filter { $0.pending.answer == nil && !$0.pending.isOver(at: now) }
      .sorted { ($0.pending.askedAt.milliseconds, $0.key) < ($1.pending.askedAt.milliseconds, $1.key) }
  }

  func pending(key: String) throws -> PendingSignIn? {
    let found = try documents.read(PendingSignIn.self, .pendingSignIn, key)
    return found.flatMap { $0.isOver(at: now) ? nil : $0 }
  }

  /// Returns the keys of the sign-ins that a new one replaces.
  ///
  /// They have expired, are the oldest of their kind if there is not enough space, or have the same device code.
  func excess(for new: PendingSignIn) throws -> [String] {
    let all = try all()
    let alike = all.filter { $0.pending.isUntyped == new.isUntyped }
      .sorted { $0.pending.askedAt < $1.pending.askedAt }
    let oldest = Set(alike.prefix(max(0, alike.count - PendingSignIn.most + 1)).map(\.key))
    return all.filter { key, pending in
      oldest.contains(key) || pending.isOver(at: now)
        || pending.isUntyped && pending.userCode == new.userCode
    }.map(\.key)
  }

  private func all() throws -> [(key: String, pending: PendingSignIn)] {
    try documents.documents(.pendingSignIn, keyPrefix: "").map { key, body in
      (key, try decodeJSON(PendingSignIn.self, from: body))
    }
  }
}
