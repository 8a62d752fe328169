import SSOCore

/// The rules for vendors' libraries in Android apps.
extension VendorRules {
  func moduleChecks(_ module: VendorFacts.Module) -> [DoctorCheck] {
    if let missing = module.missingDependency {
      return [
        check(
          "the build depends on the library", expected: facts.vendor.artifacts[0], found: missing.value,
          false,
          "The build does not depend on \(facts.vendor.name)", at: missing.place,
          DoctorCheck.Refusal("Unresolved reference", "Unresolved reference"))
      ]
    }
    if let manifest = module.lackingFilter {
      return [
        check(
          "the app takes the callback", expected: "a filter for {applicationId}://{domain}/android/…",
          found: "none",
          false, "The manifest lacks Auth0's filter", at: manifest)
      ]
    }
    let names = facts.vendor.placeholders.map(\.name)
    let lacking =
      facts.vendor.placeholders.filter { module.missing.contains($0.name) }.map { ($0.name, $0.attribute) }
      + module.unset.map { ($0.name, $0.attribute) }
    let present = names.filter { name in !lacking.contains { $0.0 == name } }
    let merged = check(
      module.isOfPlugin ? "app.json has the library's plugin" : "the build sets the manifest placeholders",
      expected: (names + module.unset.map(\.name).filter { !names.contains($0) }).joined(separator: ", "),
      found: present.isEmpty ? "none" : present.joined(separator: ", "), lacking.isEmpty,
      !module.isOfPlugin
        ? "The build lacks a manifest placeholder"
        : present.isEmpty ? "app.json lacks the plugin of Auth0" : "The plugin of Auth0 has no domain",
      at: facts.origin,
      lacking.first.map { .unset($0, of: $1) }, fix: lines(module))
    guard lacking.isEmpty else { return [merged] }
    if let misnamed = module.misnamed {
      let name = "manifestPlaceholders"
      return [
        check(
          "Gradle knows the name of the placeholders", expected: name, found: misnamed.value, false,
          "\(name) is misspelt", at: misnamed.place, fix: name)
      ]
    }
    if let variant = module.lackingVariant {
      return [
        check(
          "each build sets the manifest placeholders", expected: "a value for \(variant.value)",
          found: "none",
          false, "A build lacks a manifest placeholder", at: variant.place,
          DoctorCheck.Refusal(
            "Manifest merger failed", "Manifest merger failed with multiple errors, see logs"),
          fix: lines(module))
      ]
    }
    let forms = facts.vendor.placeholders.flatMap { formChecks($0, module) }
    let isFormed = !forms.contains(where: \.hasFailed)
    // Code has a redirect URI for each provider and platform, and the build uses one of them.
    let schemes = isFormed ? module.redirectURIs.compactMap { schemeCheck(module, $0) } : []
    func isOfOnePlatform(_ path: String) -> Bool {
      path.hasSuffix(".json") || facts.vendor == .auth0 && [".kt", ".java"].contains(where: path.hasSuffix)
        || facts.vendor == .auth0 && path.hasSuffix(".dart") && !module.isPerPlatform
    }
    let isTaken = schemes.contains { !isOfOnePlatform($0.place.path) && !$0.hasFailed }
    return [merged] + forms + module.undeclared.map { undeclaredCheck($0, module) }
      + module.lackingKeys.map { lackingKeyCheck($0, module) }
      + schemes.compactMap { scheme in
        guard isTaken, scheme.hasFailed, !isOfOnePlatform(scheme.place.path) else { return scheme }
        return resembles(module, scheme.check.found) ? scheme.asQuestion : nil
      }
      + module.issuers.flatMap(issuerChecks) + module.bases.flatMap(baseChecks)
      + module.bareURIs.filter { !$0.value.isEmpty && !Placeholders.contain($0.value) }.map(bareCheck)
      + (isFormed ? module.signOutURIs.compactMap { signOutCheck($0, module) } : [])
      + [module.unprovidedUse.map(providerCheck)].compactMap(\.self)
      + (module.clientIDs + module.domains).filter { $0.value.isEmpty || Placeholders.contain($0.value) }
      .map {
        .placeholder(facts.vendor == .auth0 ? "value of Auth0" : "client ID", $0, subject: facts.name)
      }
      + (facts.vendor == .auth0 ? accountChecks(module.domains, module.clientIDs) : [])
      + (isFormed ? [hostCheck(module), usualSchemeCheck(module), pathCheck(module)].compactMap(\.self) : [])
  }

