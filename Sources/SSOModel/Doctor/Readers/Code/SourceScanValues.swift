import SSODevice

/// The values that a scan finds, as code writes them.
extension SourceScan {
  /// A value as written in code.
  indirect enum Expression: Hashable, Sendable {
    case text(String)
    /// The last part of a name, and the type to which it belongs, such as `clientID` of `Constants` in
    /// `Constants.shared.clientID`.
    case name(String, of: String? = nil)
    /// The last part of a name that is a member of a value, such as `clientID` in `settings.clientID`, which may be
    /// another one's.
    case member(String)
    /// A key of Info.plist, whose value code reads at run time.
    case infoKey(String)
    /// A key that code passes to a function, which may read Info.plist by it.
    case infoCall(String, key: String)
    /// A key of a dictionary, which code may read from a property list of the app.
    case listKey(String)
    /// A parameter of a function, as `function:label`, for which calls pass values, and its default value.
    case parameter(String, usual: Expression)
    /// The name of a case in an enumeration, whose raw value is used.
    case rawValue(String)
    /// The parts of a concatenation.
    case joined([Expression])
    /// A format with `%@`, and its arguments.
    case format(Expression, [Expression])
    case absent
    case other

    var isKnown: Bool { self != .other }

    /// Whether it is the name of something.
    var isNamed: Bool {
      switch self {
      case .name, .member: true
      default: false
      }
    }

    /// Creates the expression of the words of a name, which dots join.
    init(_ words: [String]) {
      let own = ["self", "Self", "super"].contains(words.first ?? "") ? words.dropFirst() : words[...]
      guard let name = own.last else {
        self = .other
        return
      }
      let isOfValue = own.count > 1 && own.first?.first?.isLowercase == true
      self =
        isOfValue ? .member(name) : .name(name, of: own.dropLast().last { $0.first?.isUppercase == true })
    }
  }

  enum Key: Hashable {
    case clientID, redirectURI, authority, keychainGroup, brokerUse, bypass, knownAuthority, tenantSubdomain
  }

  /// The scopes of a request: a list in the call, or the name of one.
  enum Scopes {
    case list(List)
    case name(Declaration)
  }

  /// A delegate method that uses the URL which the system passes to it.
  struct Forwarder {
    var method: Found<URLForwarding>
    /// Whether it may pass the URL to another delegate.
    var isRelay: Bool
    /// The functions to which it passes the URL.
    var callees: Set<String> = []
    /// The token after which its body begins.
    var body: Int
  }

  struct Use {
    var key: Key
    var expression: Expression
    var place: FilePlace
    var block: Int
    /// The class that creates the authority, if the value is an authority.
    var className: String?
  }
}
