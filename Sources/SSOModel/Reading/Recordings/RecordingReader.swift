import SSOCore
import SSOProvider
import SSOReference
import SafeText

/// A reader that turns a recording into one trace (docs/behaviour/real-logs.md §5).
///
/// The trace has each request to the provider, and each request with a token, with the checks that the protocol
/// requires.
package struct RecordingReader {
  /// The maximum number of hops to keep; further hops are only counted.
  static let mostHops = 1000
  /// The name of the check of an app's own response to the provider's.
  package static let appResponse = "the app's response"

  private let file: HARFile
  private let providers: Set<String>
  private let redirectURIs: RecordedRedirectURIs
  /// The number of the last request whose response delivers a code.
  private let lastCode: Int
  private var signIns: [RecordedSignIn] = []
  /// The newest sign-in with a code, and with a state, because a recording can have thousands.
  private var (signInOfCode, signInOfState): ([String: Int], [String: Int]) = ([:], [:])
  private var earlierRequests = RecordedRequestTimes()
  private var hops: [Hop] = []
  private var hopsLeftOut = 0
  private var otherCount = 0
  private var failedCheck: Check?
  private var error: LoggedError?
  private var tokenCount = 0
  private var isClockChecked = false
  private var firstAt: Instant?
  private var correlationID = ""

  package init(_ file: HARFile) {
    self.file = file
    let authorizations = file.exchanges.map(\.request).filter {
      $0.field("client_id") != nil && $0.path.lowercased().hasSuffix("/authorize")
    }
    let tokenRequests = file.exchanges.map(\.request).filter { $0.form["grant_type"] != nil }
    // A request that Entra refused may lack what makes it an OAuth request.
    let known = file.exchanges.filter { PublicCloud.aliases.contains($0.url.host.lowercased()) }.map(
      \.request)
    providers = Set((authorizations + tokenRequests + known).map(\.origin))
    redirectURIs = RecordedRedirectURIs(
      (authorizations + tokenRequests).compactMap { $0.field("redirect_uri") })
    lastCode =
      file.exchanges.last { RecordedAnswer(of: $0.response, from: $0.url)?.code != nil }?.number ?? 0
  }

  /// Reads all requests, and checks them in order.
  package consuming func read() -> RecordingReading {
    for exchange in file.exchanges { add(exchange) }
    let outcome = outcome
    let title = signIns.isEmpty ? "a recording without a sign-in" : "sign-in of \(signIns[0].clientID)"
    return RecordingReading(
      trace: Trace(
        summary: TraceSummary(
          id: 1, title: title, correlationID: correlationID, at: firstAt ?? Instant(0),
          verdict: outcome?.verdict.rawValue ?? "", summary: outcome?.summary ?? "no token was asked for",
          hopCount: hops.count + hopsLeftOut),
        hops: hops, outcome: outcome),
      requestCount: file.exchanges.count, otherCount: otherCount, unreadable: file.unreadable,
      lacksCookies: file.lacksCookies)
  }

  private var outcome: Outcome? {
    if let failedCheck {
      let words = "\(failedCheck.name): expected \(failedCheck.expected), found \(failedCheck.found)"
      let remedy = Explanation.ofError(
        [error?.displayText, error?.text, failedCheck.found].compactMap(\.self).joined(separator: " ")
      )
      .first?.remedyOutside
      return Outcome(
        .failed, "The first check that failed: \(words).", errorText: error?.text, failedCheck: failedCheck,
        next: remedy ?? failedCheck.advice.map { Advice($0) })
    }
    return tokenCount > 0 ? Outcome(.succeeded, "Tokens were given, and every check passed.") : nil
  }

  // MARK: - One request

  private mutating func add(_ exchange: RecordedExchange) {
    let purpose = RecordedPurpose(exchange, providers: providers, redirectURIs: redirectURIs)
    guard purpose != .other else {
      otherCount += 1
      return
    }
    if firstAt == nil { firstAt = exchange.at }
    if correlationID.isEmpty { correlationID = exchange.request.correlationID ?? "" }
    let isPage = exchange.request.method == "GET" && purpose != .resource
    var hop = Hop(
      from: isPage || purpose == .page ? .system : .app, to: purpose == .redirectURI ? .app : .provider,
      actor: purpose.displayText, action: "\(exchange.request.method) \(Self.place(exchange))",
      result: exchange.response.status == 0 ? "no answer" : "\(exchange.response.status)")
    hop.sent = [NameValue("entry \(exchange.number)\(time(exchange))", exchange.url.origin)]
    let checker = RecordedChecks(
      exchange, lacksCookies: file.lacksCookies, isFollowedByCode: exchange.number < lastCode)
    switch purpose {
    case .endpoint(.authorize): authorize(exchange, &hop, checker)
    case .endpoint(.token): token(exchange, &hop, checker)
    case .endpoint(.deviceCode): hop.sent += exchange.request.shownFields
    case .endpoint(.managedIdentity):
      hop.sent += exchange.request.shownFields
      let (checks, hasTokens) = checker.tokenResponse(nil)
      hop.checks += checks
      if hasTokens { tokenCount += 1 }
    case .redirectURI:
      answered(RecordedAnswer(of: exchange), exchange, &hop)
      hop.checks += checker.delivery()
    case .resource, .endpoint(.userInfo), .endpoint(.tenants), .endpoint(.subscriptions):
      hop.checks += checker.resource()
    default: break
    }
    if purpose != .redirectURI, purpose != .resource {
      answered(RecordedAnswer(of: exchange.response, from: exchange.url), exchange, &hop)
      if case .endpoint(.token) = purpose {} else { hop.checks += checker.errorPage() }
    }
    if !isClockChecked, let check = checker.clock() {
      isClockChecked = true
      hop.checks.append(check)
    }
    append(hop)
  }

  private mutating func authorize(_ exchange: RecordedExchange, _ hop: inout Hop, _ checker: RecordedChecks) {
    let signIn = RecordedSignIn(exchange)
    hop.sent += exchange.request.namingHeaders + exchange.request.shownFields
    hop.checks += checker.authorization(signIn, recent: earlierRequests.addAndCount(signIn))
    if let state = signIn.state { signInOfState[state] = signIns.count }
    signIns.append(signIn)
  }

  private mutating func token(_ exchange: RecordedExchange, _ hop: inout Hop, _ checker: RecordedChecks) {
    // Only a page has an origin, and it decides which redirect URIs are usable.
    if let origin = exchange.request.header("Origin") { hop.sent.append(NameValue("Origin", origin)) }
    hop.sent += exchange.request.namingHeaders + exchange.request.shownFields
    var signIn: RecordedSignIn?
    if let code = exchange.request.form["code"] {
      let place = signInOfCode[code] ?? (signIns.count == 1 ? 0 : nil)
      if let place {
        hop.checks += checker.redemption(of: code, signIns[place])
        signIns[place].redeemedCodes.insert(code)
        signIn = signIns[place]
      }
    }
    let (checks, hasTokens) = checker.tokenResponse(signIn)
    hop.checks += checks
    if hasTokens { tokenCount += 1 }
  }

  /// Adds the checks of the authorization endpoint's response, where it occurs first.
  private mutating func answered(_ answer: RecordedAnswer?, _ exchange: RecordedExchange, _ hop: inout Hop) {
    guard let answer else { return }
    // The redirect and the request that follows it have the same code.
    if let code = answer.code, signInOfCode[code] != nil { return }
    let byState = answer.state.flatMap { signInOfState[$0] }
    guard let place = byState ?? signIns.indices.last else { return }
    if let code = answer.code { signInOfCode[code] = place }
    hop.checks += RecordedChecks(exchange, lacksCookies: file.lacksCookies).answer(answer, signIns[place])
  }

  private mutating func append(_ hop: Hop) {
    if failedCheck == nil, let failed = hop.checks.first(where: { $0.verdict == .failed }) {
      failedCheck = failed
      error = LoggedError(failed.found)
    }
    guard hops.count < Self.mostHops else {
      hopsLeftOut += 1
      return
    }
    hops.append(hop)
  }

  private static func place(_ exchange: RecordedExchange) -> String {
    LogText.shown(exchange.request.path.isEmpty ? exchange.url.scheme + ":" : exchange.request.path)
  }

  private func time(_ exchange: RecordedExchange) -> String {
    guard let at = exchange.at, let firstAt else { return "" }
    return ", +\(firstAt.seconds(until: at)) s"
  }
}

