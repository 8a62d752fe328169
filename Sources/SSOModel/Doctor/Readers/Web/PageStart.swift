import SSOCore

/// The code of a web app that starts MSAL.js: that initializes it, gives it to the framework, and takes the response
/// of a redirect.
///
/// Sources: msal-browser `utils/BrowserUtils.ts`, `blockAPICallsBeforeInitialize`; msal-react `MsalProvider.tsx` and
/// `MsalContext.ts`; msal-angular `msal.service.ts`, `msal.guard.ts`, `msal.interceptor.ts`, and `msal.module.ts`.
struct PageStart {
  /// A call of MSAL.js.
  private struct Call {
    var name: String
    var place: FilePlace
    var context: ScriptModule.Context
  }

  /// The words of all modules that say how the app starts MSAL.js.
  private var words: Set<String> = []
  /// The names that a list of providers has, or an object that provides a value.
  private var provided: Set<String> = []
  private var created: [FilePlace] = []
  private var calls: [Call] = []
  private var modules: [ScriptModule] = []
  /// The places where components of msal-react, and injected classes of msal-angular, are first used.
  private var hook: FilePlace?
  private var injected: [String: FilePlace] = [:]
  /// The place of the list of providers in a module of msal-angular.
  private var providers: FilePlace?
  private var incomplete: [(fault: Fault, place: FilePlace)] = []
  /// The values that are given to msal-angular as a configuration, by its type.
  private(set) var given: [(type: String, value: ScriptModule.Member, module: ScriptModule)] = []
  private var initializes = false
  private var notAwaited: FilePlace?
  /// Whether the app uses a library that may start MSAL.js in another way.
  private var hasWrapper = false

  static let api: Set = [
    "loginPopup", "loginRedirect", "acquireTokenPopup", "acquireTokenRedirect", "acquireTokenSilent",
    "ssoSilent", "acquireTokenByCode", "handleRedirectPromise",
  ]
  private static let factories: Set = [
    "createPublicClientApplication", "createStandardPublicClientApplication",
    "createNestablePublicClientApplication", "PublicClientNext",
  ]
  private static let ofAngular: Set = [
    "handleRedirectObservable", "MsalRedirectComponent", "MsalGuard", "MsalInterceptor",
  ]
  private static let marks: Set<String> = factories.union(ofAngular).union([
    "MsalProvider", "MsalContext", "handleRedirectPromise", "MsalModule", "forRoot", "Redirect",
  ])
  private static let caches: Set = ["localStorage", "sessionStorage", "memoryStorage"]
  /// The members without which msal-angular throws, by the type of the object.
  private static let needed = [
    "MsalGuardConfiguration": ["interactionType"],
    "MsalInterceptorConfiguration": ["interactionType", "protectedResourceMap"],
  ]
  private static let types = [
    "MSAL_GUARD_CONFIG": "MsalGuardConfiguration", "MSAL_INTERCEPTOR_CONFIG": "MsalInterceptorConfiguration",
  ]
  private static let hooks: Set = [
    "useMsal", "useIsAuthenticated", "useMsalAuthentication", "AuthenticatedTemplate",
    "UnauthenticatedTemplate", "MsalAuthenticationTemplate", "withMsal",
  ]
  private static let classes: Set = ["MsalService", "MsalGuard", "MsalInterceptor", "MsalBroadcastService"]

  /// Texts without which a script says nothing about the start of MSAL.js.
  static let signs = [
    "@azure/msal-", "Msal", ".initialize(", "handleRedirect", "acquireToken", "loginRedirect", "loginPopup",
    "PublicClientApplication", "cacheLocation",
  ]

