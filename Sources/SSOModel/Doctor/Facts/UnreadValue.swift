import SSODevice

/// A value that is set in code that was not read: a variable, or a wrapper's Dart or TypeScript.
///
/// A failure that depends on such a value is not certain to be the project's own.
package struct UnreadValue: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case clientID = "client ID"
    case redirectURI = "redirect URI"
    case authority
  }

  package var kind: Kind
  /// The line with the variable, or the file that brings the wrapper.
  package var place: FilePlace

  package init(_ kind: Kind, _ place: FilePlace) { (self.kind, self.place) = (kind, place) }
}

extension ProjectApp {
  /// The values that were not read.
  package var unread: [UnreadValue] {
    let values =
      switch self {
      case .apple(let facts): facts.unreadValues
      case .android(let facts): facts.unreadValues
      }
    return isForCustomers || isForUserFlow ? values.filter { $0.kind != .authority } : values
  }

  /// Whether the app is for customers, although the address of its authority does not show it: the class or the type of
  /// the authority does, or native authentication.
  package var isForCustomers: Bool {
    switch self {
    case .apple(let facts):
      facts.source.map { $0.isNativeAuth || $0.authorityClasses == ["MSALCIAMAuthority"] } ?? false
    case .android(let facts):
      facts.configuration.map { configuration in
        configuration.isNativeAuth
          || !configuration.authorities.isEmpty && configuration.authorities.allSatisfy { $0.type == "CIAM" }
      } ?? false
    }
  }

  /// Whether the app uses native authentication, which does not check the redirect URI.
  package var isNativeAuth: Bool {
    if case .apple(let facts) = self { facts.source?.isNativeAuth ?? false } else { false }
  }

  /// Whether the client ID is a literal that no registration can have: of another form, or a sample's, unless a build
  /// replaces it.
  package var hasImpossibleClientID: Bool {
    guard let value = clientID?.value else { return false }
    switch ClientIDForm(value) {
    case .malformed: return true
    case .placeholder: return !Placeholders.isOfBuild(value)
    case .valid, .empty: return false
    }
  }
}

extension AppleFacts {
  fileprivate var unreadValues: [UnreadValue] {
    let elsewhere = library?.place ?? origin
    var values: [UnreadValue] = []
    if clientID == nil { values.append(UnreadValue(.clientID, source?.clientID.place ?? elsewhere)) }
    let redirectPlace = source.flatMap { if case .unknown(let place) = $0.redirectURI { place } else { nil } }
    if hasUnknownRedirect || redirectPlace != nil {
      values.append(UnreadValue(.redirectURI, redirectPlace ?? elsewhere))
    }
    switch source?.authority {
    case .known: break
    case .unknown where source?.patternedAuthority != nil: break
    case .unknown(let place): values.append(UnreadValue(.authority, place))
    case .absent where source?.makesApplication == true || source?.clientID.place != nil: break
    case .absent, nil: values.append(UnreadValue(.authority, elsewhere))
    }
    return values
  }
}

extension AndroidFacts {
  fileprivate var unreadValues: [UnreadValue] {
    // If the app's own code does not use MSAL, the wrapper creates the object.
    guard let configuration, configuration.isCompletedByCode || usage == nil else { return [] }
    let place = FilePlace(configuration.path)
    var kinds: [UnreadValue.Kind] = []
    if configuration.clientID == nil { kinds.append(.clientID) }
    if configuration.redirectURI == nil { kinds.append(.redirectURI) }
    if configuration.authorities.isEmpty { kinds.append(.authority) }
    return kinds.map { UnreadValue($0, place) }
  }
}
