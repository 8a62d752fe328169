import Foundation

/// A sign-in of a real client that waits for the person at a terminal.
///
/// Any process on the store may answer it.
///
/// The browser asks for the response with an ID and a cookie that only it has; the document's key is the hash of the ID.
struct PendingSignIn: Codable, Hashable {
  /// What was asked, and with which cookies: with each of the person's answers the flow starts here again.
  var request: HTTPRequest
  var cookies: [NameValue]
  var client: ExternalClient
  var scopes: [String]
  /// Two digits that page and terminal both show, so that the person answers the right one.
  var number: String
  /// The random numbers of this flow: the same in every replay, and not the lab's.
  ///
  /// Nil in one of an older version.
  var random: Randomness?
  /// SHA-256 of the secret of the browser that waits.
  var browser: String?
  var askedAt: Instant
  /// The machine of the browser and of the server that it asks; nil: not known, as behind a balancer.
  var machine: Machine?
  /// When its page asked last whether there is an answer, to half a minute; nil: never.
  var seenAt: Instant?
  /// What the browser gets, once; nil until the person has answered.
  var answer: ProviderResponse?
  /// The call of a Linux program that waits instead of a browser; its answer is the body of `answer`.
  var brokerCall: LinuxBrokerCall?

  /// Ten minutes, in seconds.
  static let lifetime = 600
  /// How many may wait: a program that asks without end makes no other program's sign-in slow.
  static let most = 50

  /// After so many seconds without a look of its page the page is closed.
  ///
  /// It looks every two seconds; in a tab that is not shown a browser may let it look once a minute.
  static let longestSilence = 120
  /// A later look of the page is written only after so many seconds: other processes read the store after each write.
  static let seenPrecision = 30

  func isOver(at now: Instant) -> Bool { askedAt.seconds(until: now) >= Self.lifetime }

  /// The code that another device shows, if the answer is for one (RFC 8628).
  var userCode: String? { request.userCode }

  /// Where the program listens for the answer, if that is a port of the browser's machine.
  var programPort: Int? { request.field("redirect_uri").flatMap(Self.loopbackPort) }
  /// Where the server listens that this request came to.
  var serverPort: Int? { Self.loopbackPort(request.origin) }

  private static func loopbackPort(_ url: String) -> Int? {
    guard let authority = URLParts(url)?.authority.lowercased(), let colon = authority.lastIndex(of: ":"),
      ["localhost", "127.0.0.1", "[::1]"].contains(authority[..<colon])
    else { return nil }
    return Int(authority[authority.index(after: colon)...])
  }
}

extension HTTPRequest {
  /// The code that this request to the device page carries; nil for any other request.
  var userCode: String? {
    guard route == .devicePage, let code = form["user_code"] ?? form["otc"] else { return nil }
    return code.uppercased().filter { $0.isLetter || $0.isNumber }
  }
}

/// The sign-ins that wait.
struct PendingSignIns {
  let documents: any DocumentReader
  let now: Instant

  static func key(id: String) -> String { sha256Hex(id) }

  /// Those that still may be answered, oldest first.
  func waiting() throws -> [(key: String, pending: PendingSignIn)] {
    try all().filter { $0.pending.answer == nil && !$0.pending.isOver(at: now) }
      .sorted { ($0.pending.askedAt.milliseconds, $0.key) < ($1.pending.askedAt.milliseconds, $1.key) }
  }

  func pending(key: String) throws -> PendingSignIn? {
    let found = try documents.read(PendingSignIn.self, .pendingSignIn, key)
    return found.flatMap { $0.isOver(at: now) ? nil : $0 }
  }

  /// The keys of those that have expired, and of the oldest ones if there is no room for one more.
  func excess() throws -> [String] {
    let oldestFirst = try all().sorted { $0.pending.askedAt < $1.pending.askedAt }
    let excess = oldestFirst.count - PendingSignIn.most + 1
    return oldestFirst.enumerated().filter { $0 < excess || $1.pending.isOver(at: now) }.map(\.element.key)
  }

  private func all() throws -> [(key: String, pending: PendingSignIn)] {
    try documents.documents(.pendingSignIn, keyPrefix: "").map { key, body in
      (key, try decodeJSON(PendingSignIn.self, from: body))
    }
  }
}
