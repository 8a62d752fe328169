import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference

/// The rules for a web app, whose redirect URI must be registered for a single-page application.
///
/// They are the checks that MSAL.js makes before its first request, and the comparisons of the provider.
struct WebRules {
  let facts: WebFacts
  let registrations: [RegistrationFacts]
  /// The client ID of an app whose files do not show one.
  var givenClientID: String?

  func checks() -> [DoctorCheck] {
    let settings = facts.configurations.flatMap { [$0.clientID, $0.authority, $0.redirectURI] }
    let fallbacks = Set(settings.compactMap(\.found).filter(\.isFallback).map(\.place))
    // No build has the variables of an example, so it is not meant to be filled in.
    let all = facts.configurations.flatMap(checks).filter {
      $0.rule != .placeholder || !FilePlace.isExample($0.place.path)
        || !fileName($0.place.path).hasPrefix(".env")
    }
    // A configuration may be left over beside one of the same authority that declares its host.
    let known = Set(all.filter { $0.check.name == Self.knownName && !$0.hasFailed }.map(\.check.found))
    return all.map {
      facts.isLeftOver || FilePlace.isExample($0.place.path) || fallbacks.contains($0.place)
        || $0.check.name == Self.knownName && known.contains($0.check.found) ? $0.asQuestion : $0
    }
      + facts.publishedSecrets.map { secret in
        let found = secretCheck(secret.value, at: secret.place)
        return secret.isFallback ? found.asQuestion : found
      }
      + facts.otherAuthorities.compactMap(otherCheck) + requestRedirectChecks
      + (facts.scopes.compactMap(scopesCheck) + startChecks()).map { facts.isLeftOver ? $0.asQuestion : $0 }
  }

