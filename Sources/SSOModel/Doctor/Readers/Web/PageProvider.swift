import SSOCore

/// The application that a page gives to msal-react, and the objects with which it calls MSAL.js.
extension ScriptModule {
  /// An element `MsalProvider` of msal-react.
  struct Provider {
    /// The value of `instance`, or `nil` without one.
    var instance: Member?
    var line: Int
    /// The attribute that the element has in place of `instance`.
    var other: String?
  }

  private static let attributeLimit = 200

  /// The elements `MsalProvider` whose attributes are all written.
  var providers: [Provider] {
    guard let library = imports["MsalProvider"]?.path, library == "@azure/msal-react" else { return [] }
    return tokens.indices.compactMap { index in
      // `Wrapper<MsalProvider>` is a type.
      guard word(index) == "MsalProvider", isSymbol("<", index - 1),
        word(index - 2).map({ $0 == "return" }) ?? true
      else { return nil }
      return provider(at: index)
    }
  }

  private func provider(at start: Int) -> Provider? {
    var found = Provider(line: tokens[start].line)
    var index = start + 1
    while index < min(start + Self.attributeLimit, tokens.count) {
      if isSymbol(">", index) || isSymbol("/", index) { return found }
      // `{...properties}`
      guard let name = word(index) else { return nil }
      if isSymbol("=", index + 1), isSymbol("{", index + 2) {
        let member = Member(value: value(at: index + 3, 0).value, line: tokens[index].line)
        if name == "instance" { found.instance = member } else { found.other = name }
        guard let close = closing(of: index + 2) else { return nil }
        index = close + 1
      } else {
        index += isSymbol("=", index + 1) ? 3 : 1
      }
    }
    return nil
  }

  /// Returns the index of the brace that closes another one.
  private func closing(of open: Int) -> Int? {
    var depth = 0
    for index in open..<min(open + Self.attributeLimit, tokens.count) {
      if isSymbol("{", index) { depth += 1 }
      if isSymbol("}", index) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// The name to which the module sets an application: `const lamp = new PublicClientApplication(…)`.
  var applicationName: String? {
    tokens.indices.lazy.compactMap { index -> String? in
      guard word(index) == "PublicClientApplication", isSymbol("(", index + 1), word(index - 1) == "new",
        isSymbol("=", index - 2)
      else { return nil }
      return word(index - 3)
    }.first
  }

  /// Whether the module calls a function of MSAL.js that signs in or gets a token.
  var callsMSAL: Bool { tokens.indices.contains(where: isCallOfMSAL) }

  private func isCallOfMSAL(_ index: Int) -> Bool {
    isSymbol("(", index + 1) && isSymbol(".", index - 1) && (word(index).map(PageStart.api.contains) ?? false)
  }

  /// The objects with which the module calls MSAL.js, and those whose members it spreads into such an object.
  var requestArguments: [Member] {
    tokens.indices.filter(isCallOfMSAL).flatMap { index -> [Member] in
      let line = tokens[index].line
      let own = Member(value: value(at: index + 2, 0).value, line: line)
      guard isSymbol("{", index + 2), let close = closing(of: index + 2) else { return [own] }
      let spread = (index + 3..<close).compactMap { place -> Member? in
        guard isSymbol(".", place - 1), isSymbol(".", place - 2), isSymbol(".", place - 3) else { return nil }
        return Member(value: value(at: place, 0).value, line: line)
      }
      return [own] + spread
    }
  }
}

extension WebFacts {
  /// Records the providers of msal-react that get something other than an application, and the requests whose scopes
  /// have another name.
  mutating func takeElements(_ pages: [ScriptModule], _ resolver: ScriptResolver) {
    for module in pages {
      for provider in module.providers {
        let place = FilePlace(module.path, line: provider.instance?.line ?? provider.line)
        guard let instance = provider.instance else {
          wrongProviders.append(WrongProvider(place: place, found: provider.other, right: nil))
          continue
        }
        let start = ScriptResolver.Resolved(value: instance.value, module: module, line: instance.line)
        guard case .name(let names) = instance.value, let object = resolver.container(start),
          case .object(let members, _) = object.value, members["auth"] != nil
        else { continue }
        let name = names.joined(separator: ".")
        wrongProviders.append(
          WrongProvider(
            place: place, found: name,
            right: module.applicationName ?? "new PublicClientApplication(\(name))"))
      }
      for argument in module.requestArguments {
        let start = ScriptResolver.Resolved(value: argument.value, module: module, line: argument.line)
        guard let object = resolver.container(start), case .object(let members, true) = object.value,
          members["scopes"] == nil, let scope = members["scope"]
        else { continue }
        let found = Found("scope", FilePlace(object.module.path, line: scope.line))
        if !misnamedScopes.contains(found) { misnamedScopes.append(found) }
      }
    }
  }
}

/// An element `MsalProvider` without an application.
struct WrongProvider: Hashable, Sendable {
  var place: FilePlace
  /// The configuration that `instance` gets, or the attribute that the element has in place of `instance`.
  var found: String?
  /// The application to give to `instance`, or `nil` if the attribute is missing.
  var right: String?
}
