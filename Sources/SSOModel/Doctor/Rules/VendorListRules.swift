import SSOCore

/// The rules for the property lists, and the values in code, of other vendors' libraries for Apple's platforms.
extension VendorRules {
  // MARK: Auth0 and Okta

  private var isOfAuth0: Bool { facts.vendor.rule == .auth0Callback }

  /// The keys without which a library rejects its list, and the error.
  ///
  /// Source: Auth0.swift, `plistValues(bundle:)`; okta-oidc-ios, `OktaOidcConfig.init(with:)`; okta-mobile-swift,
  /// `OAuth2ClientConfiguration.swift`.
  private func needed(_ list: VendorFacts.List) -> (keys: [String], refusal: DoctorCheck.Refusal?) {
    isOfAuth0
      ? (
        ["ClientId", "Domain"],
        DoctorCheck.Refusal("Auth0.plist", "Auth0.plist file is missing 'ClientId' and/or 'Domain' entries!")
      )
      : (["clientId", "issuer", "scopes"] + (list.usesBrowser ? ["redirectUri"] : []), nil)
  }

  func listChecks(_ list: VendorFacts.List) -> [DoctorCheck] {
    // The template of a project that keeps its values elsewhere has empty ones.
    let waiting = list.values.values.filter { $0.value.isEmpty || Placeholders.contain($0.value) }
      .min { ($0.place.line ?? 0) < ($1.place.line ?? 0) }
    if let waiting {
      return [.placeholder("value of \(fileName(facts.origin.path))", waiting, subject: facts.name)]
    }
    let (keys, refusal) = needed(list)
    let missing = keys.filter { key in
      !VendorFacts.List.names(of: key).contains { list.values[$0] != nil }
    }
    var checks = [
      check(
        "the list has the library's keys", expected: keys.joined(separator: ", "),
        found: missing.isEmpty ? "all" : "no " + missing.joined(separator: ", "), missing.isEmpty,
        "The list lacks \(missing.joined(separator: ", "))", at: facts.origin, refusal,
        fix: missing.map { "<key>\($0)</key>\n<string><your \($0)></string>" }.joined(separator: "\n"))
    ]
    if let use = list.unbundledUse {
      let (name, own) = (isOfAuth0 ? "Auth0.plist" : "Okta.plist", fileName(facts.origin.path))
      checks.append(
        name == own
          ? check(
            "the app has \(name)", expected: "a resource of the target", found: "not in its resources",
            false, "\(name) is not in the app", at: use, refusal)
          : check(
            "the list has the name that the library reads", expected: name, found: own, false,
            "\(name) has another name", at: facts.origin, refusal))
    }
    if isOfAuth0, missing.isEmpty, let domain = list.values["Domain"], let client = list.values["ClientId"] {
      checks += accountChecks(domain, client)
      if let use = list.secureCallback { checks.append(domainCheck(of: domain.value, list.domains, use)) }
    }
    if !isOfAuth0 { checks += issuerChecks(list) + redirectChecks(list) }
    return checks
  }

  /// The checks of the domain, to which the library adds `https://` and a slash, and of the client ID.
  ///
  /// Source: Auth0.swift, `NSURL+Auth0.swift`. The IDs of Auth0's applications have 32 letters and digits.
  private func accountChecks(_ domain: Found<String>, _ client: Found<String>) -> [DoctorCheck] {
    let written = domain.value.hasPrefix("https://") ? String(domain.value.dropFirst(8)) : domain.value
    let host = written.hasSuffix("/") ? String(written.dropLast()) : written
    let isHost = host.contains(".") && host.allSatisfy { $0.isLetter || $0.isNumber || "-.:".contains($0) }
    let own = host.prefix { $0 != "/" }.trimmed
    let form = check(
      "the domain is a host", expected: "<tenant>.auth0.com", found: domain.value, isHost,
      "The domain is not a host", at: domain.place,
      // Another server may be below a path.
      severity: host.hasPrefix(own + "/") && own.contains(".") && !own.hasSuffix(".auth0.com")
        && !own.contains(" ")
        ? .worksInSomeCases : .fails, fix: own.contains(".") ? "<string>\(own)</string>" : nil)
    let right = Self.auth0Host(meantBy: own.lowercased())
    let isDashboard = Self.isDashboard(own.lowercased())
    let name = check(
      "the domain is the tenant's", expected: isDashboard ? "<tenant>.auth0.com" : right ?? own,
      found: domain.value, right == nil && !isDashboard,
      isDashboard ? "The domain is not a tenant's" : "The domain is mistyped", at: domain.place)
    let isID =
      client.value.count == 32
      && client.value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    let isKnown =
      own.lowercased().hasSuffix(".auth0.com") || right != nil || client.value.contains(".")
      || client.value.contains(" ")
    let id = check(
      "the client ID is one of Auth0's", expected: "32 letters and digits", found: client.value,
      isID || !isKnown,
      "ClientId is not a client ID of Auth0", at: client.place)
    return [form, name, id]
  }