  /// Takes a module; of another package's module, only the code that starts MSAL.js counts.
  mutating func take(_ module: ScriptModule, isOwn: Bool, isForeign: (String) -> Bool) {
    let tokens = module.tokens
    for path in module.imports.values.map(\.path) + module.reexports
    where path.lowercased().contains("msal") && !path.hasPrefix(".") && isForeign(path) {
      hasWrapper = hasWrapper || !ScriptModule.libraries.contains(path) && path != "@azure/msal-common"
    }
    for index in tokens.indices {
      guard let name = module.word(index) else { continue }
      let place = FilePlace(module.path, line: tokens[index].line)
      let isMember = module.isSymbol(".", index - 1)
      let isCalled = module.isSymbol("(", index + 1)
      if Self.marks.contains(name), !module.isImport(index) { words.insert(name) }
      if isOwn { takeProvider(name, index, module) }
      if name == "initialize", isMember, isCalled {
        if let owner = module.owner(of: index), let path = module.imports[owner]?.path, isForeign(path),
          !path.lowercased().contains("msal")
        {
          continue
        }
        initializes = true
        if isOwn, notAwaited == nil, module.isAloneBefore(index, a: Self.api) { notAwaited = place }
      }
      guard isOwn else { continue }
      if name == "PublicClientApplication", isCalled,
        module.word(index - 1) == "new" || isMember && module.word(index - 3) == "new"
      {
        created.append(place)
      }
      if module.isSymbol(":", index - 1), Self.needed[name] != nil,
        let object = module.object(returnedFrom: index)
      {
        given.append((name, object, module))
      }
      if name == "cacheLocation", module.isSymbol(":", index + 1), !isMember,
        tokens.indices.contains(index + 2),
        let value = tokens[index + 2].text, !Self.caches.contains(value)
      {
        incomplete.append((.unknownCache(value), place))
      }
      if Self.api.contains(name), isMember, isCalled {
        calls.append(Call(name: name, place: place, context: module.context(of: index)))
      }
      if hook == nil, Self.hooks.contains(name), module.imports[name]?.path == "@azure/msal-react",
        !module.isImport(index)
      {
        hook = place
      }
    }
    if isOwn { modules.append(module) }
  }

  /// Takes the objects that were given to msal-angular, of which each is followed to its module.
  mutating func takeGiven(_ resolver: ScriptResolver) {
    for (type, value, module) in given {
      let start = ScriptResolver.Resolved(value: value.value, module: module, line: value.line)
      guard let object = resolver.container(start), case .object(let members, true) = object.value,
        !members.isEmpty
      else { continue }
      for member in Self.needed[type] ?? [] where members[member] == nil {
        let fault = (fault: Fault.incomplete(member), place: object.place)
        if !incomplete.contains(where: { $0 == fault }) { incomplete.append(fault) }
      }
    }
  }

  private mutating func takeProvider(_ name: String, _ index: Int, _ module: ScriptModule) {
    let tokens = module.tokens
    let isOfAngular = module.imports.values.contains { $0.path == "@azure/msal-angular" }
    if name == "providers", isOfAngular, providers == nil, module.isSymbol(":", index + 1) {
      providers = FilePlace(module.path, line: tokens[index].line)
    }
    if name.hasPrefix("provideMsal") { hasWrapper = true }
    if Self.classes.contains(name), injected[name] == nil, !module.isImport(index),
      module.imports[name]?.path == "@azure/msal-angular"
    {
      injected[name] = FilePlace(module.path, line: tokens[index].line)
    }
    if module.isSymbol(":", index - 1), index > 1, tokens[index - 2].word == "provide" {
      provided.insert(name)
      if let type = Self.types[name], let value = module.value(afterProvided: index) {
        given.append((type, value, module))
      }
    }
    if name == "forRoot", module.owner(of: index) == "MsalModule" {
      let values = module.arguments(of: index)
      for (type, value) in zip(
        ["MsalGuardConfiguration", "MsalInterceptorConfiguration"], values.dropFirst())
      {
        given.append((type, value, module))
      }
    }
    let isElement =
      (module.isSymbol("[", index - 1) || module.isSymbol(",", index - 1))
      && (module.isSymbol("]", index + 1) || module.isSymbol(",", index + 1))
    if isElement, Self.classes.contains(name), module.isProvided(index) { provided.insert(name) }
  }

  // MARK: Faults