  func check(
    _ rule: DoctorRule, _ name: String, expected: String, found: String, _ holds: Bool, _ mistake: String,
    at place: FilePlace, _ refusal: DoctorCheck.Refusal? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: facts.name,
      check: Check(name, expected: expected, found: found, holds, source: "real-apps.md §2"),
      mistake: mistake, place: place, refusal: refusal, fix: fix)
  }

  private func checks(_ configuration: WebFacts.Configuration) -> [DoctorCheck] {
    var checks: [DoctorCheck] = []
    if let client = configuration.clientID.found { checks += clientChecks(client, configuration) }
    if let authority = configuration.authority.found {
      checks += authorityChecks(authority, configuration)
    } else if let authority = configuration.authorityPattern {
      checks += patternChecks(authority, configuration)
    }
    if let redirect = configuration.redirectURI.found {
      // Another provider may have registered any redirect URI.
      let found =
        hasPlaceholder(configuration) && lacksScheme(redirect.value)
        ? [.placeholder("redirect URI", redirect, subject: facts.name)] : redirectChecks(redirect)
      checks += isOfOthers(configuration) || isOfADFS(configuration) ? found.map(\.asQuestion) : found
    }
    checks +=
      spellingChecks(configuration) + missingChecks(configuration) + variableChecks(configuration)
    checks +=
      [
        DoctorCheck.tenantCheck(
          // An example has the same value everywhere.
          configuration.clientID.found.flatMap { FilePlace.isExample($0.place.path) ? nil : $0 },
          authority: configuration.authority.found?.value, subject: facts.name)
      ].compactMap(\.self)
    if let secret = configuration.secret { checks.append(secretCheck("clientSecret", at: secret)) }
    guard let client = configuration.clientID.found?.value ?? givenClientID,
      let registration = registrations.of(client)
    else { return checks }
    if let nested = facts.nestedApp { return checks + [nestedCheck(registration, nested)] }
    checks +=
      [configuration.authority.found].compactMap(\.self).compactMap {
        registration.audienceCheck(of: $0.value, subject: facts.name, at: $0.place)
      }
    // A relative URI is below the page's own origin, which the files do not show.
    if let redirect = configuration.redirectURI.found, redirect.value.contains("://"),
      !Placeholders.contain(redirect.value),
      !checks.contains(where: { $0.rule == .redirectURI && $0.hasFailed })
    {
      checks.append(
        registration.redirectCheck(of: redirect.value, usedAs: .spa, subject: facts.name, at: redirect.place))
    }
    return checks
  }

  /// The findings of members that an object of the project has under another name, so that they are undefined.
  private func missingChecks(_ configuration: WebFacts.Configuration) -> [DoctorCheck] {
    let rules: [(String, DoctorRule)] = [
      ("clientId", .clientID), ("authority", .authority), ("redirectUri", .redirectURI),
    ]
    return rules.compactMap { member, rule in
      configuration.missing[member].map { key in
        let found = check(
          rule, "the object has the member of \(member)", expected: key.key, found: key.written.value, false,
          key.mistake, at: key.written.place, member == "clientId" ? .clientNotFound("undefined") : nil,
          fix: key.key + ":")
        // Without them, MSAL.js takes the usual ones.
        return member == "clientId" ? found : found.asQuestion
      }
    }
  }

  /// The findings of misspelt members, which MSAL.js does not read.
  private func spellingChecks(_ configuration: WebFacts.Configuration) -> [DoctorCheck] {
    configuration.misspelt.compactMap { key in
      let rules: [String: DoctorRule] = [
        "clientId": .clientID, "authority": .authority, "knownAuthorities": .authority,
      ]
      // ``knownCheck(_:_:_:)`` reports it if the authority's host is unknown without it.
      guard key.key != "knownAuthorities" || configuration.authority.found == nil else { return nil }
      let found = check(
        rules[key.key] ?? .redirectURI, "MSAL.js reads \(key.key)", expected: key.key,
        found: key.written.value,
        false, key.mistake, at: key.written.place, key.key == "clientId" ? .clientNotFound("undefined") : nil,
        fix: key.key + ":")
      // Without it, MSAL.js asks the authority for work accounts, which knows no client of B2C or CIAM.
      let isOfCustomers =
        key.key == "authority" && configuration.misspeltAuthority.map(isOfCustomers) == true
      return key.key == "clientId" || isOfCustomers ? found : found.asQuestion
    }
  }

  /// The findings of variables that the bundler does not put into the page.
  private func variableChecks(_ configuration: WebFacts.Configuration) -> [DoctorCheck] {
    let rules: [(String, DoctorRule)] = [
      ("clientId", .clientID), ("authority", .authority), ("redirectUri", .redirectURI),
    ]
    return rules.compactMap { member, rule in
      guard let unseen = configuration.unseen[member] else { return nil }
      let (wanted, name) = (unseen.wanted, unseen.name.value)
      let (mistake, expected, seen, fix): (String, String, String, String?) =
        switch unseen.file {
        case nil: ("The bundler keeps the variable from the page", wanted, name, wanted)
        case .otherName: ("The .env file names another variable", wanted, name, wanted + "=")
        case .otherFolder:
          ("The bundler does not read this .env file", ".env beside package.json", ".env in src", nil)
        }
      let found = check(
        rule, "the page has the variable of \(member)", expected: expected, found: seen, false, mistake,
        at: unseen.name.place, member == "clientId" ? .clientMissing : nil, fix: fix)
      return unseen.isCertain ? found : found.asQuestion
    }
  }

  // MARK: Client ID

  private func clientChecks(
    _ client: Found<String>, _ configuration: WebFacts.Configuration
  ) -> [DoctorCheck] {
    let form = ClientIDForm(client.value)
    // The variable of which it is the fallback has the app's own value.
    if form == .placeholder, client.isFallback { return [] }
    // A malformed value beside a placeholder is a placeholder too, and an empty one is that of a published template.
    let isBesidePlaceholder =
      form == .malformed && (hasPlaceholder(configuration) || FilePlace.isExample(client.place.path))
    if [.placeholder, .empty].contains(form) || isBesidePlaceholder {
      return [.placeholder("client ID", client, subject: facts.name)]
    }
    // Other providers' client IDs may have any form; with its provider's metadata, only the host shows the provider.
    let isEntra = configuration.authority.found.map { Self.isMicrosoft(host(of: $0.value)) }
    guard isEntra ?? !isOfOthers(configuration) else { return [] }
    let check = DoctorCheck.form(ofClientID: client, subject: facts.name)
    // An authority that is not seen may be that of AD FS.
    let isSeen =
      configuration.authority.found != nil || configuration.authority == .absent
      || configuration.authorityPattern.map { Self.isMicrosoft(host(of: $0.value)) } ?? false
    return [isSeen ? check : check.asQuestion]
  }

  private func isOfADFS(_ configuration: WebFacts.Configuration) -> Bool {
    configuration.authority.found.map { Authority.isADFS($0.value) } ?? false
  }

  /// Returns whether a value of a configuration is a placeholder, so that its author has not filled it in yet.
  private func hasPlaceholder(_ configuration: WebFacts.Configuration) -> Bool {
    configuration.clientID.found.map { ClientIDForm($0.value) == .placeholder } ?? false
      || [configuration.authority, configuration.redirectURI].contains {
        $0.found.map { Placeholders.contain($0.value) } ?? false
      }
  }

  // MARK: Authority

  /// Returns whether a configuration has its provider's metadata, or its provider is not Entra: with the protocol mode
  /// OIDC, only the host shows this.
  private func isOfOthers(_ configuration: WebFacts.Configuration) -> Bool {
    let authority = (configuration.authority.found ?? configuration.authorityPattern)?.value
    return configuration.hasOwnHosts
      || (configuration.isOpenID || configuration.hasOwnEndpoints)
        && !(authority.map { Self.isMicrosoft(host(of: $0)) } ?? false)
  }

  /// Returns whether the tenant of an authority is malformed, and it is an example's or another value is a placeholder.
  private func isUnfilledTenant(
    _ authority: Found<String>, _ parts: URLParts, _ configuration: WebFacts.Configuration
  ) -> Bool {
    let path = parts.path.split(separator: "/").map { $0.lowercased() }
    return path.count == 1 && !path.allSatisfy(EntraTenant.mayBe)
      && PublicCloud.aliases.contains(parts.host.lowercased())
      && (hasPlaceholder(configuration) || FilePlace.isExample(authority.place.path))
  }

  func host(of address: String) -> String { URLParts(address)?.host.lowercased() ?? "" }

  private func isOfCustomers(_ authority: String) -> Bool {
    [".b2clogin.com", ".ciamlogin.com"].contains(where: host(of: authority).hasSuffix)
  }

  private static func isMicrosoft(_ host: String) -> Bool {
    isKnown(host) || host.hasSuffix(".b2clogin.com") || host.hasSuffix(".b2clogin.cn")
  }

  /// Returns whether MSAL.js trusts a host that is not declared as known.
  private static func isKnown(_ host: String) -> Bool {
    PublicCloud.aliases.contains(host) || Cloud.trustedHosts.contains(host)
      || host.hasSuffix(".ciamlogin.com") || host == preproduction
  }

  /// Microsoft's own host before production (msal-common `authority/AuthorityOptions.ts`).
  private static let preproduction = "login.windows-ppe.net"

  private func authorityChecks(
    _ authority: Found<String>, _ configuration: WebFacts.Configuration
  ) -> [DoctorCheck] {
    if Placeholders.contain(authority.value) {
      // The variable of which it is the fallback has the app's own value.
      guard !authority.isFallback else { return [] }
      return [.placeholder("authority", authority, subject: facts.name)]
        + patternChecks(authority, configuration)
    }
    guard !authority.value.isEmpty, !isOfOthers(configuration) else { return [] }
    // No authority contains a space: `https://login.microsoftonline.com/tenant id`.
    if authority.value.trimmed.contains(" ") {
      return [.placeholder("authority", authority, subject: facts.name)]
    }
    let parts = URLParts(authority.value)
    let form = formCheck(authority, parts)
    guard let parts, !form.hasFailed else { return [form] }
    if isUnfilledTenant(authority, parts, configuration) {
      return [.placeholder("authority", authority, subject: facts.name)]
    }
    // MSAL.js asks no endpoint for metadata that it has, and still trusts only a known host.
    if configuration.hasOwnEndpoints {
      return [form, knownCheck(authority, parts, configuration)].compactMap(\.self)
    }
    if let misspelt = hostCheck(authority, parts, configuration) { return [form, misspelt] }
    let path = parts.path.split(separator: "/").map { $0.lowercased() }
    // AD FS and providers other than Entra have their own paths.
    guard Self.isMicrosoft(parts.host.lowercased()) || configuration.knownAuthorities?.isEmpty == true,
      path.first != "adfs"
    else { return [form] }
    let pathCheck =
      path.isEmpty
      ? tenantCheck(authority, parts, configuration) : pathCheck(authority, parts, path)
    return [
      form, pathCheck, knownCheck(authority, parts, configuration), tenantNameCheck(authority, parts, path),
      policyNameCheck(authority, parts, path),
    ]
    .compactMap(\.self)
  }

  /// Returns the question about a host of B2C that begins with the name of another tenant than the path's, or `nil`.
  ///
  /// Source: Microsoft, “Set redirect URLs to b2clogin.com for Azure Active Directory B2C”.
  private func tenantNameCheck(
    _ authority: Found<String>, _ parts: URLParts, _ path: [String]
  ) -> DoctorCheck? {
    let host = parts.host.lowercased()
    guard host.hasSuffix(".b2clogin.com"), let tenant = path.first(where: { $0 != "tfp" }),
      tenant.hasSuffix(".onmicrosoft.com"), case let name = tenant.prefix(while: { $0 != "." }),
      !host.hasPrefix(name + ".")
    else { return nil }
    return check(
      .authority, "host and tenant have one name", expected: "\(name).b2clogin.com", found: host, false,
      "The host of B2C is another tenant's", at: authority.place, Self.noMetadata
    ).asQuestion
  }

  /// Returns the question about a policy without the prefix that B2C gives to every policy, or `nil`.
  ///
  /// Source: Microsoft, “Tutorial: Create user flows and custom policies in Azure Active Directory B2C”.
  private func policyNameCheck(
    _ authority: Found<String>, _ parts: URLParts, _ path: [String]
  ) -> DoctorCheck? {
    let names = path.filter { $0 != "tfp" && $0 != "v2.0" }
    guard parts.host.lowercased().hasSuffix(".b2clogin.com"), names.count == 2, !names[1].hasPrefix("b2c_1"),
      path.allSatisfy({ !EntraHost.endpointParts.contains($0) })
    else { return nil }
    return check(
      .authority, "the policy has B2C's prefix", expected: "B2C_1_NAME, or B2C_1A_NAME", found: names[1],
      false,
      "The policy lacks B2C's prefix", at: authority.place, Self.noMetadata
    ).asQuestion
  }

  /// Returns the failed check of the path of an authority beside the configurations' own, or `nil`.
  private func otherCheck(_ authority: Found<String>) -> DoctorCheck? {
    guard !facts.configurations.isEmpty, !facts.configurations.contains(where: isOfOthers),
      !Placeholders.contain(authority.value), let parts = URLParts(authority.value),
      Self.isMicrosoft(parts.host.lowercased())
    else { return nil }
    let path = parts.path.split(separator: "/").map { $0.lowercased() }
    guard !path.isEmpty, path.first != "adfs", case let found = pathCheck(authority, parts, path),
      found.hasFailed
    else { return nil }
    return facts.isLeftOver || authority.isFallback ? found.asQuestion : found
  }

  /// Returns the failed checks of an authority of which a part is known; builds never fill in its host.
  private func patternChecks(
    _ authority: Found<String>, _ configuration: WebFacts.Configuration
  ) -> [DoctorCheck] {
    // `login.microsoftonline.com/${tenant}`
    let start = authority.value.prefix { $0 != "/" }
    if Self.isMicrosoft(start.lowercased()), !isOfOthers(configuration) {
      var filled = authority
      filled.value = Self.filling(authority.value)
      return [formCheck(filled, nil)]
    }
    let parts = authority.value.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2, parts[1].isEmpty, parts[0].hasSuffix(":"), !parts[2].isEmpty,
      !Placeholders.contain(String(parts[2])), !isOfOthers(configuration)
    else { return [] }
    var filled = authority
    filled.value = Self.filling(authority.value)
    guard let address = URLParts(filled.value) else { return [] }
    let form = formCheck(filled, address)
    if !form.hasFailed, let misspelt = hostCheck(filled, address, configuration) { return [misspelt] }
    let host = address.host.lowercased()
    let path = address.path.split(separator: "/").map { $0.lowercased() }
    guard !form.hasFailed, Self.isMicrosoft(host) || configuration.knownAuthorities?.isEmpty == true,
      path.first != "adfs"
    else { return form.hasFailed ? [form] : [] }
    // A part that is not known may be several segments.
    let isEndpoint = path.contains(where: EntraHost.endpointParts.contains)
    return [
      isEndpoint ? pathCheck(filled, address, path) : nil,
      knownCheck(filled, address, configuration),
    ].compactMap(\.self).filter(\.hasFailed)
  }

  /// Replaces the parts that cannot be determined.
  private static func filling(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: "$("), let end = rest[range.upperBound...].firstIndex(of: ")") {
      result += rest[..<range.lowerBound] + "<value>"
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private func formCheck(_ authority: Found<String>, _ parts: URLParts?) -> DoctorCheck {
    let scheme = parts.map { $0.authority.isEmpty ? "" : $0.scheme.lowercased() } ?? ""
    let code = scheme == "http" ? "authority_uri_insecure" : "url_parse_error"
    let text =
      scheme == "http"
      ? "Authority URIs must use https." : "URL could not be parsed into appropriate segments."
    return check(
      .authority, "authority is an https URL", expected: "https://<host>/<tenant>", found: authority.value,
      scheme == "https", "The authority is not an https URL", at: authority.place,
      DoctorCheck.Refusal(code, text),
      fix: "authority: \"https://\(authority.value.withoutScheme)\"")
  }

  /// The hosts whose endpoints MSAL.js has itself, for every path (msal-common `authority/AuthorityMetadata.ts`).
  private static let hostsWithEndpoints: Set<String> = [
    PublicCloud.preferredNetwork, "login.microsoftonline.us", "login.chinacloudapi.cn",
  ]

  /// Returns whether MSAL.js may take the endpoints of a host without reading the path, as it does since version 3.7.1,
  /// which a range from 3.0 on allows, and then needs only the tenant (msal-common `CHANGELOG.md`, 14.6.1).
  private func mayKnowEndpoints(_ parts: URLParts, _ path: [String]) -> Bool {
    facts.libraryMajor.map { $0 > 2 } ?? true && Self.hostsWithEndpoints.contains(parts.host.lowercased())
      && path.first.map { !EntraHost.endpointParts.contains($0) && $0 != "v2.0" } ?? false
  }

  /// Returns the check of an authority without a path, or `nil` for that of a template.
  private func tenantCheck(
    _ authority: Found<String>, _ parts: URLParts, _ configuration: WebFacts.Configuration
  ) -> DoctorCheck? {
    guard PublicCloud.aliases.contains(parts.host.lowercased()) else {
      return pathCheck(authority, parts, [])
    }
    let isTemplate = configuration.clientID.found.map {
      [.empty, .placeholder].contains(ClientIDForm($0.value))
    }
    // In that case, the client ID is the finding.
    guard isTemplate != true else { return nil }
    return check(
      .authority, "the authority's path is the tenant", expected: "a tenant as the path",
      found: authority.value, false, "The authority lacks its tenant", at: authority.place,
      facts.libraryMajor.map { major in
        major < 3
          ? Self.noMetadata
          : DoctorCheck.Refusal(AADSTSCode.tenantNotFound, "Tenant 'undefined' not found.")
      }, fix: "authority: \"https://\(parts.authority)/<tenant ID or domain>\"")
  }

  private static let noMetadata = DoctorCheck.Refusal(
    "endpoints_resolution_error",
    "Endpoints cannot be resolved: the authority has no metadata at this path.")

  private func pathCheck(
    _ authority: Found<String>, _ parts: URLParts, _ path: [String]
  ) -> DoctorCheck {
    let isEndpoint = path.contains(where: EntraHost.endpointParts.contains)
    let isB2C = parts.host.lowercased().hasSuffix(".b2clogin.com")
    let kept = path.prefix { !EntraHost.endpointParts.contains($0) && $0 != "v2.0" }
    let base = "https://" + parts.authority + kept.map { "/" + $0 }.joined()
    let lacksPolicy = isB2C && !isEndpoint && path.count < 2
    // CIAM has its user flows in the registration, and not in the path.
    let isTooLong = parts.host.lowercased().hasSuffix(".ciamlogin.com") && !isEndpoint && kept.count > 1
    let wanted = isB2C ? "a tenant and a policy as the path" : "a tenant as the path"
    // Other clouds' hosts and custom domains may name tenants in another way.
    let isEntra = PublicCloud.aliases.contains(parts.host.lowercased()) && !isEndpoint && kept.count == 1
    // `https://login.microsoftonline.com/https://lamp.onmicrosoft.com`
    let isAddress = path.first?.hasSuffix(":") ?? false
    let tenantOfB2C = isB2C && !isEndpoint && kept.count > 1 ? kept.first { $0 != "tfp" } : nil
    let isNoTenant =
      isEntra && !kept.allSatisfy(EntraTenant.mayBe) || isAddress
      || tenantOfB2C.map { !EntraTenant.mayBe($0) } ?? false
    if PublicCloud.aliases.contains(parts.host.lowercased()),
      path.first == "tfp" || path.dropFirst().first?.hasPrefix("b2c_") == true
    {
      return formerHostCheck(authority, path)
    }
    let found = check(
      .authority, "the authority's path is \(isB2C ? "tenant and policy" : "the tenant")", expected: wanted,
      found: authority.value, !isEndpoint && !lacksPolicy && !isNoTenant && !isTooLong,
      isEndpoint
        ? "The authority is an endpoint's address"
        : isNoTenant
          ? "The tenant is neither an ID nor a domain"
          : isTooLong ? "The authority has more than the tenant" : "The authority lacks its policy",
      at: authority.place,
      Self.noMetadata,
      fix: isNoTenant
        ? "authority: \"https://\(parts.authority)/<tenant ID or domain>\(tenantOfB2C == nil ? "" : "/<policy>")\""
        : isTooLong
          ? "authority: \"https://\(parts.authority)/\""
          : "authority: \"\(base)\(lacksPolicy ? "/<policy>" : "")\"")
    return isEndpoint && mayKnowEndpoints(parts, path) ? found.asQuestion : found
  }

  /// Returns the check of an authority of B2C at the host of Entra, at which B2C answers only old tenants since 2020
  /// (Microsoft: Set redirect URLs to b2clogin.com for Azure Active Directory B2C).
  private func formerHostCheck(_ authority: Found<String>, _ path: [String]) -> DoctorCheck {
    let names = path.filter { $0 != "tfp" }
    let tenant = names.first?.split(separator: ".").first.map(String.init) ?? "<tenant>"
    let host = "\(tenant.isGUID ? "<tenant>" : tenant).b2clogin.com"
    return check(
      .authority, "the authority of B2C is at its own host", expected: host, found: authority.value, false,
      "The host no longer serves B2C", at: authority.place,
      Self.noMetadata,
      fix: "authority: \"https://\(host)/\(names.joined(separator: "/"))\"\nknownAuthorities: [\"\(host)\"]"
    ).asQuestion
  }

  /// Returns the check of a host that is one of Entra's with a mistake in its spelling, or `nil` for other hosts.
  ///
  /// In `knownAuthorities`, such a host would be trusted.
  private func hostCheck(
    _ authority: Found<String>, _ parts: URLParts, _ configuration: WebFacts.Configuration
  ) -> DoctorCheck? {
    let host = parts.host.lowercased()
    guard !Self.isMicrosoft(host), var meant = EntraHost.meant(by: host) else { return nil }
    let isTenant = host.hasSuffix(".onmicrosoft.com")
    if isTenant, parts.path.lowercased().contains("/b2c_") {
      meant = host.replacing(".onmicrosoft.com", with: ".b2clogin.com")
    }
    let found = check(
      .authority, "the authority's host is spelled right", expected: meant, found: host, false,
      "The authority's host is misspelt", at: authority.place,
      DoctorCheck.Refusal(
        "untrusted_authority", "The provided authority is not a trusted authority."),
      fix: "authority: \"https://\(meant)\(parts.path)\"")
    // A declared host may be the company's own.
    return isTenant || configuration.knownAuthorities.map { !lists($0, host) } ?? false
      ? found : found.asQuestion
  }

  /// Returns whether known authorities have a host, or may have it.
  private func lists(_ known: [String], _ host: String) -> Bool {
    known.contains {
      Placeholders.contain($0) || ($0.contains("://") ? self.host(of: $0) : $0.lowercased()).hasPrefix(host)
    }
  }

  private static let knownName = "the authority's host is known"

  private func knownCheck(
    _ authority: Found<String>, _ parts: URLParts, _ configuration: WebFacts.Configuration
  ) -> DoctorCheck? {
    guard let known = configuration.knownAuthorities else { return nil }
    let host = parts.host.lowercased()
    let isListed = lists(known, host)
    guard !known.contains(where: Placeholders.contain) else { return nil }
    let misspelt = configuration.misspelt["knownAuthorities"]
    return check(
      .authority, Self.knownName, expected: "a host of Entra, or knownAuthorities",
      found: host,
      Self.isKnown(host) || isListed, misspelt?.mistake ?? "The authority's host is not known",
      at: misspelt?.written.place ?? authority.place,
      DoctorCheck.Refusal(
        "untrusted_authority",
        "The provided authority is not a trusted authority. Please include this authority in the knownAuthorities config parameter."
      ), fix: "knownAuthorities: [\"\(parts.authority)\"]")
  }

  // MARK: Secrets and nested apps

  private static let otherProviders = [
    "GOOGLE", "GITHUB", "FACEBOOK", "LINKEDIN", "AUTH0", "OKTA", "APPLE", "SPOTIFY",
  ]

  private func secretCheck(_ name: String, at place: FilePlace) -> DoctorCheck {
    check(
      .pageSecret, "the page has no client secret", expected: "no secret", found: "a value of \(name)", false,
      "The page has a client secret", at: place,
      // MSAL.js 1 asks the token endpoint for nothing, and the secret may be for another provider.
      facts.isFirstVersion || Self.otherProviders.contains { name.uppercased().contains($0) }
        ? nil
        : DoctorCheck.Refusal(
          AADSTSCode.clientIsPublic,
          "Client is public so neither 'client_assertion' nor 'client_secret' should be presented."))
  }

  /// Returns the check of a nested app, for which a host such as Teams or Outlook redeems the code.
  private func nestedCheck(_ registration: RegistrationFacts, _ place: FilePlace) -> DoctorCheck {
    let uris = registration.redirects.filter { $0.kind == .spa }.map(\.uri)
    return DoctorCheck(
      rule: .nestedApp, subject: facts.name,
      check: Check(
        "a brk-multihub:// redirect URI is registered", expected: "brk-multihub://<the app's domain>",
        found: uris.isEmpty ? "no single-page redirect URIs" : uris.joined(separator: ", "),
        uris.contains { $0.hasPrefix("brk-multihub://") }, source: "real-apps.md §1"),
      mistake: "No brk-multihub:// redirect URI is registered", place: place,
      refusal: DoctorCheck.Refusal("untrusted_origin", "untrusted_origin"),
      fix: "\"spa\": { \"redirectUris\": [\"brk-multihub://<the app's domain>\"] }")
  }
}