  // MARK: .NET

  /// The checks of the redirect URIs that an app with WebAuthenticator has, and of its account at Auth0.
  func callbackChecks(_ callback: VendorFacts.Callback) -> [DoctorCheck] {
    let waiting = (callback.domains + callback.clientIDs + callback.redirects).filter {
      !$0.value.isEmpty && Placeholders.contain($0.value)
    }
    let addresses = callback.domains.filter { $0.value.contains("://") || $0.value.contains("/") }.map {
      domain in
      let host = domain.value.withoutScheme.prefix { $0 != "/" }
      return check(
        "the domain is only a host", expected: String(host), found: domain.value, false,
        "The domain is not only a host", at: domain.place, fix: "\"\(host)\"")
    }
    let schemes = callback.redirects.filter { !Placeholders.contain($0.value) }.compactMap {
      redirect -> DoctorCheck? in
      guard !callback.filters.contains(where: { $0.scheme == nil || $0.scheme == "@" }),
        let scheme = Self.scheme(of: redirect.value)
      else { return nil }
      let rest = redirect.value.withoutScheme
      let host = rest.prefix { !"/?#".contains($0) }.split(separator: ":").first.map(String.init) ?? ""
      let isTaken = callback.filters.contains { filter in
        filter.scheme == scheme && [nil, "@", "*", host].contains(filter.host)
      }
      // The end of a URI that is not formed is not its path: `lamp:/ /callback`.
      let path = redirect.value.hasPrefix(scheme + "://") ? rest.drop { !"/?#".contains($0) } : ""
      let wanted = callback.filters.first.map { "\($0.scheme ?? "")://\($0.host ?? host)" }
      return check(
        "an activity takes the callback", expected: wanted ?? "an activity with a filter for \(scheme)",
        found: callback.activity == nil ? "none" : redirect.value, isTaken,
        callback.activity == nil
          ? "No activity takes the callback" : "The activity takes another redirect URI",
        at: redirect.place,
        DoctorCheck.Refusal(
          "WebAuthenticatorCallbackActivity",
          "You must subclass the `WebAuthenticatorCallbackActivity` and create an IntentFilter for it which matches your `callbackUrl`."
        ),
        fix: wanted.map { "\"\($0)\(path)\"" })
    }
    return waiting.prefix(1).map { .placeholder("value of the code", $0, subject: facts.name) } + addresses
      + (addresses.isEmpty ? accountChecks(callback.domains, callback.clientIDs) : []) + schemes
  }

  // MARK: Values of the build

