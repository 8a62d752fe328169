import Essentials
import NIOHTTP1
import SSOCore
import SSOLab
import SSOProvider
import SSOReference
import SSOStore

/// The HTTP response to send over the socket, and its entry in the log.
struct SocketResponse {
  var http: HTTPResponse
  var client = ""
  var result: String
  /// The delivery of the response, which is `whole` unless a fault damages it.
  var delivery = Delivery.whole
  /// Whether the request came from the waiting page, which reloads automatically.
  ///
  /// Such a request is not logged.
  var isPoll = false

  /// Creates a response from the lab's response, with its page as HTML.
  init(_ served: ServedAnswer, for request: HTTPRequest) {
    http = served.answer.http
    client = served.client
    result = served.result
    isPoll = served.waiting != nil
    delivery = served.answer.delivery
    if http.status == 404, http.body.isEmpty, served.answer.page == nil {
      self = .nothing
      return
    }
    if let waiting = served.waiting {
      draw(Document(waiting, url: request.url))
    } else if let page = served.answer.page {
      let tenant = request.path.split(separator: "/").first.map(String.init)
      draw(Document(page, tenant: tenant ?? "common"))
    }
    // The hidden frame of a browser app is redirected (prompt=none), and a redirect shows nothing that must not be
    // framed.
    let isRedirect = (300..<400).contains(http.status)
    http.headers += Self.securityHeaders.filter { !isRedirect || $0.name != Self.framing }
  }

  private mutating func draw(_ document: Document) {
    http.body = Data(document.html.utf8)
    http.headers.append(NameValue("Content-Security-Policy", document.contentSecurityPolicy))
  }

  private init(_ http: HTTPResponse, result: String) {
    self.http = http
    self.result = result
    self.http.headers += Self.securityHeaders
  }

  static func page(_ document: Document, status: Int = 200) -> SocketResponse {
    SocketResponse(
      HTTPResponse(
        status,
        headers: [
          NameValue("Content-Type", "text/html; charset=utf-8"),
          NameValue("Content-Security-Policy", document.contentSecurityPolicy),
        ], body: Data(document.html.utf8)), result: "\(status)")
  }

  /// Creates the response to a request that the socket rejects, in the form of an OAuth error so that clients show it.
  static func refused(_ status: Int, _ reason: String, closes: Bool = false) -> SocketResponse {
    let body: JSONValue = ["error": "invalid_request", "error_description": .string(reason)]
    return SocketResponse(
      HTTPResponse(
        status,
        headers: [NameValue("Content-Type", "application/json"), NameValue("Cache-Control", "no-store")]
          + (closes ? [NameValue("Connection", "close")] : []),
        body: body.bytes(.wire)), result: "\(status)")
  }

  /// Creates a response with a JSON document.
  static func json(_ status: Int, _ document: JSONValue, result: String) -> SocketResponse {
    SocketResponse(
      HTTPResponse(
        status,
        headers: [NameValue("Content-Type", "application/json"), NameValue("Cache-Control", "no-store")],
        body: document.bytes(.wire)), result: "\(status) \(result)")
  }

  /// Creates the response to a request that cannot be parsed, in the form of the provider's errors: a page at the endpoints of
  /// browsers and for a browser, which asks for HTML, and JSON for a program.
  static func refused(_ error: OAuthError, of head: HTTPRequestHead, at now: Instant) -> SocketResponse {
    let correlationID = UUID().uuidString.lowercased()
    let path = head.uri.prefix { $0 != "?" }
    let route = HTTPRequest(head.method.rawValue, origin: "", path: String(path)).route
    let asksForPage = head.method == .GET && head.headers["Accept"].contains { $0.contains("text/html") }
    guard asksForPage || route == .authorize || route == .adminConsent || route == .logout else {
      let body = OAuthErrorBody(
        error, traceID: UUID().uuidString.lowercased(), correlationID: correlationID, now: now)
      return SocketResponse(body.response(), result: "400 \(error.code.text)")
    }
    let page = ErrorPage(error, correlationID: correlationID)
    return .page(Document(.error(page), tenant: "common"), status: 400)
  }

  static var nothing: SocketResponse { refused(404, "No endpoint has this address.") }

  static func options(_ response: HTTPResponse) -> SocketResponse {
    SocketResponse(response, result: "\(response.status)")
  }

  /// The response to an OPTIONS request for the server's own pages (RFC 9110 §9.3.7).
  static var ownPageOptions: SocketResponse {
    options(HTTPResponse(204, headers: [NameValue("Allow", pageMethods)]))
  }

  private static let pageMethods = "GET, HEAD, OPTIONS"

  static var notAllowed: SocketResponse {
    var answer = refused(405, "This endpoint accepts only GET.")
    answer.http.headers.append(NameValue("Allow", pageMethods))
    return answer
  }

  /// Creates the response for an error of the store.
  ///
  /// Nothing was written, so the client may try again.
  static func failed(_ error: any Error) -> SocketResponse {
    let words = (error as? StoreError)?.what ?? (error as? LabError)?.what ?? "The lab could not answer."
    var answer = refused(503, words)
    answer.result = "503 " + words
    return answer
  }

  /// The security headers, which forbid type sniffing, framing, and sending a referrer to other origins.
  ///
  /// A URL may contain an authorization code. With `no-referrer`, a browser would send `Origin: null` with the pages'
  /// own forms (Fetch, "append a request Origin header").
  private static let securityHeaders = [
    NameValue("X-Content-Type-Options", "nosniff"), NameValue(framing, "DENY"),
    NameValue("Referrer-Policy", "same-origin"),
  ]

  private static let framing = "X-Frame-Options"
}

extension [WaitingSignIn] {
  /// Returns the sign-ins in a new order, with those last whose program or server has ended, marked as such.
  ///
  /// Only their own machine can tell. A program waits for its answer on its own port, but a program in a container may
  /// listen where this process cannot see it. A mark is therefore only a hint, and every sign-in can still be answered.
  package func markedIfEnded() -> [WaitingSignIn] {
    let marked = map { waiting in
      var marked = waiting
      marked.ended = waiting.endedPort ?? waiting.ended
      return marked
    }
    let (waiting, ended) = (marked.filter { $0.ended == nil }, marked.filter { $0.ended != nil })
    return waiting + ended
  }

  /// The number of sign-ins whose program or page still waits for the answer.
  var countOfOpen: Int { markedIfEnded().count { $0.ended == nil } }
}

extension LabStatus {
  /// Returns ``Lab/status()`` without the sign-ins whose program or server has ended.
  /// - Throws: `StoreError` if the store cannot be read.
  package static func ofThisMachine(_ lab: Lab) throws -> LabStatus {
    var status = try lab.status()
    if status.waitingCount > 0 {
      status.waitingCount = try lab.read { try $0.provider.waitingSignIns() }.countOfOpen
    }
    return status
  }
}

extension WaitingSignIn {
  fileprivate var endedPort: String? {
    guard machine == .own else { return nil }
    if let programPort, FreePort.isTaken(programPort) == false {
      return "its program has ended: nothing listens on port \(programPort)"
    }
    if let serverPort, FreePort.isTaken(serverPort) == false {
      return "its server has ended: nothing listens on port \(serverPort)"
    }
    return nil
  }
}
