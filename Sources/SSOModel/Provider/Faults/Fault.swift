/// A fault that a user injects at the provider to test how an SDK handles it (docs/behaviour/silent-call.md
/// §3–§5).
///
/// Faults exist only in the lab. A fault represents an outage, a limit, or a decision of the real provider.
package struct Fault: Codable, Hashable, Sendable {
  /// The routes that a fault affects.
  package enum Endpoint: String, Codable, CaseIterable, Sendable {
    case any, discovery, configuration, authorize, token, logout
    case keys, userrealm, devicecode, devicepage, userinfo, revoke, introspect, register, arm, enroll,
      identity, graph, resource
    /// The methods of the broker on Linux.
    case brokerInteractive = "broker:acquireTokenInteractively"
    case brokerSilent = "broker:acquireTokenSilently"
    case brokerAccounts = "broker:getAccounts"
    case brokerRemoval = "broker:removeAccount"
    case brokerCookie = "broker:acquirePrtSsoCookie"
    case brokerSigning = "broker:generateSignedHttpRequest"
    case brokerCancelling = "broker:cancelInteractiveFlow"
    case brokerVersion = "broker:getLinuxBrokerVersion"
  }

  package var endpoint: Endpoint
  /// The client whose requests the fault affects, or `nil` for every client.
  package var clientID: String?
  package var kind: Kind
  /// The number of requests that the fault still affects, or `nil` until it is cleared.
  package var remaining: Int?

  package init(_ endpoint: Endpoint, _ kind: Kind, clientID: String? = nil, remaining: Int? = nil) {
    self.endpoint = endpoint
    self.clientID = clientID
    self.kind = kind
    self.remaining = remaining
  }

  /// Whether the fault can occur at its endpoint.
  ///
  /// The broker has only its own status numbers.
  package var fitsEndpoint: Bool {
    if case .brokerStatus = kind { return endpoint.isOfBroker }
    return !endpoint.isOfBroker
  }

  /// The text that describes the fault, such as `token: 503, client b6c6…, 2 more`.
  package var words: String {
    var words = "\(endpoint.rawValue): \(kind.text)"
    if let clientID { words += ", client \(clientID)" }
    if let remaining { words += ", \(remaining) more" }
    return words
  }

  /// Returns whether the fault affects a broker call.
  ///
  /// `method` is the broker's method, such as `acquireTokenSilently`.
  func matches(brokerMethod method: String, from clientID: String) -> Bool {
    endpoint.rawValue == Endpoint.brokerPrefix + method
      && (self.clientID.map { $0.lowercased() == clientID.lowercased() } ?? true)
  }

  func matches(_ request: HTTPRequest, from clientID: String?) -> Bool {
    guard endpoint == .any || endpoint == Endpoint(of: request) else { return false }
    return self.clientID.map { $0.lowercased() == clientID?.lowercased() } ?? true
  }
}

extension Fault.Endpoint {
  fileprivate static let brokerPrefix = "broker:"
  package var isOfBroker: Bool { rawValue.hasPrefix(Self.brokerPrefix) }

  /// Creates the endpoint to which `Provider.route` routes a request, or `any` if the path does not exist.
  init(of request: HTTPRequest) {
    self =
      switch request.route {
      case .instanceDiscovery: .discovery
      case .configuration, .foreignConfiguration: .configuration
      case .authorize, .login, .consent: .authorize
      case .token: .token
      case .logout: .logout
      case .keys, .forgedKeys, .forgedCertificate, .foreignKeys: .keys
      case .userRealm: .userrealm
      case .deviceCode: .devicecode
      case .devicePage: .devicepage
      case .userInfo: .userinfo
      case .revoke: .revoke
      case .introspect: .introspect
      case .register: .register
      case .tenants, .subscriptions: .arm
      case .enrollDevice: .enroll
      case .managedIdentity: .identity
      case .graph: .graph
      case .resource: .resource
      case nil: .any
      }
  }
}