  /// Returns the checks that a value can be the scheme or the host of a redirect URI: browsers write a scheme without
  /// capital letters, and Android compares it as it is.
  ///
  /// Sources: RFC 3986 §3.1; developer.android.com/guide/topics/manifest/data-element (`android:scheme`).
  private func formChecks(
    _ placeholder: Vendor.Placeholder, _ module: VendorFacts.Module
  ) -> [DoctorCheck] {
    let values = module.values[placeholder.name] ?? []
    return values.prefix(1).flatMap { first -> [DoctorCheck] in
      let isHost = placeholder.attribute == "host"
      let allowed = isHost ? "-.*_" : "-.+"
      let wrong = values.first { !Self.consists($0.value, of: allowed, isLowercase: !isHost) }
      let value = wrong ?? first
      guard value.value.hasPrefix("@") || !value.value.isEmpty && !Placeholders.contain(value.value) else {
        return [.placeholder(placeholder.name, value, subject: facts.name)]
      }
      // The quotes of a properties file are part of its value.
      let end = value.value.filter { $0 != "\"" }.trimmed
      let right =
        value.value.hasPrefix("@")
        ? "@string/" + (end.split(separator: "/").last ?? "")
        : isHost
          ? end.split(separator: "/").first { !$0.hasSuffix(":") }.map(String.init) ?? end
          : end.prefix { $0 != ":" && $0 != "/" }.lowercased().replacing("_", with: "-")
      let isLong = value.value.contains(":") || value.value.contains("/")
      let isReference = value.value.hasPrefix("@")
      // An app that does not use AppAuth's activity sets any value.
      // A filter of the app's own may take the redirect.
      let uris = module.redirectURIs.compactMap { Self.scheme(of: $0.value) }
      let isTakenElsewhere =
        module.hasOwnActivity && (uris.isEmpty || uris.contains(where: module.manifestSchemes.contains))
      let isUsed =
        facts.vendor == .auth0
        || module.redirectURIs.contains { $0.value.lowercased().hasPrefix(value.value.lowercased()) }
      return [
        check(
          "\(placeholder.name) is a \(placeholder.attribute)", expected: right, found: value.value,
          wrong == nil,
          isReference
            ? "\(placeholder.name) is not a string resource"
            : isHost || isLong
              ? "\(placeholder.name) is not only a \(placeholder.attribute)"
              : value.value.lowercased() == right && Self.consists(right, of: allowed, isLowercase: true)
                ? "\(placeholder.name) has a capital letter" : "\(placeholder.name) is not a scheme",
          at: value.place,
          severity: (isUsed || isLong) && !isTakenElsewhere ? .fails : .worksInSomeCases,
          // Code has to change with a scheme that no URI can have.
          fix: !isHost && value.value.contains("_") ? nil : line(placeholder.name, right, in: value.place))
      ]
    }
  }

  private static func consists(_ value: String, of signs: String, isLowercase: Bool) -> Bool {
    value.unicodeScalars.allSatisfy { character in
      switch character {
      case "a"..."z", "0"..."9": true
      case "A"..."Z": !isLowercase
      default: signs.unicodeScalars.contains(character)
      }
    }
  }

  /// Returns the check that a string resource is declared, without which the build fails.
  private func undeclaredCheck(
    _ resource: VendorFacts.Undeclared, _ module: VendorFacts.Module
  ) -> DoctorCheck {
    let name = resource.name.value
    return check(
      "the string resource is declared", expected: name, found: resource.nearest ?? "none", false,
      "The string \(name) is not declared", at: resource.name.place,
      severity: resource.nearest == nil && module.isWithheld ? .worksInSomeCases : .fails,
      DoctorCheck.Refusal("resource not found", "resource string/\(name) not found"),
      fix: "<string name=\"\(name)\">…</string>")
  }

  /// Returns the check that a configuration has a key that its reader requires.
  private func lackingKeyCheck(
    _ key: VendorFacts.LackingKey, _ module: VendorFacts.Module
  ) -> DoctorCheck {
    if key.isThere { return .placeholder(key.name, Found("", key.place), subject: facts.name) }
    return check(
      "the configuration has the key", expected: key.name, found: key.misspelt?.written.value ?? "none",
      false,
      key.misspelt?.mistake ?? "The configuration lacks \(key.name)",
      at: key.misspelt?.written.place ?? key.place,
      severity: module.isConfigurationNamed ? .fails : .worksInSomeCases,
      fix: key.place.path.hasSuffix(".properties") ? "\(key.name)=" : "\"\(key.name)\":")
  }

  // MARK: Auth0

