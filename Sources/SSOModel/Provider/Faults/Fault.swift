import SSOCore
import SSOReference

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
  package var displayText: String {
    var words = "\(endpoint.rawValue): \(kind.text)"
    if let clientID { words += ", client \(clientID)" }
    if let remaining { words += ", \(remaining) more" }
    return words
  }

  /// The failed check of a request that the fault affects.
  package var check: Check {
    Check(
      "no fault is set", expected: "none", found: displayText, false, source: "the lab's faults",
      failure: "a fault is set")
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
      case .authorize, .adminConsent, .login, .consent: .authorize
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
      case .resource, .resourceMetadata: .resource
      case nil: .any
      }
  }
}

extension Fault {
  /// The kind of failure.
  ///
  /// Its text is the same on the command line, in scenarios, and in the store.
  package enum Kind: Hashable, Sendable {
    /// `503`: the status 403, 404, 410, or any of 500 to 599.
    case status(Int)
    /// `429:30`: too many requests, with `Retry-After: 30`.
    case throttled(retryAfter: Int)
    /// `503:30`: temporarily unavailable, with `Retry-After: 30`.
    case unavailable(retryAfter: Int)
    /// `invalid_grant:bad_token`: an OAuth error, optionally with a suberror.
    case refused(OAuthErrorCode, suberror: String?)
    /// `unreachable`: no connection.
    case unreachable
    /// `slow:5`: the correct response, delayed by this number of seconds.
    case slow(seconds: Int)
    /// `hang`: the request is carried out, but no response ever arrives.
    case hang
    /// `truncated:100`: the correct response, cut off after this number of bytes of its body.
    case truncated(bytes: Int)
    /// `token:signature`: tokens are issued with a flaw.
    case token(TokenFlaw)
    /// `clock:-600`: the provider's clock is wrong by this number of seconds.
    case clock(seconds: Int)
    /// `keys:rollover`: a new key signs from now on.
    ///
    /// With `keys:forgotten`, the old key is no longer published.
    case keys(KeyChange)
    /// `2`: the broker on Linux returns this status.
    case brokerStatus(LinuxBrokerStatus)
    /// `require:mfa`: an interactive sign-in must satisfy the requirement; any other request fails with an
    /// error that asks for an interactive sign-in.
    case requires(Requirement)

    package enum TokenFlaw: String, CaseIterable, Sendable { case signature, issuer, expired }
    package enum KeyChange: String, CaseIterable, Sendable { case rollover, forgotten }
    package enum Requirement: String, CaseIterable, Codable, Sendable { case consent, mfa, device }

    /// The accepted texts, for error messages.
    package static let allowed = [
      "403", "404", "410", "500 to 599", "429", "429:SECONDS", "503:SECONDS", "unreachable", "slow:SECONDS",
      "hang",
      "truncated:BYTES",
      "token:\(displayText(of: TokenFlaw.self))", "clock:SECONDS", "keys:\(displayText(of: KeyChange.self))",
      "require:\(displayText(of: Requirement.self))", "0 to 21 at broker:METHOD", "invalid_grant",
      "invalid_grant:SUBERROR",
      "any other OAuth error",
    ]

    private static func displayText<Word: CaseIterable & RawRepresentable<String>>(of type: Word.Type)
      -> String
    {
      type.allCases.map(\.rawValue).joined(separator: "|")
    }

    /// Creates a fault from its text, or returns `nil` if the text is not in `allowed`.
    package init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let detail = parts.count > 1 ? parts[1] : nil
      let number = detail.flatMap { Int($0) }
      let kind: Kind? =
        switch (parts[0], detail) {
        case ("unreachable", nil): .unreachable
        case ("hang", nil): .hang
        case ("429", nil): .throttled(retryAfter: 60)
        case ("429", _): Self.within(0...86_400, number).map { .throttled(retryAfter: $0) }
        case ("503", _?): Self.within(0...86_400, number).map { .unavailable(retryAfter: $0) }
        case ("slow", _): Self.within(1...3600, number).map { .slow(seconds: $0) }
        case ("truncated", nil): .truncated(bytes: 20)
        case ("truncated", _): Self.within(0...65_536, number).map { .truncated(bytes: $0) }
        case ("clock", _): Self.within(-31_536_000...31_536_000, number).map { .clock(seconds: $0) }
        case ("token", let detail?): TokenFlaw(rawValue: detail).map { .token($0) }
        case ("keys", let detail?): KeyChange(rawValue: detail).map { .keys($0) }
        case ("require", let detail?): Requirement(rawValue: detail).map { .requires($0) }
        default:
          if let status = Self.within(500...599, Int(text)) ?? Self.within(403...404, Int(text))
            ?? Self.within(410...410, Int(text))
          {
            .status(status)
          } else if let status = Int(text).flatMap(LinuxBrokerStatus.init(number:)) {
            .brokerStatus(status)
          } else if let code = OAuthErrorCode(text: parts[0]), Self.isSuberror(detail) {
            .refused(code, suberror: detail)
          } else {
            nil
          }
        }
      guard let kind else { return nil }
      self = kind
    }

    private static func within(_ range: ClosedRange<Int>, _ number: Int?) -> Int? {
      number.flatMap { range.contains($0) ? $0 : nil }
    }

    /// Returns whether a text consists of letters, digits, and underscores, as suberrors do.
    private static func isSuberror(_ text: String?) -> Bool {
      guard let text else { return true }
      return (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy {
          $0 == 0x5F || Character(Unicode.Scalar($0)).isLetter && $0 < 0x80
            || (0x30...0x39).contains($0)
        }
    }

    package var text: String {
      switch self {
      case .status(let status): String(status)
      case .throttled(let seconds): "429:\(seconds)"
      case .unavailable(let seconds): "503:\(seconds)"
      case .refused(let code, let suberror): code.text + (suberror.map { ":" + $0 } ?? "")
      case .unreachable: "unreachable"
      case .slow(let seconds): "slow:\(seconds)"
      case .hang: "hang"
      case .truncated(let bytes): "truncated:\(bytes)"
      case .token(let flaw): "token:\(flaw.rawValue)"
      case .clock(let seconds): "clock:\(seconds)"
      case .keys(let change): "keys:\(change.rawValue)"
      case .brokerStatus(let status): String(status.number)
      case .requires(let requirement): "require:\(requirement.rawValue)"
      }
    }
  }
}

extension Fault.Kind: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let kind = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a kind of fault")
    }
    self = kind
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
