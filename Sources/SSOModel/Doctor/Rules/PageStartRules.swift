import SSOCore
import SSOReference

/// The rules for the code that starts MSAL.js, and for objects that it cannot use.
extension WebRules {
  func startChecks() -> [DoctorCheck] {
    facts.startFaults.compactMap(startCheck) + facts.withoutClientID.map(missingCheck)
      + facts.unseenScopes.map(unseenCheck) + facts.textsOfScopes.map(textCheck)
      + facts.configurations.compactMap(\.textOfKnownAuthorities).map(knownTextCheck)
      + facts.misnamedScopes.map(misnamedCheck) + facts.wrongProviders.map(providerCheck)
  }

  /// MSAL.js asks for the scopes that it adds itself if a request does not have any (msal-browser `request/RequestHelpers.ts`).
  private func misnamedCheck(_ scope: Found<String>) -> DoctorCheck {
    var found = check(
      .requestScopes, "MSAL.js reads the scopes", expected: "scopes", found: scope.value, false,
      "The scopes are misspelt", at: scope.place, fix: "scopes:")
    found.misspelt = MisspeltKey(key: "scopes", written: scope)
    return found
  }

  /// msal-react calls functions of the application as soon as the provider is shown (`MsalProvider.tsx`).
  private func providerCheck(_ provider: WrongProvider) -> DoctorCheck {
    let right = provider.right ?? "msalInstance"
    return check(
      .pageStart, "msal-react has its application", expected: "<MsalProvider instance={\(right)}>",
      found: provider.found ?? "no instance", false,
      provider.right == nil ? "MsalProvider has no instance" : "MsalProvider gets a configuration",
      at: provider.place,
      DoctorCheck.Refusal(
        "TypeError",
        provider.right == nil
          ? "Cannot read properties of undefined (reading 'getLogger')"
          : "instance.getLogger is not a function"),
      fix: "<MsalProvider instance={\(right)}>")
  }

  private func startCheck(_ start: StartFault) -> DoctorCheck? {
    // Version 2 initializes itself.
    let needsInitialization = facts.libraryMajor.map { $0 > 2 } ?? false
    switch start.fault {
    case .notInitialized, .notAwaited:
      guard needsInitialization else { return nil }
      let isCalled = start.fault == .notAwaited
      return check(
        .pageStart, "MSAL.js is initialized before its first call", expected: "await initialize()",
        found: isCalled ? "initialize() without await" : "no call of initialize()", false,
        isCalled ? "initialize() is not awaited" : "MSAL.js is not initialized", at: start.place,
        DoctorCheck.Refusal(
          "uninitialized_public_client_application",
          "You must call and await the initialize function before attempting to call any other MSAL API."),
        fix: "await msalInstance.initialize();")
    case .responseNotTaken:
      return check(
        .pageStart, "the page takes the response of the redirect", expected: "handleRedirectPromise()",
        found: "no call of it", false, "No code takes the response of the redirect", at: start.place,
        DoctorCheck.Refusal(
          "interaction_in_progress", "Interaction is currently in progress."),
        fix: "await msalInstance.handleRedirectPromise();")
    case .noProvider:
      return check(
        .pageStart, "msal-react has its application", expected: "<MsalProvider instance={…}>",
        found: "no MsalProvider", false, "No MsalProvider is around the components", at: start.place,
        DoctorCheck.Refusal(
          "stubbed_public_client_application_called",
          "Stub instance of Public Client Application was called. If using msal-react, please ensure context is not used without a provider."
        ),
        fix: "<MsalProvider instance={msalInstance}>")
    case .notProvided(let name):
      return check(
        .pageStart, "Angular can inject \(name)", expected: "a provider of \(name)", found: "none", false,
        "\(name) has no provider", at: start.place,
        DoctorCheck.Refusal("NG0201", "NullInjectorError: No provider for \(name)!"),
        fix: name.hasPrefix("MSAL_") ? "{ provide: \(name), useFactory: … }" : name)
    case .interceptorNotCalled:
      return check(
        .pageStart, "Angular's client calls MsalInterceptor", expected: "withInterceptorsFromDi()",
        found: "provideHttpClient without it", false, "No request passes MsalInterceptor", at: start.place,
        fix: "provideHttpClient(withInterceptorsFromDi())")
    case .incomplete(let member):
      let isType = member == "interactionType"
      return check(
        .pageStart, "the configuration of msal-angular has \(member)", expected: member, found: "none", false,
        "The configuration lacks \(member)", at: start.place,
        isType
          ? Self.invalidInteraction
          : nil,
        fix: isType ? "interactionType: InteractionType.Redirect" : "\(member): new Map()")
    case .silentInteraction:
      return check(
        .pageStart, "the interaction of msal-angular is a popup or a redirect",
        expected: "InteractionType.Popup or InteractionType.Redirect", found: "InteractionType.Silent", false,
        "msal-angular takes no silent interaction", at: start.place, Self.invalidInteraction,
        fix: "interactionType: InteractionType.Redirect")
    case .unknownCache(let value):
      guard !Placeholders.contain(value) else { return nil }
      let found = check(
        .cacheLocation, "MSAL.js knows the place of its cache",
        expected: "localStorage, sessionStorage, or memoryStorage", found: "\"\(value)\"", false,
        "MSAL.js does not know this cacheLocation", at: start.place,
        DoctorCheck.Refusal(
          "in_mem_redirect_unavailable",
          "Redirect cannot be supported. In-memory storage was selected and storeAuthStateInCookie=false, which would cause the library to be unable to handle the incoming hash."
        ),
        fix:
          "cacheLocation: \"\(["localStorage", "sessionStorage"].closestSpelling(to: value) ?? "sessionStorage")\""
      )
      // The fourth version looks only at the name.
      return facts.redirects && facts.libraryMajor.map { $0 < 4 } == true ? found : found.asQuestion
    }
  }