  /// The findings of a domain and a client ID in code that have each other's form, or that no tenant has.
  private func accountChecks(_ domains: [Found<String>], _ clientIDs: [Found<String>]) -> [DoctorCheck] {
    let hosts = domains.filter { !$0.value.isEmpty && !Placeholders.contain($0.value) }.compactMap {
      domain in
      let host = domain.value.withoutScheme.prefix { $0 != "/" }.lowercased()
      if let right = Self.auth0Host(meantBy: host) {
        return check(
          "the domain is a host of Auth0", expected: right, found: domain.value, false,
          "The domain is mistyped",
          at: domain.place, fix: "\"\(right)\"")
      }
      return host.contains(".") && !host.contains(" ") && !Self.isDashboard(host)
        ? nil
        : check(
          "the domain is a host of Auth0", expected: "<tenant>.auth0.com", found: domain.value, false,
          "The domain is not a tenant's", at: domain.place)
    }
    return hosts
      + clientIDs.filter { !Placeholders.contain($0.value) }.compactMap { client in
        let isWrong = client.value.hasSuffix(".auth0.com") || client.value.contains(where: \.isWhitespace)
        return isWrong
          ? check(
            "the client ID is one of Auth0's", expected: "letters and digits", found: client.value, false,
            "The client ID is not one of Auth0's", at: client.place) : nil
      }
  }

  /// Returns the check that the build and the code name one host: the filter takes the callback of no other one.
  ///
  /// Source: Auth0.Android, `CallbackHelper.getCallbackUri`.
  private func hostCheck(_ module: VendorFacts.Module) -> DoctorCheck? {
    func host(_ domain: Found<String>) -> String {
      domain.value.withoutScheme.prefix { $0 != "/" }.lowercased()
    }
    let all = module.values["auth0Domain"] ?? []
    let own = all.map(host)
    guard let first = all.first, let used = module.domains.first, !module.hasOwnActivity,
      !(all + module.domains).contains(where: { $0.value.isEmpty || Placeholders.contain($0.value) }),
      !own.contains(where: { $0.contains("*") })
    else { return nil }
    return check(
      "auth0Domain is the domain of the code", expected: host(used), found: first.value,
      module.domains.map(host).contains(where: own.contains), "auth0Domain is another domain than the code's",
      at: first.place,
      fix: line("auth0Domain", host(used), in: first.place))
  }

  /// Returns the check that the app's own filter has the path of the callback.
  ///
  /// Source: react-native-auth0 2, `webauth/index.js`, `callbackUri`.
  private func pathCheck(_ module: VendorFacts.Module) -> DoctorCheck? {
    guard let path = module.callbackPath, let id = module.packageName, module.packageNames.count == 1,
      !path.value.contains("$"), !path.value.hasPrefix("@")
    else { return nil }
    let wanted = "/android/\(id)/callback"
    return check(
      "the filter has the callback's path", expected: wanted, found: path.value, path.value == wanted,
      "The filter has another path than the callback", at: path.place,
      fix: "android:pathPrefix=\"/android/${applicationId}/callback\"")
  }

  /// Returns the check that the build has the scheme that a wrapper takes by itself.
  private func usualSchemeCheck(_ module: VendorFacts.Module) -> DoctorCheck? {
    let all = module.values[facts.vendor.schemeName] ?? []
    guard let usual = module.usualSchemes, let wanted = usual.value.first, let first = all.first,
      !all.contains(where: { Placeholders.contain($0.value) })
    else { return nil }
    return check(
      "the build has the wrapper's scheme", expected: wanted, found: first.value,
      usual.value.contains { scheme in
        all.contains { $0.value == scheme } || module.manifestSchemes.contains(scheme)
      }, "\(facts.vendor.schemeName) is not the scheme of the callback", at: first.place,
      fix: line(facts.vendor.schemeName, wanted, in: first.place))
  }

  // MARK: The redirect URI

  /// Returns a value as the file at a place has it: a properties file needs no quotes.
  private func quoted(_ value: String, in place: FilePlace) -> String {
    place.path.hasSuffix(".properties") ? value : "\"\(value)\""
  }

  /// Returns the check that the provider's address in a configuration is a URL, from which the library reads the
  /// metadata.
  private func issuerCheck(_ issuer: Found<String>) -> DoctorCheck? {
    guard !issuer.value.isEmpty, !Placeholders.contain(issuer.value) else { return nil }
    return check(
      "the provider's address is a URL", expected: "https://…", found: issuer.value,
      ["https://", "http://"].contains(where: issuer.value.lowercased().hasPrefix),
      "The provider's address is not a URL", at: issuer.place,
      fix: quoted("https://\(issuer.value)", in: issuer.place))
  }

