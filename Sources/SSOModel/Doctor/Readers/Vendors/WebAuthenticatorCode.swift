import SSOCore

/// The redirect URIs of an app for Android that signs in with .NET's WebAuthenticator, by itself or through Auth0's library or
/// OidcClient, and the activities that receive the answer.
///
/// Sources: dotnet/maui, `WebAuthenticator.android.cs`, which throws unless an activity takes the callback; auth0-oidc-client-net,
/// `Auth0ClientBase`, which asks for the metadata at `https://{Domain}`.
extension VendorReader {
  private static let redirects: Set = ["RedirectUri", "PostLogoutRedirectUri", "CallbackUrl"]
  private static let account: Set = ["Domain", "ClientId"]

  mutating func readWebAuthenticators(_ files: ProjectFiles) {
    let projects = files.find { $0.hasSuffix(".csproj") }
    for path in projects.prefix(DotNetAndroidReader.projectLimit) {
      guard let source = try? ProjectFiles.text(path, limit: Self.sizeLimit),
        DotNetAndroidReader.isApp(source),
        !source.contains("<Compile Include=\".."),
        let code = DotNetCode(
          path, for: .android,
          signs: ["WebAuthenticator", "OidcClient", "Auth0Client"],
          needs: ["AuthenticateAsync", "Auth0ClientOptions", "Auth0Client"],
          properties: Self.redirects.union(Self.account))
      else { continue }
      // A sample's own class adds the scheme.
      let addsScheme = code.files.contains { $0.tokens.contains { $0.text?.hasPrefix("https://{") ?? false } }
      readWebAuthenticator(
        path, code,
        isOfAuth0: source.contains("Auth0.OidcClient") || code.has("Auth0ClientOptions") && addsScheme)
    }
  }

  private mutating func readWebAuthenticator(_ project: String, _ code: DotNetCode, isOfAuth0: Bool) {
    let assigned = code.assigned(Self.redirects)
    func values(_ tokens: [SourceToken], _ place: FilePlace) -> [Found<String>] {
      // `new Uri("…")`
      let inner =
        tokens.first?.word == "new" ? Array(tokens.drop { !$0.isSymbol("(") }.dropFirst().dropLast()) : tokens
      return code.constants.found(inner, at: place) ?? []
    }
    // A class of options has a value to begin with, which that of an initializer replaces.
    let given = assigned.filter(\.isOfInitializer)
    var redirects = (given.isEmpty ? assigned : given).flatMap { values($0.tokens, $0.place) }
    let calls = code.calls("AuthenticateAsync")
    for call in code.secondArguments(of: "AuthenticateAsync") { redirects += values(call.tokens, call.place) }
    let activities = DotNetAndroidReader.callbackActivities(code)
    var facts = VendorFacts.Callback()
    facts.redirects = redirects.filter { redirect in
      redirect.value.contains(":")
        && !["http:", "https:", "msal", "msauth"].contains(where: redirect.value.lowercased().hasPrefix)
    }
    facts.filters = activities.filters
    facts.activity = activities.activity
    if isOfAuth0 {
      let account = code.assigned(Self.account).filter(\.isOfInitializer)
      facts.domains = account.filter { $0.name == "Domain" }.flatMap { values($0.tokens, $0.place) }
      facts.clientIDs = account.filter { $0.name == "ClientId" }.flatMap { values($0.tokens, $0.place) }
    }
    guard !calls.isEmpty || isOfAuth0, !facts.redirects.isEmpty || !facts.domains.isEmpty else { return }
    let name = String(fileName(project).dropLast(".csproj".count))
    add(name, isOfAuth0 ? .auth0 : .webAuthenticator, FilePlace(project), .callback(facts))
  }
}