/// The result of reading a recording.
package struct RecordingReading: Sendable {
  package var trace: Trace
  package var requestCount: Int
  /// The number of requests that have nothing to do with a sign-in.
  package var otherCount: Int
  package var unreadable: Int
  package var lacksCookies: Bool
}

extension HTTPRequest {
  fileprivate var correlationID: String? { header("client-request-id") ?? field("client-request-id") }

  /// The headers with which an SDK names itself, unless a field does (MSAL for iOS and Android send headers).
  fileprivate var namingHeaders: [NameValue] {
    ["x-client-SKU", "x-client-Ver", "x-client-OS"].compactMap { name in
      field(name) == nil ? header(name).map { NameValue(name, LogText.shown($0)) } : nil
    }
  }

  /// The fields of the query and the form, with secrets replaced with their hashes.
  var shownFields: [NameValue] {
    (query + form).prefix(40).map { NameValue($0.name, RecordingRedaction.shown($0.name, $0.value)) }
  }
}

extension RecordedAnswer {
  /// Creates the answer that a request delivers to the redirect URI, or returns `nil` if it delivers nothing.
  fileprivate init?(of exchange: RecordedExchange) {
    if let answer = RecordedAnswer(exchange.url) {
      self = answer
    } else {
      self.init(fields: exchange.request.form, target: exchange.url)
    }
  }
}

