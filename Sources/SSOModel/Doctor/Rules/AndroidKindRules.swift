import SSOCore
import SSODevice

/// The rules for configurations of native authentication and of user flows, and for activities of MSAL.NET.
extension AndroidRules {
  /// The checks of a configuration of native authentication, that other rules do not make.
  ///
  /// Source: microsoft-authentication-library-for-android, `NativeAuthPublicClientApplicationConfiguration.kt`,
  /// `validateConfiguration`, and `res/raw/msal_native_auth_default_config.json`, whose account mode is SINGLE.
  func nativeChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    guard configuration.isNativeAuth else { return [] }
    let mode = configuration.accountMode?.value ?? "SINGLE"
    let modeCheck = check(
      .nativeAuth,
      Check(
        "the account mode is SINGLE", expected: "SINGLE", found: mode, mode != "MULTIPLE",
        source: "real-apps.md §2"), "Native authentication needs SINGLE",
      at: configuration.accountMode?.place,
      DoctorCheck.Refusal(
        "native_auth_invalid_account_mode_config",
        "NativeAuthPublicClientApplication Native auth apps cannot be used with anything other than SINGLE account mode"
      ), fix: "\"account_mode\": \"SINGLE\"")
    let checks = [modeCheck, challengeCheck(configuration), authorityCheck(configuration)].compactMap(\.self)
    return facts.usage == nil ? checks.map(\.asQuestion) : checks
  }

  private static let challengeTypes = ["oob", "password", "redirect"]

  private func challengeCheck(_ configuration: AndroidFacts.Configuration) -> DoctorCheck? {
    guard let types = configuration.challengeTypes else { return nil }
    let unknown = types.value.filter {
      !Self.challengeTypes.contains($0.lowercased()) && !Placeholders.contain($0)
    }
    let right = types.value.compactMap { Self.challengeTypes.closestSpelling(to: $0.lowercased()) }
    return check(
      .nativeAuth,
      Check(
        "the challenge types are known", expected: Self.challengeTypes.joined(separator: ", "),
        found: types.value.joined(separator: ", "), unknown.isEmpty, source: "real-apps.md §2"),
      "A challenge type is unknown", at: types.place,
      DoctorCheck.Refusal(
        "native_auth_invalid_challenge_type",
        "NativeAuthPublicClientApplication detected invalid challenge type. \"\(unknown.first?.lowercased() ?? "")\""
      ),
      fix: right.count < types.value.count
        ? nil : "\"challenge_types\": [" + right.map { "\"\($0)\"" }.joined(separator: ", ") + "]")
  }

  /// The check that there is one authority, of the type CIAM; an unknown type is another finding.
  private func authorityCheck(_ configuration: AndroidFacts.Configuration) -> DoctorCheck? {
    let authorities = configuration.authorities
    guard authorities.allSatisfy({ Self.types.contains($0.type) }), !configuration.isCompletedByCode,
      configuration.misspelt["authorities"] == nil
    else { return nil }
    let refusal =
      authorities.isEmpty
      ? DoctorCheck.Refusal(
        "native_auth_use_with_no_authority",
        "NativeAuthPublicClientApplication can't be used with no authority.")
      : authorities.count > 1
        ? DoctorCheck.Refusal(
          "native_auth_use_with_multi_authority",
          "NativeAuthPublicClientApplication can't be used with multiple authorities")
        : DoctorCheck.Refusal(
          "native_auth_invalid_ciam_authority",
          "NativeAuthPublicClientApplication can only be used with a valid CIAM Authority")
    return check(
      .authority,
      Check(
        "native authentication has one authority", expected: "one of the type CIAM",
        found: authorities.isEmpty ? "none" : authorities.map(\.type).joined(separator: ", "),
        authorities.map(\.type) == ["CIAM"], source: "real-apps.md §2"),
      authorities.count == 1
        ? "Native authentication needs the type CIAM" : "Native authentication needs one authority",
      at: FilePlace(configuration.path, line: configuration.authoritiesLine ?? 1), refusal,
      fix:
        "{ \"type\": \"CIAM\", \"authority_url\": \"https://<tenant>.ciamlogin.com/<tenant>.onmicrosoft.com/\" }"
    )
  }

  /// Returns the finding of a tenant that is neither an ID nor a domain, or `nil`.
  func tenantCheck(_ authorities: [AndroidFacts.Configuration.Authority], at place: FilePlace) -> DoctorCheck?
  {
    let host = "https://" + PublicCloud.preferredNetwork
    let names = authorities.filter { $0.type == "AAD" }.compactMap { authority in
      authority.url.flatMap(EntraTenant.impossible)
        ?? authority.tenant.flatMap { $0.isEmpty ? nil : EntraTenant.impossible(in: "\(host)/\($0)") }
    }
    guard let name = names.first else { return nil }
    return check(
      .authority,
      Check(
        "the authority's tenant is an ID or a domain", expected: "an ID, a domain, or common", found: name,
        false,
        source: "real-apps.md §2"), "The tenant is neither an ID nor a domain", at: place,
      EntraTenant.refusal(of: name), fix: "\"tenant_id\": \"<tenant ID or domain>\"")
  }

  /// Returns the finding of a user flow whose type is AAD, or `nil`: MSAL keeps only the host and the last path
  /// component of such an address, so the tenant is lost.
  ///
  /// Source: microsoft-authentication-library-common-for-android, `AuthorityDeserializer.java`.
  func userFlowCheck(_ authorities: [AndroidFacts.Configuration.Authority], at place: FilePlace)
    -> DoctorCheck?
  {
    let url = authorities.lazy.filter { $0.type == "AAD" }.compactMap(\.url).first { url in
      URLParts(url)?.host.lowercased().hasSuffix(".b2clogin.com") == true && !Placeholders.contain(url)
    }
    guard let url else { return nil }
    return check(
      .authority,
      Check(
        "a user flow has the type B2C", expected: "B2C", found: "AAD for \(url)", false,
        source: "real-apps.md §2"), "The type of a user flow is AAD", at: place, fix: "\"type\": \"B2C\"")
  }

  /// The finding of a B2C address without a policy, to which user flows do not respond.
  func policyCheck(_ authorities: [AndroidFacts.Configuration.Authority], at place: FilePlace) -> DoctorCheck?
  {
    let url = authorities.lazy.filter { $0.type == "B2C" }.compactMap(\.url).first { url in
      guard !Placeholders.contain(url), let parts = URLParts(url) else { return false }
      let segments = parts.path.split(separator: "/")
      let isOfFlow = parts.host.lowercased().hasSuffix(".b2clogin.com")
      return segments.filter { $0.lowercased() != "tfp" }.count < 2
        && (isOfFlow || segments.first?.lowercased() == "tfp")
    }
    guard let url else { return nil }
    return check(
      .authority,
      Check(
        "a B2C authority has a tenant and a policy", expected: "https://<host>/tfp/<tenant>/<policy>",
        found: url, false, source: "interactive-call.md §4"), "The B2C authority lacks its tenant or policy",
      at: place, severity: .worksInSomeCases,
      fix: "\"authority_url\": \"https://<tenant name>.b2clogin.com/tfp/<tenant>/<policy>/\"")
  }

  /// Returns the question about an audience of one organisation that does not name it, or `nil`: MSAL then asks an address
  /// without a tenant.
  ///
  /// Source: microsoft-authentication-library-common-for-android, `AccountsInOneOrganization.java`.
  func audienceCheck(_ authorities: [AndroidFacts.Configuration.Authority], at place: FilePlace)
    -> DoctorCheck?
  {
    // Calls may never name the others.
    let own = authorities.count == 1 ? authorities.first : authorities.first(where: \.isDefault)
    guard let own, own.type == "AAD", own.audience == "AzureADMyOrg", own.url == nil, own.tenant == nil else {
      return nil
    }
    return check(
      .authority,
      Check(
        "the audience of one organisation has its tenant", expected: "tenant_id", found: "none", false,
        source: "real-apps.md §2"), "The audience lacks its tenant_id", at: place,
      severity: .worksInSomeCases,
      fix: "\"tenant_id\": \"<tenant ID or domain>\"")
  }

  /// The findings of addresses that are not an authority's: without `https`, with a misspelt host, or of an endpoint.
  ///
  /// MSAL does not require a scheme when it reads the configuration, but cannot make a URL of an address without one.
  /// It keeps the host and the last part of the path of an address of the type AAD, and finds the host's own address at
  /// Entra, if Entra knows the host. It puts the paths of endpoints behind any other address.
  ///
  /// Source: microsoft-authentication-library-common-for-android, `Authority.java`, `AuthorityDeserializer.java`,
  /// `AzureActiveDirectoryAuthority.java`.
  func addressChecks(_ authorities: [AndroidFacts.Configuration.Authority], at place: FilePlace)
    -> [DoctorCheck]
  {
    authorities.compactMap { authority in
      guard let url = authority.url, !url.isEmpty, !Placeholders.contain(url),
        Self.types.contains(authority.type)
      else { return nil }
      return addressCheck(
        url, isOfAAD: authority.type == "AAD", isOfADFS: authority.type == "ADFS", at: place)
    }
  }

  private func addressCheck(_ url: String, isOfAAD: Bool, isOfADFS: Bool, at place: FilePlace) -> DoctorCheck?
  {
    func finding(
      _ name: String, _ expected: String, _ mistake: String, isQuestion: Bool = false,
      _ refusal: DoctorCheck.Refusal? = nil, fix: String
    ) -> DoctorCheck {
      check(
        .authority, Check(name, expected: expected, found: url, false, source: "real-apps.md §2"), mistake,
        at: place, severity: isQuestion ? .worksInSomeCases : .fails, refusal,
        fix: "\"authority_url\": \"\(fix)\"")
    }
    guard let parts = URLParts(url), !parts.authority.isEmpty, !url.trimmed.contains(" ") else {
      return url.contains(" ")
        ? nil
        : finding(
          "authority_url is an https URL", "https://<host>/<tenant>", "The authority is not an https URL",
          DoctorCheck.Refusal("IllegalArgumentException", "Authority URI is not a URL."),
          fix: "https://\(url.withoutScheme)")
    }
    guard !isOfADFS else { return nil }
    let host = parts.host.lowercased()
    if let meant = EntraHost.meant(by: host) {
      return finding(
        "the authority's host is spelled right", meant, "The authority's host is misspelt",
        DoctorCheck.Refusal(
          "io_error", "Unable to resolve host \"\(host)\": No address associated with hostname"),
        fix: "https://\(meant)\(parts.path)")
    }
    let path = parts.path.split(separator: "/").map { $0.lowercased() }
    let kept = parts.path.split(separator: "/").prefix { part in
      !EntraHost.endpointParts.contains(part.lowercased()) && part.lowercased() != "v2.0"
    }
    if path.contains(where: EntraHost.endpointParts.contains) || isOfAAD && path.last == "v2.0" {
      return finding(
        "the authority's path is that of an authority", "a path without \(path.last ?? "")",
        "The authority is an endpoint's address",
        isOfAAD && PublicCloud.aliases.contains(host) ? EntraTenant.refusal(of: path.last ?? "") : nil,
        fix: "https://\(parts.authority)" + kept.map { "/" + $0 }.joined())
    }
    guard parts.scheme.lowercased() != "https" else { return nil }
    return finding(
      "authority_url is an https URL", "https://<host>/<tenant>", "The authority is not an https URL",
      isQuestion: isOfAAD && parts.scheme.lowercased() == "http", fix: "https://\(url.withoutScheme)")
  }

  /// The findings of scopes in code that Entra refuses.
  var scopesChecks: [DoctorCheck] {
    facts.scopesForEntra.compactMap { list in
      guard let mistake = RequestScopesMistake(list.values) else { return nil }
      return check(
        .requestScopes,
        Check(
          mistake.requirement, expected: mistake.expected, found: mistake.found, false,
          source: "real-apps.md §2"), mistake.title, at: list.place, mistake.refusal,
        fix: mistake.right.map { "\"\($0)\"" }.joined(separator: ", "))
    }
  }

  /// The findings of configurations that MSAL cannot parse.
  ///
  /// Source: microsoft-authentication-library-for-android, `PublicClientApplicationConfigurationFactory`,
  /// `loadConfiguration`.
  var malformedChecks: [DoctorCheck] {
    facts.malformed.map { file in
      check(
        .androidConfiguration,
        Check(
          "the configuration is JSON", expected: "a JSON document", found: file.error.description, false,
          source: "real-apps.md §2"),
        "The configuration is not JSON", at: FilePlace(file.path, line: file.error.line),
        DoctorCheck.Refusal("IllegalArgumentException", "Error while processing configuration"))
    }
  }

  /// The finding of an app's own component with a filter that does not say whether it is exported: the build fails, or
  /// Android 12 does not install the app.
  ///
  /// Source: developer.android.com/about/versions/12/behavior-changes-12, "Safer component exporting".
  var unexportedChecks: [DoctorCheck] {
    guard let target = facts.targetSDK, target >= 31 else { return [] }
    return facts.unexported.filter { !facts.exportedComponents.contains($0.value) }.prefix(1).map {
      component in
      check(
        .browserTabActivity,
        Check(
          "a component with a filter says whether it is exported", expected: "android:exported",
          found: "\(component.value) does not", false, source: "real-apps.md §2"),
        "\(component.value) lacks android:exported", at: component.place, Self.notExported,
        fix: "android:exported=\"true\"")
    }
  }

  static let notExported = DoctorCheck.Refusal(
    "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED",
    "android:exported needs to be explicitly specified for element <activity>. Apps targeting Android 12 and "
      + "higher are required to specify an explicit value for `android:exported` when the corresponding "
      + "component has an intent filter defined.")

  /// The finding of a secret in a configuration, which everyone can read in the app's package; MSAL does not use it.
  func secretChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    configuration.secret.map { place in
      [
        check(
          .pageSecret,
          Check(
            "the configuration has no client secret", expected: "no secret",
            found: "a value of client_secret",
            false, source: "real-apps.md §2"), "The configuration has a client secret", at: place)
      ]
    } ?? []
  }

  /// The checks that code creates the application object for the account mode of the configuration.
  var modeChecks: [DoctorCheck] {
    facts.made.flatMap { (made) -> [DoctorCheck] in
      // With several configurations, only the call itself shows which one it reads; each build may have its own.
      // An empty mode is a template's.
      let all = facts.configurations.filter { $0.accountMode?.value.isEmpty != true }
      if let path = made.path { return all.filter { $0.path == path }.map { modeCheck(of: $0, made) } }
      let named = all.filter { fileName($0.path) == (made.resource ?? "") + ".json" }
      // Each build may also have its own code.
      let modes = Set(facts.made.filter { $0.resource == made.resource }.map(\.mode))
      guard named.count < 2 || modes.count == 1 else { return [] }
      return (made.resource == nil && all.count == 1 ? all : named).map { modeCheck(of: $0, made) }
    }
  }

  private func modeCheck(
    of configuration: AndroidFacts.Configuration, _ made: AndroidFacts.Made
  ) -> DoctorCheck {
    let mode = configuration.accountMode?.value ?? "MULTIPLE, the default"
    let refusal = made.mode.refusal(hasListener: made.hasListener)
    return check(
      .androidConfiguration,
      Check(
        "account_mode is that of the application object", expected: made.mode.rawValue, found: mode,
        (configuration.accountMode.flatMap { AccountMode(rawValue: $0.value) } ?? .multiple) == made.mode,
        source: "real-apps.md §2"), "account_mode is not that of the code",
      at: configuration.accountMode?.place ?? configuration.misspelt["account_mode"]?.written.place
        ?? FilePlace(configuration.path, line: 1),
      DoctorCheck.Refusal(refusal.code, refusal.message),
      fix: "\"account_mode\": \"\(made.mode.rawValue)\"")
  }

  /// The findings of values of another type than MSAL reads.
  func typeChecks(_ configuration: AndroidFacts.Configuration) -> [DoctorCheck] {
    configuration.mistyped.map { key in
      let wanted = ["authorities": "a list: [ … ]", "audience": "an object: { \"type\": … }"][key.value]
      return check(
        .androidConfiguration,
        Check(
          "\(key.value) has the type that MSAL reads", expected: wanted ?? "a text", found: "another type",
          false,
          source: "real-apps.md §2"), "\(key.value) has the wrong type", at: key.place,
        severity: facts.usage == nil ? .worksInSomeCases : .fails,
        DoctorCheck.Refusal("IllegalArgumentException", "Error while processing configuration"))
    }
  }

  /// The finding of a call whose resource is not in the project, beside a configuration that code does not name.
  var resourceChecks: [DoctorCheck] {
    let raw = facts.configurations.filter { $0.path.contains("/res/raw") }
    return facts.made.compactMap { made in
      guard let resource = made.resource, !facts.rawResources.contains(resource),
        let other = raw.first(where: { !facts.namedResources.contains($0.resource) })
      else { return nil }
      return check(
        .androidConfiguration,
        Check(
          "the configuration that code names is there", expected: "\(resource).json",
          found: fileName(other.path), false, source: "real-apps.md §2"),
        "res/raw lacks the configuration that code names", at: made.place,
        severity: facts.unpublishedResources.contains(resource) ? .worksInSomeCases : .fails,
        DoctorCheck.Refusal("Unresolved reference", "Unresolved reference: \(resource)"),
        fix: "R.raw.\(other.resource)")
    }
  }

  /// The findings of configurations whose names no resource can have: the build rejects them.
  ///
  /// Source: developer.android.com/guide/topics/resources/providing-resources; AAPT2, `FileReference` names.
  var resourceNameChecks: [DoctorCheck] {
    let paths = facts.configurations.map(\.path) + facts.malformed.map(\.path)
    return paths.filter { $0.contains("/res/raw") }.compactMap { path in
      let right = GradleReader.resourceName(insteadOf: path)
      return right.map { right in
        check(
          .androidConfiguration,
          Check(
            "a resource can have the file's name", expected: right, found: fileName(path), false,
            source: "real-apps.md §2"), "No resource can have the file's name", at: FilePlace(path, line: 1),
          DoctorCheck.Refusal(
            "Invalid file name", "The file name must contain only lowercase a-z, 0-9, or underscore"),
          fix: right)
      }
    }
  }

  /// The findings of placeholders in the activity's filters that no build file sets.
  var unsetChecks: [DoctorCheck] {
    facts.unset.map { unset in
      check(
        .browserTabActivity,
        Check(
          "the build sets the manifest placeholders", expected: unset.name, found: "none", false,
          source: "real-apps.md §2"), "The build lacks a manifest placeholder", at: unset.place,
        .unset(unset.name, of: unset.attribute))
    }
  }

  /// The finding of a dependency on MSAL whose name is misspelt or which is a comment, so that code that imports MSAL
  /// does not compile.
  var dependencyChecks: [DoctorCheck] {
    let library = "com.microsoft.device.display:display-mask:0.3.0"
    let feed = facts.lackingFeed.map { place in
      check(
        .androidConfiguration,
        Check(
          "the repositories have MSAL's dependencies", expected: "the feed of \(library)",
          found: "other repositories",
          false, source: "real-apps.md §2"), "The build lacks a repository for MSAL", at: place,
        DoctorCheck.Refusal("Could not find \(library)", "Could not find \(library)."),
        fix: """
          maven { url 'https://pkgs.dev.azure.com/MicrosoftDeviceSDK/DuoSDK-Public/_packaging/Duo-SDK-Feed/maven/v1' }
          """)
    }
    return [feed].compactMap(\.self) + missingDependencyChecks
  }

  private var missingDependencyChecks: [DoctorCheck] {
    facts.missingDependency.map { found in
      [
        check(
          .androidConfiguration,
          Check(
            "the build depends on MSAL", expected: GradleReader.artifact, found: found.value, false,
            source: "real-apps.md §2"), "The build does not depend on MSAL", at: found.place,
          DoctorCheck.Refusal("Unresolved reference", "Unresolved reference: microsoft"))
      ]
    } ?? []
  }

  // MARK: MSAL.NET

  /// The checks that the provider can know the client IDs; code may choose among several.
  var dotNetClientChecks: [DoctorCheck] {
    let ids = facts.clientIDsOfDotNet.filter { ClientIDForm($0.value) != .placeholder }
    return facts.misspeltSettings.map { key in
      check(
        key.key == "ClientId" ? .clientID : .authority,
        Check(
          "the settings have \(key.key)", expected: key.key, found: key.written.value, false,
          source: "real-apps.md §2"), key.mistake, at: key.written.place,
        DoctorCheck.Refusal("ArgumentNullException", "Value cannot be null."), fix: "\"\(key.key)\":")
    }
      + ids.prefix(1).filter { _ in Set(ids.map(\.value)).count == 1 }
      .map { .form(ofClientID: $0, subject: facts.name) }
  }

  /// The checks of authorities in code that MSAL.NET refuses, or whose host is misspelt; code may choose among several.
  ///
  /// Source: microsoft-authentication-library-for-dotnet, `AuthorityInfo.cs`, `ValidateAndCreateAuthorityUri`.
  var dotNetAuthorityChecks: [DoctorCheck] {
    let urls = facts.authoritiesOfDotNet.filter { !$0.value.isEmpty && !Placeholders.contain($0.value) }
    guard Set(urls.map(\.value)).count == 1, let url = urls.first, !url.value.contains(" ") else { return [] }
    let parts = URLParts(url.value).flatMap { $0.authority.isEmpty ? nil : $0 }
    let isSecure = parts?.scheme.lowercased() == "https"
    let form = check(
      .authority,
      Check(
        "authority is an https URL", expected: "https://<host>/<tenant>", found: url.value, isSecure,
        source: "real-apps.md §2"), "The authority is not an https URL", at: url.place,
      DoctorCheck.Refusal(
        "ArgumentException",
        parts == nil
          ? "The authority (including the tenant ID) must be in a well-formed URI format."
          : "The authority must use HTTPS scheme."), fix: "\"https://\(url.value.withoutScheme)\"")
    guard isSecure, let parts, let meant = EntraHost.meant(by: parts.host.lowercased()) else { return [form] }
    return [
      form,
      check(
        .authority,
        Check(
          "the authority's host is spelled right", expected: meant, found: parts.host, false,
          source: "real-apps.md §2"), "The authority's host is misspelt", at: url.place,
        fix: "\"https://\(meant)\(parts.path)\""),
    ]
  }

  /// The checks of the activities of an app with MSAL.NET, besides the filter.
  var dotNetActivityChecks: [DoctorCheck] {
    var checks: [DoctorCheck] = []
    if let activity = facts.activity, facts.isExported == false {
      checks.append(
        check(
          .browserTabActivity,
          Check(
            "BrowserTabActivity is exported", expected: "Exported = true", found: "false", false,
            source: "real-apps.md §2"), "BrowserTabActivity is not exported", at: activity,
          severity: facts.mayNeedNoActivity ? .worksInSomeCases : .fails, fix: "[Activity(Exported = true)]"))
    }
    if let activity = facts.lackingContinuation {
      // Source: microsoft-authentication-library-for-dotnet, `AuthenticationActivity.cs`, which returns the answer as the
      // result of an activity, and `AuthenticationContinuationHelper.cs`.
      checks.append(
        check(
          .callback,
          Check(
            "the activity's result continues the sign-in", expected: "AuthenticationContinuationHelper",
            found: "no call", false, source: "real-apps.md §2"), "No activity's result continues the sign-in",
          at: activity,
          fix: """
            protected override void OnActivityResult(int requestCode, Result resultCode, Intent data)
            {
              base.OnActivityResult(requestCode, resultCode, data);
              AuthenticationContinuationHelper.SetAuthenticationContinuationEventArgs(requestCode, resultCode, data);
            }
            """))
    }
    return checks
  }
}
