import SSOCore
import SSODevice
import SSOProvider
import SSOReference

extension VendorFacts {
  /// The settings of a program on a server, as far as its files show them.
  package struct Server: Hashable, Sendable {
    var origin: FilePlace?
    var clientIDs: [Found<String>] = []
    /// The authorities, in which `{…}` is a part that is not known.
    var authorities: [Found<String>] = []
    /// The provider's address, to which Microsoft.Identity.Web adds the tenant.
    var instance: Found<String>?
    var tenant: Found<String>?
    /// The path of the redirect URI.
    var callback: Found<String>?
    /// The issuers with which NextAuth compares that of a token.
    var issuers: [Found<String>] = []
    var misspelt: [MisspeltKey] = []
    var scopes: [FoundList] = []
    /// The scopes of requests without a user.
    var clientScopes: [FoundList] = []
    /// The place of the first request without a user.
    var requestWithoutUser: FilePlace?
    /// Whether code makes requests for a user.
    var hasUsers = false
    /// The scopes of constants with the name of a request.
    var listsOfRequests: [FoundList] = []
    /// The redirect URIs of requests.
    var redirects: [Found<String>] = []
    /// Whether code creates an application with a secret or a certificate.
    var isConfidential = false
    /// The scopes that are a text, and not a list.
    var textsOfScopes: [Found<String>] = []
    /// The place of B2C's address, if no setting has the policy.
    var lackingPolicy: FilePlace?

    var hasValues: Bool {
      !clientIDs.isEmpty || !authorities.isEmpty || instance != nil || !misspelt.isEmpty || !issuers.isEmpty
        || !scopes.isEmpty || !clientScopes.isEmpty || !textsOfScopes.isEmpty || !redirects.isEmpty
    }
  }
}

/// The rules for programs on a server.
extension VendorRules {
  func serverChecks(_ server: VendorFacts.Server) -> [DoctorCheck] {
    let all =
      server.clientIDs.filter { !$0.value.isEmpty }.map(clientCheck)
      + server.authorities.compactMap(addressCheck)
      + (server.instance.map { instanceChecks($0, server.tenant) } ?? [])
      + [server.callback.flatMap(callbackCheck)].compactMap(\.self) + server.misspelt.map(misspeltCheck)
      + server.issuers.compactMap(tokenIssuerCheck) + server.scopes.compactMap(reservedCheck)
      + server.clientScopes.map(clientScopesCheck) + tenantChecks(server)
      + server.redirects.flatMap { redirectChecks($0, server) }
      + server.textsOfScopes.map(textCheck) + [server.lackingPolicy.map(policyCheck)].compactMap(\.self)
    // A template is not meant to be used unchanged.
    return all.map { FilePlace.isExample($0.place.path) ? $0.asQuestion : $0 }
  }

