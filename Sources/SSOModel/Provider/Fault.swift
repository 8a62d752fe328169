/// A failure that a person sets at the provider, to see what an SDK makes of it (fact sheet §4.1(6)–(7)).
///
/// Our own: nothing at Entra is like it. A fault stands for an outage, a limit or a decision of the real provider.
public struct Fault: Codable, Hashable, Sendable {
  /// Which routes it hits.
  public enum Endpoint: String, Codable, CaseIterable, Sendable {
    case any, discovery, configuration, authorize, token, logout
  }

  public var endpoint: Endpoint
  /// Only requests that name this client; nil: everybody's.
  public var clientID: String?
  public var kind: Kind
  /// How many more requests it hits; nil: all until it is cleared.
  public var remaining: Int?

  public init(_ endpoint: Endpoint, _ kind: Kind, clientID: String? = nil, remaining: Int? = nil) {
    self.endpoint = endpoint
    self.clientID = clientID
    self.kind = kind
    self.remaining = remaining
  }

  /// `token: 503, client b6c6…, 2 more`
  public var words: String {
    var words = "\(endpoint.rawValue): \(kind.text)"
    if let clientID { words += ", client \(clientID)" }
    if let remaining { words += ", \(remaining) more" }
    return words
  }

  func hits(_ request: HTTPRequest) -> Bool {
    guard endpoint == .any || endpoint == Endpoint(of: request) else { return false }
    return clientID.map { $0.lowercased() == request.field("client_id")?.lowercased() } ?? true
  }
}

extension Fault.Endpoint {
  /// The route of a request, as `Provider.route` takes it; `any` for one without a name here.
  init(of request: HTTPRequest) {
    let path = request.path
    self =
      if path.hasSuffix("/discovery/instance") {
        .discovery
      } else if path.hasSuffix("/openid-configuration") {
        .configuration
      } else if path.hasSuffix("/authorize") || path.hasSuffix("/login") || path.hasSuffix("/consent") {
        .authorize
      } else if path.hasSuffix("/token") {
        .token
      } else if path.hasSuffix("/logout") {
        .logout
      } else {
        .any
      }
  }
}