  /// Returns whether a host is Auth0's own, where no tenant signs in.
  static func isDashboard(_ host: String) -> Bool {
    ["auth0.com", "www.auth0.com", "manage.auth0.com", "accounts.auth0.com", "cdn.auth0.com"].contains(host)
  }

  /// Returns the host of Auth0 that another one is a misspelling of, or `nil`; a custom domain may resemble it a little.
  static func auth0Host(meantBy host: String) -> String? {
    let labels = host.split(separator: ".").map(String.init)
    guard labels.count > 2, case let end = labels.suffix(2).joined(separator: "."), end != "auth0.com",
      ["auth0.com"].closestSpelling(to: end, most: 2) != nil
    else { return nil }
    let isOfTenant =
      labels[0].hasPrefix("dev-")
      || labels.count == 4 && ["us", "eu", "au", "jp", "uk", "ca"].contains(labels[1])
    guard isOfTenant || ["auth0.com"].closestSpelling(to: end, most: 1) != nil && end != "auth.com" else {
      return nil
    }
    return (labels.dropLast(2) + ["auth0.com"]).joined(separator: ".")
  }

  /// The check that an https callback belongs to an associated domain, without which the system does not open the page.
  ///
  /// Source: Apple, `ASWebAuthenticationSession.Callback.https(host:path:)`.
  private func domainCheck(of domain: String, _ domains: FoundList?, _ use: FilePlace) -> DoctorCheck {
    let wanted = "webcredentials:" + domain
    let found = (domains?.values ?? []).filter { $0.hasPrefix("webcredentials:") }
    return check(
      "the callback's domain is an associated domain", expected: wanted,
      found: found.isEmpty ? "none" : found.joined(separator: ", "),
      found.contains { $0.split(separator: "?").first.map(String.init) == wanted || $0.contains("$(") },
      found.isEmpty
        ? "The entitlements lack Auth0's domain" : "The associated domains have another domain than Auth0's",
      at: (domains?.items.first { $0.value.hasPrefix("webcredentials:") })?.place ?? domains?.place ?? use,
      fix: domains?.items.isEmpty == true
        ? AppleRules.arrayLines("com.apple.developer.associated-domains", [wanted], isThere: false)
        : AppleRules.stringLine(wanted))
  }

  /// The checks of Okta's issuer: a URL at one of Okta's hosts or a custom one, and with an authorization server's ID.
  ///
  /// Source: Okta, “Authorization servers”; okta-mobile-swift, `OpenIdConfiguration`.
  private func issuerChecks(_ list: VendorFacts.List) -> [DoctorCheck] {
    guard let issuer = VendorFacts.List.names(of: "issuer").lazy.compactMap({ list.values[$0] }).first else {
      return []
    }
    let address = issuer.value.withoutScheme
    let form = check(
      "the issuer is an https URL", expected: "https://…", found: issuer.value,
      issuer.value.hasPrefix("https://") && !issuer.value.contains(" "), "The issuer is not an https URL",
      at: issuer.place,
      fix: AppleRules.stringLine("https://" + address.filter { $0 != " " }))
    let parts = address.split(separator: "/").map(String.init)
    let host = (parts.first ?? "").lowercased()
    let meant = Self.oktaHost(meantBy: host)
    let server = parts.count == 3 && parts[1] == "oauth2" ? parts[2] : "default"
    let isServer = server == "default" || ["default"].closestSpelling(to: server, most: 2) == nil
    return [
      form,
      check(
        "the issuer is the organization's authorization server",
        expected: "https://\(meant ?? host)/oauth2/default",
        found: issuer.value, meant == nil && isServer, "The issuer is mistyped", at: issuer.place
      ),
    ]
  }

  /// Returns the host of an Okta organization that another one is a misspelling of, or the console's, or `nil`.
  static func oktaHost(meantBy host: String) -> String? {
    let end = host.split(separator: ".").dropFirst().joined(separator: ".")
    let ends = ["okta.com", "oktapreview.com", "okta-emea.com"]
    let name = host.prefix { $0 != "." }
    if ends.contains(end) { return name.hasSuffix("-admin") ? host.replacing("-admin.", with: ".") : nil }
    return ends.closestSpelling(to: end, most: end.hasPrefix("okta") ? 2 : 1).map { "\(name).\($0)" }
  }