  private func check(
    _ rule: DoctorRule, _ name: String, expected: String, found: String, _ holds: Bool, _ mistake: String,
    at place: FilePlace, _ refusal: DoctorCheck.Refusal? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: facts.name,
      check: Check(name, expected: expected, found: found, holds, source: "real-apps.md §2"),
      mistake: mistake, place: place, refusal: refusal, fix: fix)
  }

  private func clientCheck(_ client: Found<String>) -> DoctorCheck {
    ClientIDForm(client.value) == .placeholder
      ? .placeholder("client ID", client, subject: facts.name)
      : .form(ofClientID: client, subject: facts.name)
  }

  /// The check of an authority in code: MSAL Python and MSAL Node take an https address with a tenant.
  ///
  /// Source: microsoft-authentication-library-for-python, `authority.py`, `canonicalize`; msal-common `authority/Authority.ts`.
  private func addressCheck(_ authority: Found<String>) -> DoctorCheck? {
    let value = authority.value.trimmed
    guard !value.isEmpty, !value.hasPrefix("{"), !value.hasPrefix("$") else { return nil }
    // A part that is not known may have the name of a placeholder.
    if Placeholders.contain(String(value.prefix { $0 != "{" })) {
      // The tenant that is missing does not excuse the host.
      let host = String(value.withoutScheme.prefix { $0 != "/" })
      return Placeholders.contain(host) ? nil : formCheck(value, authority.place)
    }
    if let form = formCheck(value, authority.place) { return form }
    let path = value.withoutScheme.drop { $0 != "/" }.split(separator: "/").map { $0.lowercased() }
    if let end = path.firstIndex(where: EntraHost.endpointParts.contains), end > 0 {
      let host = value.withoutScheme.prefix { $0 != "/" }
      let right = "https://\(host)/" + path.prefix(end).joined(separator: "/")
      return check(
        .authority, "the authority ends with the tenant", expected: right, found: authority.value, false,
        "The authority is the address of an endpoint", at: authority.place, fix: "\"\(right)\"")
    }
    if path.isEmpty, facts.vendor == .msalPython {
      return check(
        .authority, "the authority has a tenant",
        expected: "\(value)\(value.hasSuffix("/") ? "" : "/")<tenant>",
        found: authority.value, false, "The authority has no tenant", at: authority.place,
        DoctorCheck.Refusal(
          "ValueError",
          "Your given address (\(value)) should consist of an https url with a minimum of one segment in a path"
        ))
    }
    if let name = EntraTenant.impossible(in: value), !name.contains("{") {
      return check(
        .authority, "the authority's tenant is an ID or a domain", expected: "a tenant", found: name, false,
        "The authority's tenant does not exist", at: authority.place, EntraTenant.refusal(of: name))
    }
    return check(
      .authority, "the authority is an https address with a tenant", expected: value, found: value, true, "",
      at: authority.place)
  }

  /// Returns the finding of an address that is not https, or whose host is misspelt, or `nil`.
  private func formCheck(_ value: String, _ place: FilePlace) -> DoctorCheck? {
    guard value.lowercased().hasPrefix("https://") else {
      let right = "https://\(value.withoutScheme.drop { $0 == "/" })"
      return check(
        .authority, "the authority is an https address", expected: right, found: value, false,
        "The authority is not an https URL", at: place, fix: "\"\(right)\"")
    }
    let host = value.withoutScheme.prefix { $0 != "/" }.lowercased()
    guard !host.contains("{"), let meant = EntraHost.meant(by: host) else { return nil }
    // `login.microsoftonline.comcontoso.onmicrosoft.com`, of two parts without the slash between them.
    let rest = host.hasPrefix(meant) ? host.dropFirst(meant.count) : ""
    let isJoined = !rest.isEmpty && !rest.hasPrefix(".")
    let path = (isJoined ? "/" + rest : "") + value.withoutScheme.drop { $0 != "/" }
    return check(
      .authority, "the authority's host is spelled right", expected: meant, found: host, false,
      isJoined ? "No slash is before the authority's tenant" : "The authority's host is misspelt", at: place,
      fix: "\"https://\(meant)\(path)\"")
  }

  /// The checks of the address and the tenant from which Microsoft.Identity.Web makes the authority.
  ///
  /// Source: microsoft-identity-web, `AuthorityHelpers.cs`, `BuildAuthority`.
  private func instanceChecks(_ instance: Found<String>, _ tenant: Found<String>?) -> [DoctorCheck] {
    guard !instance.value.isEmpty, !Placeholders.contain(instance.value) else { return [] }
    if let form = formCheck(instance.value, instance.place) { return [form] }
    let host = instance.value.withoutScheme.prefix { $0 != "/" }.lowercased()
    let path = instance.value.withoutScheme.drop { $0 != "/" }.split(separator: "/")
    let isOfEntra = PublicCloud.aliases.contains(host)
    let whole = check(
      .authority, "Instance is only the host", expected: "https://\(host)/", found: instance.value,
      !isOfEntra || path.isEmpty || path.first == "tfp", "Instance has more than the host",
      at: instance.place,
      fix: "\"Instance\": \"https://\(host)/\"")
    guard !whole.hasFailed, isOfEntra, let tenant, !tenant.value.isEmpty, !Placeholders.contain(tenant.value)
    else { return [whole] }
    return [
      whole,
      check(
        .authority, "TenantId is an ID or a domain", expected: "the directory (tenant) ID",
        found: tenant.value,
        EntraTenant.mayBe(tenant.value.lowercased()) && !tenant.value.contains("/"),
        "TenantId is not a tenant",
        at: tenant.place, EntraTenant.refusal(of: tenant.value)),
    ]
  }

  /// The check of the path to which the provider returns.
  ///
  /// Source: dotnet/aspnetcore, `PathString.cs`.
  private func callbackCheck(_ callback: Found<String>) -> DoctorCheck? {
    guard !callback.value.isEmpty, !Placeholders.contain(callback.value) else { return nil }
    let rest = callback.value.withoutScheme
    let right =
      callback.value.contains("://") ? String(rest.drop { $0 != "/" }) : "/" + callback.value
    return check(
      .redirectURI, "CallbackPath is a path",
      expected: callback.value.hasPrefix("/") ? callback.value : right,
      found: callback.value, callback.value.hasPrefix("/"), "CallbackPath does not begin with a slash",
      at: callback.place,
      DoctorCheck.Refusal(
        "ArgumentException", "The path in 'value' must start with '/'. (Parameter 'value')"),
      fix: "\"CallbackPath\": \"\(right)\"")
  }

  private func misspeltCheck(_ key: MisspeltKey) -> DoctorCheck {
    let rules: [String: DoctorRule] = [
      "clientid": .clientID, "instance": .authority, "tenantid": .authority, "authority": .authority,
    ]
    var found = check(
      rules[key.key.lowercased()] ?? .clientType, "the settings have \(key.key)", expected: key.key,
      found: key.written.value, false, key.mistake, at: key.written.place, fix: key.key + ":")
    found.misspelt = key
    // Without them, MSAL Node takes the authority for all tenants.
    return key.key == "authority" ? found.asQuestion : found
  }

  /// The check of an issuer, which NextAuth compares with the metadata's, byte for byte.
  private func tokenIssuerCheck(_ issuer: Found<String>) -> DoctorCheck? {
    guard !issuer.value.contains("$"), !Placeholders.contain(issuer.value) else { return nil }
    if let form = formCheck(issuer.value, issuer.place) { return form }
    let host = issuer.value.withoutScheme.prefix { $0 != "/" }.lowercased()
    guard PublicCloud.aliases.contains(host) else { return nil }
    let path = issuer.value.withoutScheme.drop { $0 != "/" }.split(separator: "/")
    let right = "https://\(host)/\(path.first ?? "<tenant ID>")/v2.0"
    return check(
      .authority, "the issuer is that of version 2", expected: right, found: issuer.value,
      path.count == 2 && path[1] == "v2.0", "The issuer is not the tenant's", at: issuer.place,
      fix: "issuer: \"\(right)\"")
  }

  /// The check of the scopes of a sign-in, of which MSAL Python refuses its own.
  ///
  /// Source: microsoft-authentication-library-for-python, `application.py`, `_decorate_scope`.
  private func reservedCheck(_ list: FoundList) -> DoctorCheck? {
    // MSAL Node accepts its own.
    let reserved: Set =
      facts.vendor == .msalPython ? ["openid", "profile", "offline_access"] : []
    guard !list.values.contains(where: Placeholders.contain) else { return nil }
    guard let first = list.values.first(where: reserved.contains) else {
      guard let mistake = RequestScopesMistake(list.values) else { return nil }
      return check(
        .requestScopes, mistake.requirement, expected: mistake.expected, found: mistake.found, false,
        mistake.title,
        at: list.place, mistake.refusal, fix: RequestScopesMistake.literal(mistake.right))
    }
    return check(
      .requestScopes, "no scope is reserved", expected: "no \(first)",
      found: list.values.joined(separator: " "), false,
      "A scope is reserved", at: list.place,
      DoctorCheck.Refusal("ValueError", "You cannot use any scope value that is reserved."),
      fix: RequestScopesMistake.literal(list.values.filter { !reserved.contains($0) }))
  }

  /// The check that a request without a user asks for all permissions that an administrator has granted to the program.
  ///
  /// Source: Microsoft, “Microsoft identity platform and the OAuth 2.0 client credentials flow”.
  private func clientScopesCheck(_ list: FoundList) -> DoctorCheck {
    let wrong = list.items.first {
      !RequestedScopes.isDefaultOfResource($0.value) && !Placeholders.contain($0.value)
    }
    let written = wrong?.value ?? list.values.joined(separator: " ")
    let resource = ProtectedResource.isGraphPermission(written) ? "https://graph.microsoft.com" : nil
    let start = written.contains("/") ? written.lastIndex(of: "/").map { String(written[..<$0]) } : resource
    let right = (start ?? "<resource>") + "/.default"
    let refusal = OAuthError.appScopeInvalid(written)
    return check(
      .requestScopes, "a program without a user asks for .default", expected: wrong == nil ? written : right,
      found: written, wrong == nil, "A request without a user names a permission",
      at: wrong?.place ?? list.place,
      DoctorCheck.Refusal(refusal.number ?? "", refusal.message), fix: RequestScopesMistake.literal([right]))
  }

  /// The checks that a request without a user names a tenant, which no account says.
  ///
  /// Another authority, or one of another file, may be the request's.
  private func tenantChecks(_ server: VendorFacts.Server) -> [DoctorCheck] {
    guard let request = server.requestWithoutUser else { return [] }
    let isOnly = Set(server.authorities.map(\.value)).count == 1
    return server.authorities.compactMap { authority in
      guard let parts = URLParts(authority.value.trimmed),
        PublicCloud.aliases.contains(parts.host.lowercased()),
        let tenant = parts.path.split(separator: "/").first.map({ $0.lowercased() }),
        Authority.tenantless.contains(tenant)
      else { return nil }
      let error = OAuthError.tenantNotNamed
      let found = check(
        .authority, "a program without a user names its tenant", expected: "a tenant's ID or domain",
        found: tenant, false, "A request without a user names no tenant", at: authority.place,
        DoctorCheck.Refusal(error.number ?? "", error.message),
        fix: "\"https://\(parts.authority)/<tenant ID or domain>\"")
      return isOnly && authority.place.path == request.path ? found : found.asQuestion
    }
  }

  /// The check of a redirect URI, which Entra takes without https only on the machine itself, and the comparison with the
  /// registration.
  private func redirectChecks(_ redirect: Found<String>, _ server: VendorFacts.Server) -> [DoctorCheck] {
    guard !Placeholders.contain(redirect.value), !redirect.value.contains("$"), !redirect.value.contains("{"),
      let parts = URLParts(redirect.value), ["http", "https"].contains(parts.scheme.lowercased())
    else { return [] }
    let isRight = parts.scheme.lowercased() == "https" || isLoopback(parts.host.lowercased())
    let form = check(
      .redirectURI, "the redirect URI is https, or http on localhost",
      expected: "https://… or http://localhost", found: redirect.value, isRight,
      "The redirect URI is not https", at: redirect.place, .unregistered(redirect.value),
      fix: "\"https\(redirect.value.dropFirst(parts.scheme.count))\"")
    guard isRight, server.isConfidential,
      let registration = server.clientIDs.lazy.compactMap({ registrations.of($0.value) }).first
    else { return [form] }
    return [
      form,
      registration.redirectCheck(of: redirect.value, usedAs: .web, subject: facts.name, at: redirect.place),
    ]
  }

  private func textCheck(_ text: Found<String>) -> DoctorCheck {
    check(
      .requestScopes, "the scopes are a list", expected: "[\"\(text.value)\"]", found: "\"\(text.value)\"",
      false,
      "The scopes are not a list", at: text.place,
      DoctorCheck.Refusal("ValueError", "The input scopes should be a list, tuple, or set"),
      fix: RequestScopesMistake.literal(text.value.split(separator: " ").map(String.init)))
  }

  private func policyCheck(_ place: FilePlace) -> DoctorCheck {
    check(
      .authority, "the settings have the policy", expected: "SignUpSignInPolicyId", found: "none", false,
      "The settings lack B2C's policy", at: place, fix: "\"SignUpSignInPolicyId\": \"<policy>\"")
  }
}

extension Vendor {
  /// Source: microsoft-identity-web, `MicrosoftIdentityOptions.cs`.
  static let identityWeb = Vendor(name: "Microsoft.Identity.Web", rule: .authority)
  /// Source: dotnet/aspnetcore, `WebAssembly.Authentication.Msal`.
  static let blazor = Vendor(name: "MSAL for Blazor WebAssembly", rule: .authority)
  /// Source: microsoft-authentication-library-for-python, `application.py`.
  static let msalPython = Vendor(name: "MSAL Python", rule: .authority)
  /// Source: microsoft-authentication-library-for-js, `lib/msal-node/docs/configuration.md`.
  static let msalNode = Vendor(name: "MSAL Node", rule: .authority)
  /// Source: @azure/identity, README.
  static let azureIdentity = Vendor(name: "Azure Identity for JavaScript", rule: .requestScopes)
  /// Source: next-auth, `providers/azure-ad.ts`.
  static let nextAuth = Vendor(name: "NextAuth", rule: .authority)
}