/// The purpose of a request in a recording (docs/behaviour/real-logs.md §5).
enum RecordedPurpose: Hashable {
  /// A request to the provider: an endpoint or, in the next case, a page between the authorization request and its
  /// response.
  case endpoint(Route)
  case page
  /// The redirect URI of an authorization request.
  case redirectURI
  /// An API, called with a token.
  case resource
  case other

  var displayText: String {
    switch self {
    case .endpoint(let route): Self.displayText(route)
    case .page: "page of the provider"
    case .redirectURI: "answer to the app"
    case .resource: "API"
    case .other: ""
    }
  }

  private static func displayText(_ route: Route) -> String {
    switch route {
    case .authorize: "authorization endpoint"
    case .adminConsent: "admin consent endpoint"
    case .login: "sign-in page"
    case .consent: "consent page"
    case .token: "token endpoint"
    case .deviceCode: "device code"
    case .devicePage: "device code page"
    case .logout: "sign-out"
    case .instanceDiscovery: "instance discovery"
    case .configuration: "OpenID configuration"
    case .keys: "signing keys"
    case .userRealm: "user realm"
    case .enrollDevice: "device registration"
    case .userInfo: "user info"
    case .revoke: "revocation"
    case .introspect: "introspection"
    case .register: "client registration"
    case .tenants, .subscriptions: "Azure Resource Manager"
    case .forgedKeys, .forgedCertificate: "keys of forged tokens"
    case .managedIdentity: "managed identity"
    case .foreignConfiguration: "another provider's configuration"
    case .foreignKeys: "another provider's keys"
    case .graph, .resource: "API"
    case .resourceMetadata: "metadata of an API"
    }
  }

  /// Pages of Entra and ADFS between the request and the response.
  private static let pages = [
    "/kmsi", "/login", "/appverify", "/processauth", "/consent/set", "/getcredentialtype",
    "/ppsecure/post.srf",
    "/sas/", "/reprocess", "/federation/oauth2", "/adfs/ls", "/devicecode", "/resume", "/login.srf",
  ]

  init(_ exchange: RecordedExchange, providers: Set<String>, redirectURIs: RecordedRedirectURIs) {
    let request = exchange.request
    if redirectURIs.contains(request, exchange.url) {
      self = .redirectURI
    } else if let route = request.route, Self.isLikely(route, request, providers) {
      self = .endpoint(route)
    } else if request.path.lowercased().hasSuffix("/token"), request.form["grant_type"] != nil {
      self = .endpoint(.token)
    } else if request.path.lowercased().hasSuffix("/authorize"), request.query["client_id"] != nil {
      self = .endpoint(.authorize)
    } else if providers.contains(request.origin),
      request.method == "POST" || Self.pages.contains(where: { request.path.lowercased().contains($0) })
        || RecordedAnswer(of: exchange.response, from: exchange.url) != nil
    {
      self = .page
    } else if request.header("Authorization")?.lowercased().hasPrefix("bearer ") == true
      || request.header("Authorization")?.lowercased().hasPrefix("pop ") == true
    {
      self = .resource
    } else {
      self = .other
    }
  }

  /// Returns whether a request is likely to be for a route, because a path such as `/x/login` may be the app's own.
  private static func isLikely(_ route: Route, _ request: HTTPRequest, _ providers: Set<String>) -> Bool {
    switch route {
    case .login, .consent, .tenants, .subscriptions: providers.contains(request.origin)
    // APIs are recognised by their token.
    case .graph, .resource: false
    case .authorize, .adminConsent, .token:
      request.field("client_id") != nil || request.field("grant_type") != nil
        || providers.contains(request.origin)
    default: true
    }
  }
}

/// The redirect URIs of a recording's requests, in which an empty path equals `/`.
struct RecordedRedirectURIs {
  private let texts: Set<String>
  private let places: Set<String>

  init(_ texts: [String]) {
    self.texts = Set(texts)
    places = Set(self.texts.compactMap { URLParts($0).map(Self.place) })
  }

  fileprivate func contains(_ request: HTTPRequest, _ url: URLParts) -> Bool {
    texts.contains(request.origin + request.path) || texts.contains(url.scheme + ":" + url.path)
      || places.contains(Self.place(url))
  }