  /// A mistake in how an app starts MSAL.js.
  enum Fault: Hashable, Sendable {
    case notInitialized, notAwaited, responseNotTaken, noProvider
    /// Angular injects a class or a value that no list provides.
    case notProvided(String)
    /// An object of msal-angular lacks a member.
    case incomplete(String)
    /// MSAL.js keeps everything in memory if it does not know the place of its cache.
    case unknownCache(String)
  }

  /// Whether the app signs in with redirects.
  var redirects: Bool { calls.contains { $0.name.hasSuffix("Redirect") } || words.contains("Redirect") }

  /// Returns the faults with their places.
  func faults() -> [(fault: Fault, place: FilePlace)] {
    guard !hasWrapper else { return incomplete }
    return [initialization, response, provider].compactMap(\.self) + angular + incomplete
  }

  private var initialization: (fault: Fault, place: FilePlace)? {
    if let notAwaited { return (.notAwaited, notAwaited) }
    guard !initializes, words.isDisjoint(with: Self.factories), let first = created.first else { return nil }
    if !words.contains("MsalProvider"), words.isDisjoint(with: Self.ofAngular), !calls.isEmpty {
      return (.notInitialized, first)
    }
    // A component is created when the page is already shown; a provider has not initialized it before.
    let functions = Set(calls.compactMap(\.context.function))
    let started = functions.filter { name in modules.contains { $0.callsAtStart(name) } }
    let early = calls.first { call in
      call.context == .start || call.context.function.map(started.contains) ?? false
    }
    return early.map { (.notInitialized, $0.place) }
  }

  private var response: (fault: Fault, place: FilePlace)? {
    let takers = ["handleRedirectPromise", "MsalProvider", "MsalModule"]
    guard !created.isEmpty, words.isDisjoint(with: takers), words.isDisjoint(with: Self.ofAngular),
      let call = calls.first(where: { $0.name.hasSuffix("Redirect") })
    else { return nil }
    return (.responseNotTaken, call.place)
  }

  private var provider: (fault: Fault, place: FilePlace)? {
    guard let hook, words.isDisjoint(with: ["MsalProvider", "MsalContext"]),
      !created.isEmpty || !words.isDisjoint(with: Self.factories)
    else { return nil }
    return (.noProvider, hook)
  }

  private var angular: [(fault: Fault, place: FilePlace)] {
    // Without a list, the providers are elsewhere.
    guard !injected.isEmpty, !words.contains("forRoot"), let providers else { return [] }
    var needed: [(String, Bool)] = [("MSAL_INSTANCE", true), ("MsalService", true)]
    needed.append(("MSAL_GUARD_CONFIG", injected["MsalGuard"] != nil))
    needed.append(("MSAL_INTERCEPTOR_CONFIG", injected["MsalInterceptor"] != nil))
    for name in ["MsalGuard", "MsalBroadcastService"] {
      needed.append((name, injected[name] != nil && !words.contains("MsalModule")))
    }
    return needed.filter { $1 && !provided.contains($0) }.map { (.notProvided($0.0), providers) }
  }
}

extension ScriptModule {
  /// The code around a call, which says when it runs.
  enum Context: Hashable {
    /// It runs when the module is loaded.
    case start
    /// It runs when a function of the module is called.
    case function(String)
    case other

    var function: String? { if case .function(let name) = self { name } else { nil } }
  }

  private static let control: Set = ["if", "for", "while", "switch", "catch", "with"]
  private static let contextLimit = 20_000

  fileprivate func isSymbol(_ symbol: Unicode.Scalar, _ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSymbol(symbol)
  }

  fileprivate func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

  /// Returns whether a token is in an import, or names a type's member to import.
  func isImport(_ index: Int) -> Bool {
    for place in stride(from: index - 1, through: max(0, index - 80), by: -1) {
      if word(place) == "import" { return true }
      if isSymbol(";", place) || isSymbol("=", place) || isSymbol("(", place) || tokens[place].text != nil {
        return false
      }
    }
    return false
  }