  private static let invalidInteraction = DoctorCheck.Refusal(
    "invalid_interaction_type", "Invalid interaction type provided to MSAL")

  private func missingCheck(_ place: FilePlace) -> DoctorCheck {
    check(
      .clientID, "MSAL.js gets a client ID", expected: "auth: { clientId }", found: "none", false,
      "The configuration has no client ID", at: place, .clientMissing,
      fix: "auth: { clientId: \"<client ID>\" }")
  }

  private func unseenCheck(_ unseen: PageVariables.Unseen) -> DoctorCheck {
    let found = check(
      .requestScopes, "the page has the variables of the scopes", expected: unseen.wanted,
      found: unseen.name.value, false, "The bundler keeps the variable from the page", at: unseen.name.place,
      DoctorCheck.Refusal("TypeError", "Cannot read properties of undefined (reading 'trim')"),
      fix: unseen.wanted)
    return unseen.isCertain ? found : found.asQuestion
  }

  /// MSAL.js takes each letter of a string for a scope (msal-browser `request/RequestHelpers.ts`).
  private func textCheck(_ text: Found<String>) -> DoctorCheck {
    check(
      .requestScopes, "the scopes are a list", expected: "[\"\(text.value)\"]", found: "\"\(text.value)\"",
      false, "The scopes are not a list", at: text.place,
      DoctorCheck.Refusal(
        AADSTSCode.scopeNotFound,
        "The application asked for scope '\(text.value.prefix(1))' that doesn't exist on the resource."),
      fix: "scopes: [\"\(text.value)\"]")
  }

  private func knownTextCheck(_ place: FilePlace) -> DoctorCheck {
    check(
      .authority, "knownAuthorities is a list", expected: "a list of hosts", found: "a string", false,
      "knownAuthorities is not a list", at: place,
      DoctorCheck.Refusal("TypeError", "knownAuthorities.filter is not a function"),
      fix: "knownAuthorities: [\"<host>\"]")
  }
}

extension DoctorRule {
  static let pageStart = DoctorRule(
    "page-start", "The page starts MSAL.js before it signs in",
    why: """
      Since version 3, each call of MSAL.js before the end of initialize() is refused; MsalProvider and the guards of \
      msal-angular call it themselves, but only when they are shown. The response of a redirect is lost unless \
      handleRedirectPromise(), which they call too, reads it.
      """)

  static let cacheLocation = DoctorRule(
    "cache-location", "MSAL.js knows the place of its cache",
    why: """
      With any other word than localStorage, sessionStorage, and memoryStorage, MSAL.js keeps everything in memory, \
      which a redirect and a reload of the page empty.
      """)
}
