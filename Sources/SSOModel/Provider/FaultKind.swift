extension Fault {
  /// What the provider answers instead. Its text is the same on the command line, in scenarios and in the store.
  public enum Kind: Hashable, Sendable {
    /// `503`: any of 500 to 599.
    case status(Int)
    /// `429:30`: too many requests, with `Retry-After: 30`.
    case throttled(retryAfter: Int)
    /// `invalid_grant:bad_token`: an OAuth error, with a suberror or without.
    case refused(OAuthError.Code, suberror: String?)
    /// `unreachable`: no connection.
    case unreachable

    /// What may be written, for error messages.
    public static let allowed = [
      "500 to 599", "429", "429:SECONDS", "unreachable", "invalid_grant", "invalid_grant:SUBERROR",
      "any other OAuth error",
    ]

    /// Nil if the text is none of `allowed`.
    public init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let detail = parts.count > 1 ? parts[1] : nil
      if text == "unreachable" {
        self = .unreachable
      } else if let status = Int(text), (500...599).contains(status) {
        self = .status(status)
      } else if parts[0] == "429", let seconds = Int(detail ?? "60"), (0...86_400).contains(seconds) {
        self = .throttled(retryAfter: seconds)
      } else if let code = OAuthError.Code(rawValue: parts[0]), Self.isSuberror(detail) {
        self = .refused(code, suberror: detail)
      } else {
        return nil
      }
    }

    /// Suberrors are words of small letters, digits and underscores.
    private static func isSuberror(_ text: String?) -> Bool {
      guard let text else { return true }
      return (1...64).contains(text.utf8.count)
        && text.unicodeScalars.allSatisfy {
          $0 == "_" || ("0"..."9").contains($0) || ("a"..."z").contains($0)
        }
    }

    public var text: String {
      switch self {
      case .status(let status): String(status)
      case .throttled(let seconds): "429:\(seconds)"
      case .refused(let code, let suberror): code.rawValue + (suberror.map { ":" + $0 } ?? "")
      case .unreachable: "unreachable"
      }
    }
  }
}

extension Fault.Kind: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let kind = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no kind of fault")
    }
    self = kind
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