  /// The check that Okta's redirect URI has a scheme, by which the browser's session ends.
  private func redirectChecks(_ list: VendorFacts.List) -> [DoctorCheck] {
    guard let uri = VendorFacts.List.names(of: "redirectUri").lazy.compactMap({ list.values[$0] }).first
    else { return [] }
    let scheme = uri.value.contains(":") ? uri.value.prefix { $0 != ":" } : ""
    return [
      check(
        "the redirect URI has a scheme", expected: "<scheme>:/callback", found: uri.value,
        scheme.first?.isLetter == true
          && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
          && !uri.value.contains(" "), "The redirect URI has no scheme", at: uri.place)
    ]
  }

  // MARK: Google

  private static let end = ".apps.googleusercontent.com"

  func clientChecks(_ client: VendorFacts.Client) -> [DoctorCheck] {
    let id = client.clientID
    if !id.value.contains("$("), Placeholders.contain(id.value) {
      return [.placeholder("client ID", id, subject: facts.name)]
    }
    // The bundle ID is never part of a client ID.
    let schemes = client.schemes.values.map { $0.replacing(AppleFacts.bundleIDVariable, with: "") }
    guard !id.value.contains("$("), !schemes.contains(where: { $0.contains("$(") }) else { return [] }
    let isClient = id.value.hasSuffix(Self.end) && !id.value.contains(" ")
    let reversed = id.value.trimmed.split(separator: ".").reversed().joined(separator: ".")
    let isInCode = SourceLanguage.isSource(id.place.path)
    let right =
      isClient || id.value.trimmed.hasSuffix(Self.end)
      ? id.value.trimmed : reversed.hasSuffix(Self.end) ? reversed : "<client ID>\(Self.end)"
    let form = check(
      "the client ID is one of Google's", expected: "…\(Self.end)", found: id.value, isClient,
      "\(isInCode ? "The client ID" : "GIDClientID") is not a client ID", at: id.place,
      fix: isInCode ? "\"\(right)\"" : "<string>\(right)</string>")
    guard isClient else { return [form] }
    // The library compares without case, and with white space.
    let isListed = client.schemes.values.contains { $0.lowercased() == reversed.lowercased() }
    let similar = client.schemes.items.first {
      $0.value.trimmed.hasPrefix("com.googleusercontent.apps.") || $0.value.trimmed.hasSuffix(Self.end)
    }
    if let similar, !isListed, Placeholders.contain(similar.value) {
      return [form, .placeholder("URL scheme", similar, subject: facts.name)]
    }
    // No client has a scheme that was cut off.
    let isCut = similar.map { reversed.lowercased().hasPrefix($0.value.lowercased()) } ?? false
    let scheme = check(
      "the reversed client ID is a URL scheme", expected: reversed,
      found: client.schemes.values.isEmpty ? "no schemes" : client.schemes.values.joined(separator: ", "),
      isListed,
      similar == nil
        ? "CFBundleURLTypes lacks the reversed client ID" : "CFBundleURLTypes has another client's scheme",
      at: similar?.place ?? client.schemes.place,
      severity: client.isConfigured || isCut ? .fails : .worksInSomeCases,
      DoctorCheck.Refusal(
        "NSInvalidArgumentException",
        "Your app is missing support for the following URL schemes: \(reversed.lowercased())"),
      fix: AppleRules.schemeLines(reversed, isListed: similar != nil))
    return [form, scheme]
  }

  /// The finding of code that signs in with Google without a client ID.
  ///
  /// Source: GoogleSignIn-iOS, `GIDSignIn.m`, `signInWithOptions:`.
  func noClientCheck(_ use: FilePlace, _ lacking: String, _ near: Found<String>?) -> DoctorCheck {
    check(
      "the library gets a client ID", expected: lacking, found: near?.value ?? "none", false,
      near == nil ? "There is no \(lacking)" : "\(lacking) is misspelt", at: near?.place ?? use,
      DoctorCheck.Refusal(
        "NSInvalidArgumentException",
        "No active configuration. Make sure GIDClientID is set in Info.plist."))
  }
}

extension VendorFacts.List {
  /// Returns the names under which the library reads a key; Okta's later one reads several.
  static func names(of key: String) -> [String] {
    switch key {
    case "clientId": [key, "client_id"]
    case "issuer": [key, "issuer_url", "issuerUrl"]
    case "scopes": [key, "scope"]
    case "redirectUri": [key, "redirect_uri"]
    default: [key]
    }
  }
}
