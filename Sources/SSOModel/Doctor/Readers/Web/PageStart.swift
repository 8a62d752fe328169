import SSOCore

/// The code of a web app that starts MSAL.js: that initializes it, gives it to the framework, and takes the response
/// of a redirect.
///
/// Sources: msal-browser `utils/BrowserUtils.ts`, `blockAPICallsBeforeInitialize`; msal-react `MsalProvider.tsx` and
/// `MsalContext.ts`; msal-angular `msal.service.ts`, `msal.guard.ts`, `msal.interceptor.ts`, and `msal.module.ts`;
/// angular.dev, `provideHttpClient`.
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
  /// The place where Angular gets its client for requests.
  private var client: FilePlace?
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
  ]).union(interceptorSources)
  /// The words with which Angular's client calls interceptors: the classes of its providers, or functions.
  private static let interceptorSources: Set = [
    "withInterceptorsFromDi", "HttpClientModule", "withInterceptors",
  ]
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
  private static let signs = [
    "@azure/msal-", "Msal", ".initialize(", "handleRedirect", "acquireToken", "loginRedirect", "loginPopup",
    "PublicClientApplication", "cacheLocation",
  ]

  /// Returns whether a script may call MSAL.js.
  static func mayCall(_ path: String) -> Bool {
    guard !path.hasSuffix(".json"), let data = try? ProjectFiles.data(path, limit: WebReader.sizeLimit) else {
      return false
    }
    return signs.contains { data.hasBytes($0) }
  }

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
      // Angular's router has a `forRoot` too.
      let isOfRouter = name == "forRoot" && module.owner(of: index) != "MsalModule"
      if Self.marks.contains(name), !module.isImport(index), !isOfRouter { words.insert(name) }
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
      guard let object = resolver.container(start), case .object(let members, true) = object.value
      else { continue }
      for member in Self.needed[type] ?? [] where members[member] == nil {
        let fault = (fault: Fault.incomplete(member), place: object.place)
        if !incomplete.contains(where: { $0 == fault }) { incomplete.append(fault) }
      }
      if let kind = members["interactionType"], case .name(let names) = kind.value, names.last == "Silent" {
        incomplete.append((.silentInteraction, FilePlace(object.module.path, line: kind.line)))
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
    if name == "provideHttpClient", module.isSymbol("(", index + 1), client == nil {
      client = FilePlace(module.path, line: tokens[index].line)
    }
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
    /// Angular's client does not call the classes that its providers have as interceptors.
    case interceptorNotCalled
    /// An object of msal-angular lacks a member.
    case incomplete(String)
    /// A guard or an interceptor has an interaction that msal-angular does not accept there.
    case silentInteraction
    /// MSAL.js keeps everything in memory if it does not know the place of its cache.
    case unknownCache(String)
  }

  /// Whether the app signs in with redirects.
  var redirects: Bool { calls.contains { $0.name.hasSuffix("Redirect") } || words.contains("Redirect") }

  /// Returns the faults with their places.
  func faults() -> [(fault: Fault, place: FilePlace)] {
    let others = [uncalledInterceptor].compactMap(\.self) + incomplete
    guard !hasWrapper else { return others }
    // A provider initializes MSAL.js and takes the response.
    let start = provider.map { [$0] } ?? [initialization, response].compactMap(\.self)
    return start + angular + others
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

  private var uncalledInterceptor: (fault: Fault, place: FilePlace)? {
    guard provided.contains("HTTP_INTERCEPTORS"), injected["MsalInterceptor"] != nil,
      words.isDisjoint(with: Self.interceptorSources)
    else { return nil }
    return client.map { (.interceptorNotCalled, $0) }
  }
}