  /// Returns the first name of the chain of members that ends before a token: `app` of `app.client.initialize`.
  func owner(of index: Int) -> String? {
    var place = index
    while isSymbol(".", place - 1) {
      place -= isSymbol("?", place - 2) || isSymbol("!", place - 2) ? 3 : 2
      guard word(place) != nil else { return nil }
    }
    return place == index ? nil : word(place)
  }

  /// Returns whether a call without arguments is its own statement, and the next statement calls a member of the same
  /// object.
  func isAloneBefore(_ index: Int, a names: Set<String>) -> Bool {
    guard let owner = word(index - 2), isSymbol(".", index - 1), isSymbol(")", index + 2),
      let before = tokens.indices.contains(index - 3) ? tokens[index - 3] : nil,
      before.isSymbol(";") || before.isSymbol("{") || before.isSymbol("}")
        || before.isSymbol(")")
          && before.line < tokens[index].line
    else { return false }
    var next = isSymbol(";", index + 3) ? index + 4 : index + 3
    guard isSymbol(";", index + 3) || tokens.indices.contains(next) && tokens[next].line > tokens[index].line
    else { return false }
    if ["const", "let"].contains(word(next)), isSymbol("=", next + 2) { next += 3 }
    if ["await", "return"].contains(word(next)) { next += 1 }
    return word(next) == owner && isSymbol(".", next + 1) && word(next + 2).map(names.contains) ?? false
  }

  /// Returns the object that the function returns whose return type is at a token, or `nil` if that is not certain.
  func object(returnedFrom index: Int) -> Member? {
    guard isSymbol(")", index - 2),
      let place = (index + 1..<min(index + Self.contextLimit, tokens.count)).first(where: {
        word($0) == "return" || word($0) == "function"
      }), word(place) == "return", isSymbol("{", place + 1)
    else { return nil }
    return Member(value: object(at: place + 1).value, line: tokens[place].line)
  }

  /// Returns the value in `{ provide: NAME, useValue: value }`, or that of a factory, by the index of the name.
  func value(afterProvided index: Int) -> Member? {
    guard isSymbol(",", index + 1), isSymbol(":", index + 3), let key = word(index + 2) else { return nil }
    let line = tokens[index].line
    let value = value(at: index + 4, 0).value
    switch (key, value) {
    case ("useValue", _): return Member(value: value, line: line)
    case ("useFactory", .name(let names)):
      return names.last.map { Member(value: .name(names.dropLast() + [$0 + "()"]), line: line) }
    default: return nil
    }
  }

  /// Returns the arguments of a call, by the index of its name.
  func arguments(of index: Int) -> [Member] {
    guard isSymbol("(", index + 1), case .list(let values) = list(at: index + 1, 0).value else { return [] }
    return values.map { Member(value: $0, line: tokens[index].line) }
  }

  /// Returns whether an element of a list is one of providers, and not of a route's guards.
  func isProvided(_ index: Int) -> Bool {
    guard let open = opening(before: index, from: "[") else { return false }
    guard isSymbol(":", open - 1), let key = word(open - 2) else { return true }
    return !["canActivate", "canActivateChild", "canLoad", "canMatch", "deps", "imports"].contains(key)
  }

  func opening(before index: Int, from symbol: Unicode.Scalar) -> Int? {
    var depth = 0
    for place in stride(from: index - 1, through: max(0, index - Self.contextLimit), by: -1) {
      if ["}", "]", ")"].contains(where: { isSymbol($0, place) }) { depth += 1 }
      guard ["{", "[", "("].contains(where: { isSymbol($0, place) }) else { continue }
      if depth == 0 { return isSymbol(symbol, place) ? place : nil }
      depth -= 1
    }
    return nil
  }

  /// Returns whether a module calls one of its functions, or an imported one, when it is loaded.
  func callsAtStart(_ name: String) -> Bool {
    tokens.indices.contains { index in
      word(index) == name && isSymbol("(", index + 1) && !isSymbol(".", index - 1)
        && word(index - 1) != "function" && context(of: index) == .start
    }
  }