  /// Returns the checks of an issuer, to which the library adds the path of its metadata.
  private func baseChecks(_ issuer: Found<String>) -> [DoctorCheck] {
    let end = "/.well-known/openid-configuration"
    guard issuer.value.hasSuffix(end), issuerCheck(issuer)?.hasFailed == false else {
      return issuerChecks(issuer)
    }
    let right = String(issuer.value.dropLast(end.count))
    return [
      check(
        "the issuer is not the address of its metadata", expected: right, found: issuer.value, false,
        "The issuer is the address of its metadata", at: issuer.place, fix: "\"\(right)\"")
    ]
  }

  /// Returns the checks of a provider's address: its form, and the spelling of its host.
  private func issuerChecks(_ issuer: Found<String>) -> [DoctorCheck] {
    guard let form = issuerCheck(issuer) else { return [] }
    guard !form.hasFailed else { return [form] }
    let host = issuer.value.withoutScheme.prefix { $0 != "/" }.lowercased()
    guard
      let right = Self.oktaHost(meantBy: host) ?? Self.auth0Host(meantBy: host) ?? EntraHost.meant(by: host)
    else {
      return [form]
    }
    let address = issuer.value.replacing(host, with: right)
    return [
      check(
        "the issuer's host is spelled right", expected: address, found: issuer.value, false,
        "The issuer is mistyped",
        at: issuer.place, fix: quoted(address, in: issuer.place))
    ]
  }

  private func bareCheck(_ redirect: Found<String>) -> DoctorCheck {
    check(
      "the redirect URI has a scheme", expected: "<scheme>:/callback", found: redirect.value, false,
      "The redirect URI has no scheme", at: redirect.place)
  }

  /// Returns the check that the browser returns to the app after signing out, as it does after signing in.
  private func signOutCheck(_ redirect: Found<String>, _ module: VendorFacts.Module) -> DoctorCheck? {
    let own = module.values[facts.vendor.schemeName] ?? []
    let isComplete = module.redirectURIs.contains { uri in
      Self.scheme(of: uri.value).map { scheme in own.contains { $0.value == scheme } } ?? false
    }
    guard isComplete, let found = schemeCheck(module, redirect),
      !["https://", "http://"].contains(where: redirect.value.hasPrefix)
    else { return nil }
    return found
  }

  /// Returns the finding of a component that asks for a context which no component provides.
  ///
  /// Source: react-native-auth0, `src/hooks/auth0-context.ts`, whose initial methods throw.
  private func providerCheck(_ use: FilePlace) -> DoctorCheck {
    check(
      "the app has Auth0Provider", expected: "<Auth0Provider domain={…} clientId={…}>", found: "none", false,
      "useAuth0 is used without Auth0Provider", at: use,
      DoctorCheck.Refusal("No provider was set", "No provider was set"))
  }

  /// Returns the line that sets a placeholder in a build file, in the resources, or in the configuration of Expo.
  private func line(_ name: String, _ value: String, in place: FilePlace) -> String {
    if place.path.hasSuffix(".xml") { return value }
    if place.path.hasSuffix(".kts") { return "manifestPlaceholders[\"\(name)\"] = \"\(value)\"" }
    let key = name == "auth0Domain" ? "domain" : "customScheme"
    return place.path.hasSuffix(".json") ? "\"\(key)\": \"\(value)\"" : "\(name): \"\(value)\""
  }

