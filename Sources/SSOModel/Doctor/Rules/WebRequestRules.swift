import SSOCore
import SSODevice
import SSOProvider
import SSOReference

/// The rules for what a web app puts into its requests: the redirect URI and the scopes.
extension WebRules {
  // MARK: Redirect URI

  func redirectChecks(_ redirect: Found<String>) -> [DoctorCheck] {
    if Placeholders.contain(redirect.value) {
      return redirect.isFallback ? [] : [.placeholder("redirect URI", redirect, subject: facts.name)]
    }
    if redirect.value.contains(where: \.isWhitespace) {
      let right = redirect.value.filter { !$0.isWhitespace }
      return [
        check(
          .redirectURI, "the redirect URI has no white space", expected: right,
          found: "\"\(redirect.value)\"",
          false, "The redirect URI has white space", at: redirect.place, .unregistered(redirect.value),
          fix: "redirectUri: \"\(right)\"")
      ]
    }
    // `http:/localhost:4200`
    if let colon = redirect.value.firstIndex(of: ":"),
      ["http", "https"].contains(redirect.value[..<colon].lowercased()),
      !redirect.value[colon...].hasPrefix("://")
    {
      let rest = redirect.value[colon...].drop { $0 == ":" || $0 == "/" }
      return [
        check(
          .redirectURI, "the redirect URI has two slashes after the scheme",
          expected: "\(redirect.value[..<colon])://\(rest)", found: redirect.value, false,
          "The redirect URI lacks a slash", at: redirect.place, .unregistered(redirect.value),
          fix: "redirectUri: \"\(redirect.value[..<colon])://\(rest)\"")
      ]
    }
    if lacksScheme(redirect.value) {
      let isLocal = ["localhost", "127.0.0.1"].contains(where: redirect.value.lowercased().hasPrefix)
      let isHost = redirect.value.prefix { $0 != "/" && $0 != ":" }.dropFirst().contains(".")
      let right = isLocal ? "http://" : isHost ? "https://" : "/"
      return [
        check(
          .redirectURI, "the redirect URI is a URL or a path",
          expected: "https://…, http://localhost…, or a path with a slash",
          found: redirect.value, false, "The redirect URI has no scheme", at: redirect.place,
          .unregistered(redirect.value),
          fix: "redirectUri: \"\(right)\(redirect.value.drop { right == "/" && ($0 == "." || $0 == "/") })\"")
      ]
    }
    if let hash = redirect.value.firstIndex(of: "#") {
      return [
        check(
          .redirectURI, "the redirect URI has no fragment", expected: "no #", found: redirect.value, false,
          "The redirect URI has a fragment", at: redirect.place,
          .unregistered(redirect.value),
          fix: "redirectUri: \"\(redirect.value[..<hash])\"")
      ]
    }
    if let parts = URLParts(redirect.value), parts.host.contains("*") {
      return [
        check(
          .redirectURI, "the redirect URI has no wildcard", expected: "the page's own host",
          found: parts.host, false,
          "The redirect URI has a wildcard", at: redirect.place,
          .unregistered(redirect.value),
          fix: "redirectUri: window.location.origin")
      ]
    }
    // A relative URI is completed by the page's own origin.
    guard redirect.value.contains("://"), let parts = URLParts(redirect.value) else { return [] }
    let found = RegistrationFacts.pageCheck(parts, redirect, subject: facts.name)
    return [facts.hasShell && !parts.scheme.lowercased().hasPrefix("http") ? found.asQuestion : found]
  }

  /// The findings of redirect URIs of requests, which MSAL.js sends in place of the configuration's.
  var requestRedirectChecks: [DoctorCheck] {
    let own = facts.configurations.compactMap { $0.redirectURI.found?.place }
    return facts.requestRedirects.filter { !own.contains($0.place) && !Placeholders.contain($0.value) }
      .flatMap(redirectChecks).filter(\.hasFailed)
      .map { facts.isLeftOver || facts.configurations.isEmpty ? $0.asQuestion : $0 }
  }

  /// Returns whether a redirect URI is neither a URL nor a path with a slash: MSAL.js sends it to the provider unchanged.
  ///
  /// Source: msal-common `url/UrlString.ts`, `getAbsoluteUrl`.
  func lacksScheme(_ uri: String) -> Bool {
    guard let first = uri.first, first != "/", first != "#", first != "?" else { return false }
    guard let colon = uri.firstIndex(of: ":") else { return true }
    // `app.contoso.com:8080/in`, `localhost:3000`
    return uri[uri.index(after: colon)...].first?.isNumber ?? false
  }

  // MARK: Scopes

  /// Returns the failed check of the scopes of one request that belong to several APIs, or `nil`: the code is redeemed with
  /// the scopes of the request (msal-browser `interaction_client/StandardInteractionClient.ts`).
  func scopesCheck(_ list: FoundList) -> DoctorCheck? {
    // Other providers' scopes may have any form, and so may B2C's for a name without a resource.
    let isOfEntra = facts.configurations.allSatisfy { configuration in
      configuration.authority.found.map {
        (PublicCloud.aliases.contains(host(of: $0.value)) || host(of: $0.value).hasSuffix(".ciamlogin.com"))
          && $0.value.lowercased().firstRange(of: "/b2c_") == nil
      } ?? (configuration.authority == .absent || isOfMicrosoft(list))
    }
    if let foreign = foreignScopeCheck(list) { return foreign }
    guard isOfEntra, let mistake = RequestScopesMistake(list.values) else { return nil }
    let right = "scopes: \(RequestScopesMistake.literal(mistake.right))"
    return check(
      .requestScopes, mistake.requirement, expected: mistake.expected, found: mistake.found, false,
      mistake.title,
      at: list.place, mistake.refusal,
      fix: mistake.later.isEmpty
        ? right : "\(right),\nextraScopesToConsent: \(RequestScopesMistake.literal(mistake.later))")
  }

  /// Returns the finding of a permission of Graph in a request to B2C, which issues tokens only for the tenant's own APIs, or
  /// `nil`.
  ///
  /// Source: Microsoft, “Request an access token in Azure Active Directory B2C”.
  private func foreignScopeCheck(_ list: FoundList) -> DoctorCheck? {
    let isOfB2C = facts.configurations.allSatisfy { configuration in
      configuration.authority.found.map { host(of: $0.value).hasSuffix(".b2clogin.com") } ?? false
    }
    guard isOfB2C, !facts.configurations.isEmpty,
      let scope = RequestScopesMistake.graphPermission(in: list.items)
    else { return nil }
    return check(
      .requestScopes, "the scopes are of the tenant's own APIs",
      expected: "openid, or scopes of the tenant's own APIs",
      found: scope.value, false, "B2C has no permissions of Graph", at: scope.place,
      DoctorCheck.Refusal(
        "AADB2C90117", "AADB2C90117: The scope '\(scope.value)' provided in the request is not supported."))
  }

  /// Returns whether a scope is of one of Microsoft's own APIs, for which only Entra issues tokens.
  private func isOfMicrosoft(_ list: FoundList) -> Bool {
    list.values.contains { scope in
      guard scope.contains("://"), let slash = scope.lastIndex(of: "/") else { return false }
      return ProtectedResource.isFirstParty(String(scope[..<slash]))
    }
  }
}