  private static func place(_ url: URLParts) -> String { url.origin + (url.path.isEmpty ? "/" : url.path) }
}

/// The times of a recording's authorization requests, by the values that make two of them the same to a user.
struct RecordedRequestTimes {
  private var times: [String: [Instant]] = [:]

  /// Adds a request, and returns the number of identical requests within a loop's time before it, or `nil` if its time
  /// is unknown.
  ///
  /// The entries of a recording are in order of time, except for requests of several tabs, so a time that is too
  /// early for one request is too early for the next.
  mutating func addAndCount(_ signIn: RecordedSignIn) -> Int? {
    guard let at = signIn.at else { return nil }
    var earlier = times[signIn.identity] ?? []
    earlier.removeAll { $0.seconds(until: at) > RecordedChecks.loop.seconds }
    let count = earlier.count
    earlier.append(at)
    // A count above a loop's need not be exact.
    times[signIn.identity] = Array(earlier.suffix(RecordedChecks.loop.count * 100))
    return count
  }
}

/// An authorization request of a recording, with the values to compare with its response and its token request.
struct RecordedSignIn {
  var at: Instant?
  var clientID: String
  var redirectURI: String?
  var state: String?
  var nonce: String?
  var challenge: String?
  var challengeMethod: String?
  var isSilent: Bool
  /// Everything that makes two requests the same to a user, without what changes each time.
  var identity: String
  var redeemedCodes: Set<String> = []

  init(_ exchange: RecordedExchange) {
    let request = exchange.request
    at = exchange.at
    clientID = request.field("client_id") ?? ""
    redirectURI = request.field("redirect_uri")
    state = request.field("state")
    nonce = request.field("nonce")
    challenge = request.field("code_challenge")
    challengeMethod = request.field("code_challenge_method")
    isSilent = request.field("prompt") == "none"
    identity = [
      request.path, clientID, redirectURI ?? "", request.field("scope") ?? "", request.field("prompt") ?? "",
    ]
    .joined(separator: " ")
  }
}

/// A response of the authorization endpoint, in a redirect's query or fragment, or in a form that submits itself.
struct RecordedAnswer {
  var fields: [NameValue]
  /// The target of the response, without its query and fragment.
  var target: String

  var code: String? { fields["code"] }
  var state: String? { fields["state"] }
  var error: String? { fields["error"] }

  /// Creates the answer in an HTTP response, or returns `nil` if the response does not contain one.
  init?(of response: HTTPResponse, from url: URLParts) {
    if let location = response.location {
      // A redirect to a path alone stays at the provider.
      guard let target = URLParts(location) else { return nil }
      self.init(target)
      return
    }
    guard let form = HTMLForm(response.body), let target = URLParts(form.action), target.origin != url.origin
    else {
      return nil
    }
    self.init(fields: form.fields, target: target)
  }

  init?(_ target: URLParts) {
    let fields =
      (FormEncoding.decode(target.query ?? "") ?? []) + (FormEncoding.decode(target.fragment ?? "") ?? [])
    self.init(fields: fields, target: target)
  }

  init?(fields: [NameValue], target: URLParts) {
    guard fields["code"] != nil || fields["error"] != nil || fields["id_token"] != nil else { return nil }
    var target = target
    target.removeUserInfo()
    self.fields = fields
    self.target = target.origin + target.path
  }
}

/// The form of a page that submits itself: `<form action="…">` with hidden inputs, to the extent that `form_post`
/// requires.
struct HTMLForm {
  private(set) var action = ""
  private(set) var fields: [NameValue] = []

  init?(_ body: some Collection<UInt8>) {
    guard body.count < 262_144 else { return nil }
    let text = String(decoding: body, as: UTF8.self)
    for tag in text.split(separator: "<").prefix(2000) {
      let attributes = Self.attributes(tag.prefix { $0 != ">" })
      if tag.lowercased().hasPrefix("form"), let action = attributes["action"] { self.action = action }
      if tag.lowercased().hasPrefix("input"), let name = attributes["name"], !action.isEmpty {
        fields.append(NameValue(name, attributes["value"] ?? ""))
      }
    }
    guard !action.isEmpty, !fields.isEmpty else { return nil }
  }

  private static func attributes(_ tag: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = tag[...]
    while let sign = rest.firstRange(of: "=\"") {
      let name =
        rest[..<sign.lowerBound].split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
      rest = rest[sign.upperBound...]
      let end = rest.firstIndex(of: "\"") ?? rest.endIndex
      found[name] = Escaping.readingEntities(rest[..<end])
      rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
    }
    return found
  }
}