  /// Returns the code around a token.
  func context(of index: Int) -> Context {
    var depth = 0
    var place = index - 1
    /// Whether an arrow would belong to another statement or argument.
    var isPast = false
    while place >= 0, place > index - Self.contextLimit {
      if isSymbol("}", place) || isSymbol("]", place) || isSymbol(")", place) {
        depth += 1
      } else if isSymbol("{", place) || isSymbol("[", place) || isSymbol("(", place) {
        if depth > 0 {
          depth -= 1
          if depth == 0, isSymbol("{", place) { isPast = true }
        } else if isSymbol("{", place) {
          isPast = false
          switch head(ofBlock: place) {
          case .inside(let outer): place = outer
          case .context(let context): return context
          }
        } else {
          isPast = false
        }
      } else if depth == 0 {
        if isSymbol(";", place) || isSymbol(",", place) { isPast = true }
        if !isPast, isSymbol(">", place), isSymbol("=", place - 1) {
          switch head(ofArrow: place) {
          case .inside(let outer): place = outer
          case .context(let context): return context
          }
        }
      }
      place -= 1
    }
    return place < 0 ? .start : .other
  }

  private enum Head {
    /// The code runs with that around it, before this token.
    case inside(Int)
    case context(Context)
  }

  /// Returns what a block in braces is.
  private func head(ofBlock open: Int) -> Head {
    if ["try", "else", "finally", "do"].contains(word(open - 1)) { return .inside(open - 1) }
    if isSymbol(">", open - 1), isSymbol("=", open - 2) { return head(ofArrow: open - 1) }
    var close = open - 1
    // A return type may follow the parameters: `): Promise<void> {`.
    while close > open - 12, close > 0, !isSymbol(")", close) {
      let isOfType =
        word(close) != nil || ["<", ">", "[", "]", "|", ".", ":"].contains { isSymbol($0, close) }
      guard isOfType else { return .context(.other) }
      close -= 1
    }
    guard isSymbol(")", close), close == open - 1 || isSymbol(":", close + 1),
      let start = opening(before: close, from: "("), let name = word(start - 1)
    else { return .context(.other) }
    if Self.control.contains(name) { return .inside(start - 1) }
    if name == "function" { return head(ofFunction: word(start - 2) == "async" ? start - 2 : start - 1) }
    return .context(word(start - 2) == "function" ? .function(name) : .other)
  }

  /// Returns what the body of a function with an arrow is.
  private func head(ofArrow end: Int) -> Head {
    var start = end - 2
    if !isSymbol(")", start) {
      // `name => …`, or a return type
      let close = stride(from: start, to: max(0, start - 12), by: -1).first { isSymbol(")", $0) }
      if let close, isSymbol(":", close + 1) { start = close }
    }
    if isSymbol(")", start) {
      guard let open = opening(before: start, from: "(") else { return .context(.other) }
      start = open
    }
    if word(start - 1) == "async" { start -= 1 }
    return head(ofFunction: start)
  }

  /// Returns what a function without a name is that begins at a token: called at once, the continuation of a promise,
  /// or the value of a name.
  private func head(ofFunction start: Int) -> Head {
    if isSymbol("(", start - 1) {
      if ["then", "finally", "catch"].contains(word(start - 2)) { return .inside(start - 1) }
      guard word(start - 2) == nil, !isSymbol(")", start - 2), let close = closing(after: start),
        isSymbol("(", close + 1)
      else { return .context(.other) }
      return .inside(start - 1)
    }
    guard isSymbol("=", start - 1) else { return .context(.other) }
    if let name = word(start - 2), ["const", "let", "var"].contains(word(start - 3)) {
      return .context(.function(name))
    }
    return .context(.other)
  }

  private func closing(after index: Int) -> Int? {
    var depth = 0
    for place in index..<min(index + Self.contextLimit, tokens.count) {
      if ["{", "[", "("].contains(where: { isSymbol($0, place) }) { depth += 1 }
      guard ["}", "]", ")"].contains(where: { isSymbol($0, place) }) else { continue }
      if depth == 0 { return place }
      depth -= 1
    }
    return nil
  }
}