extension RegistrationFacts {
  /// Returns the check that a page can have a redirect URI: https, or http on this machine.
  static func pageCheck(_ parts: URLParts, _ redirect: Found<String>, subject: String) -> DoctorCheck {
    let scheme = parts.scheme.lowercased()
    let isNative = scheme.hasPrefix("msal") || scheme.hasPrefix("msauth")
    let isRight = !isNative && (scheme != "http" || isLoopback(parts.host.lowercased()))
    return DoctorCheck(
      rule: .redirectURI, subject: subject,
      check: Check(
        "a page's redirect URI is https, or http on localhost", expected: "https://… or http://localhost",
        found: redirect.value, isRight, source: "real-apps.md §2"),
      mistake: isNative
        ? "A page cannot have an app's redirect URI" : "The page's redirect URI is not https",
      place: redirect.place,
      refusal: .unregistered(redirect.value),
      fix: scheme == "http" ? "https" + redirect.value.dropFirst(4) : "https://<the page's address>")
  }
}

extension DoctorRule {
  /// The rules that only a web app has.
  package static let web: [DoctorRule] = [.pageSecret, .requestScopes, .pageStart, .cacheLocation]

  static let requestScopes = DoctorRule(
    "request-scopes", "The scopes of a request can be asked for together",
    why: """
      A token is for one API. MSAL.js redeems the code with all scopes of the request, and Entra refuses scopes of \
      several APIs; extraScopesToConsent asks for consent to the others, whose tokens are then acquired silently. \
      MSAL for iOS and macOS refuses the scopes that it adds itself: openid, profile, offline_access.
      """)

  static let pageSecret = DoctorRule(
    "page-secret", "A page or an app has no client secret",
    why: """
      Everyone who opens a page can read its scripts, and the build puts variables with a public prefix into \
      them; everyone who has an app's package can read its resources. Entra does not take a secret for a \
      single-page application's code.
      """)
}

extension DoctorCheck.Refusal {
  /// Returns Entra's response to a redirect URI that is not registered.
  static func unregistered(_ uri: String) -> Self {
    Self(
      AADSTSCode.redirectURINotRegistered,
      "The redirect URI '\(uri)' specified in the request does not match the redirect URIs configured for the application."
    )
  }
}
