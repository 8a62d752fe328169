import Essentials

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
  /// Two digits that page and terminal both show, so that the person answers the right one; empty where no page waits.
  var number: String
  /// The random numbers of this flow: the same in every replay, and not the lab's.
  ///
  /// Nil in one of an older version.
  var random: Randomness?
  /// SHA-256 of the secret of the browser that waits; nil: none does.
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

  /// Ten minutes, in seconds, of a page that waits.
  static let pageLifetime = 600
  /// How many pages may wait, and how many device codes: a program that asks without end makes no other program's sign-in slow.
  static let most = 50

  /// After so many seconds without a look of its page the page is closed.
  ///
  /// It looks every two seconds; in a tab that is not shown a browser may let it look once a minute.
  static let longestSilence = 120
  /// A later look of the page is written only after so many seconds: other processes read the store after each write.
  static let seenPrecision = 30

  /// A device code that no browser waits with: a person may answer it at a terminal all the same.
  var isUntyped: Bool { browser == nil && brokerCall == nil && userCode != nil }

  var lifetime: Int { isUntyped ? DeviceAuthorization.lifetime : Self.pageLifetime }

  func isOver(at now: Instant) -> Bool { askedAt.seconds(until: now) >= lifetime }

  /// The code that another device shows, if the answer is for one (RFC 8628).
  var userCode: String? { request.userCode }

  /// Where the program listens for the answer, if that is a port of the browser's machine.
  var programPort: Int? { request.field("redirect_uri").flatMap(Self.loopbackPort) }
  /// Where the server listens that this request came to.
  var serverPort: Int? { Self.loopbackPort(request.origin) }

  private static func loopbackPort(_ url: String) -> Int? {
    guard let authority = URLParts(url)?.authority.lowercased(), let colon = authority.lastIndex(of: ":"),
      isLoopback(authority[..<colon])
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

  /// The keys of those that make way for a new one.
  ///
  /// They have expired, or are the oldest of its sort if there is no room for one more, or the device code that it is for.
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