  private func lines(_ module: VendorFacts.Module) -> String {
    let domain = module.domains.first?.value ?? "<your domain>"
    if module.isOfPlugin { return "[\"react-native-auth0\", { \"domain\": \"\(domain)\" }]" }
    let scheme =
      module.redirectURIs.first.flatMap { Self.scheme(of: $0.value) }
      ?? module.wrapperScheme
      ?? (facts.vendor == .auth0 ? "https" : module.packageName ?? "<scheme of the redirect URI>")
    let values = facts.vendor.placeholders.map {
      ($0.name, $0.attribute == "scheme" ? scheme : domain)
    }
    if module.isKotlinScript {
      return values.map { "manifestPlaceholders[\"\($0.0)\"] = \"\($0.1)\"" }.joined(separator: "\n")
    }
    return "manifestPlaceholders = [" + values.map { "\($0.0): \"\($0.1)\"" }.joined(separator: ", ") + "]"
  }

  private static func isOfScript(_ path: String) -> Bool {
    SourceLanguage.scriptEndings.contains(where: path.hasSuffix)
  }

  private static func scheme(of uri: String) -> String? {
    guard let colon = uri.firstIndex(of: ":"), colon != uri.startIndex else { return nil }
    return String(uri[..<colon])
  }

  /// Returns whether a redirect URI has the scheme of the app but for the end of its last part, as after a mistake in
  /// copying.
  private func resembles(_ module: VendorFacts.Module, _ uri: String) -> Bool {
    guard let scheme = Self.scheme(of: uri), scheme.contains(".") else { return false }
    return (module.values[facts.vendor.schemeName] ?? []).contains { own in
      let (short, long) =
        scheme.utf8.count < own.value.utf8.count ? (scheme, own.value) : (own.value, scheme)
      return long.hasPrefix(short) && !long.dropFirst(short.count).contains(".")
    }
  }

  /// The check that an activity takes the redirect URI of the library's configuration file.
  private func schemeCheck(_ module: VendorFacts.Module, _ redirect: Found<String>) -> DoctorCheck? {
    let page =
      redirect.value.hasPrefix("https://") ? redirect.value.withoutScheme.prefix { !"/?#".contains($0) } : ""
    if !page.isEmpty, !module.pageHosts.isEmpty, !module.pageHosts.contains(String(page)) {
      // The page at the address may open the app itself.
      return check(
        "a filter takes the page of the redirect URI",
        expected: module.pageHosts.sorted().joined(separator: ", "),
        found: String(page), false, "The filter takes another host", at: redirect.place,
        severity: .worksInSomeCases)
    }
    let values = module.values[facts.vendor.schemeName] ?? []
    guard !Placeholders.contain(redirect.value), let scheme = Self.scheme(of: redirect.value),
      let set = values.first, !values.contains(where: { Placeholders.contain($0.value) })
    else { return nil }
    // A browser writes each scheme in lowercase, and code may ask Android about the scheme as it is.
    let isOfJSON = redirect.place.path.hasSuffix(".json")
    let isSet = values.contains {
      $0.value == scheme || $0.value == scheme.lowercased() && !(module.isSchemeCompared && isOfJSON)
    }
    // A page at an https address may open the app itself.
    let isOfPage =
      facts.vendor != .auth0 && ["https://", "http://"].contains(where: redirect.value.hasPrefix)
    let isInQuotes = redirect.place.path.hasSuffix(".dart") || Self.isOfScript(redirect.place.path)
    let isOfCode = isInQuotes || !isOfJSON
    // Auth0's library takes the scheme alone.
    let right =
      facts.vendor == .auth0 ? set.value : set.value + redirect.value.dropFirst(scheme.count)
    return check(
      "the redirect URI has the app's scheme", expected: "\(set.value):/…", found: redirect.value,
      isSet || module.manifestSchemes.contains(scheme), "The redirect URI has another scheme",
      at: redirect.place,
      severity: !isOfPage && (isOfCode || module.isConfigurationNamed) ? .fails : .worksInSomeCases,
      facts.vendor == .okta
        ? DoctorCheck.Refusal(
          "No uri registered",
          "No uri registered to handle redirect or multiple applications registered") : nil,
      fix: isInQuotes ? "'\(right)'" : (isOfCode ? "" : "\"redirect_uri\": ") + "\"\(right)\"")
  }
}
