import SSODevice

/// The values that a scan finds, as code writes them.
extension SourceScan {
  /// A value as written in code.
  indirect enum Expression: Hashable, Sendable {
    case text(String)
    /// The last part of a name, such as `clientID` in `Constants.shared.clientID`.
    case name(String)
    /// The last part of a name that is a member of a value, such as `clientID` in `settings.clientID`, which may be
    /// another one's.
    case member(String)
    /// A key of Info.plist, whose value code reads at run time.
    case infoKey(String)
    /// A key of a dictionary, which code may read from a property list of the app.
    case listKey(String)
    /// The name of a case in an enumeration, whose raw value is used.
    case rawValue(String)
    /// The parts of a concatenation.
    case joined([Expression])
    /// A format with `%@`, and its arguments.
    case format(Expression, [Expression])
    case absent
    case other

    var isKnown: Bool { self != .other }
  }

  enum Key: Hashable {
    case clientID, redirectURI, authority, keychainGroup, brokerUse, bypass, knownAuthority, tenantSubdomain
  }

  /// The scopes of a request: a list in the call, or the name of one.
  enum Scopes: Hashable {
    case list(FoundList)
    case name(String)
  }

  struct Use: Hashable {
    var key: Key
    var expression: Expression
    var place: FilePlace
    /// The class that creates the authority, if the value is an authority.
    var className: String?
  }
}
