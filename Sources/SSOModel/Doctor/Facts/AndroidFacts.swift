import Essentials
import SSOCore
import SSODevice

/// The facts from the files of one Android app: a module of a Gradle project, or a built APK.
package struct AndroidFacts: Hashable, Sendable {
  /// A configuration file of MSAL (`msal_config.json`), whatever its name.
  package struct Configuration: Hashable, Sendable {
    /// An entry of `authorities`.
    package struct Authority: Hashable, Sendable {
      package var type: String
      package var url: String?
      package var audience: String?
      /// The `tenant_id` of the audience.
      package var tenant: String?
      package var isDefault: Bool
    }

    package var path: String
    package var clientID: Found<String>?
    package var redirectURI: Found<String>?
    package var authorities: [Authority]
    /// The one-based line of `authorities`, or `nil` if the key is missing.
    var authoritiesLine: Int?
    /// `broker_redirect_uri_registered`.
    var isBrokerRegistered: Found<Bool>?
    /// The `authorization_user_agent`; with WEBVIEW, the app does not share cookies with the browser.
    package var userAgent: String?
    /// The `account_mode`, whose default is MULTIPLE.
    package var accountMode: Found<String>?
    /// `authorization_in_current_task`, with which another activity receives the answer.
    var isInCurrentTask: Found<Bool>?
    /// Whether it is for native authentication, because it has `challenge_types`.
    package var isNativeAuth = false
    /// The `challenge_types`.
    var challengeTypes: Found<[String]>?
    /// The place of a `client_secret`, whose value is never kept.
    var secret: FilePlace?
    /// The keys whose values have another type than MSAL reads.
    var mistyped: [Found<String>] = []
    /// Whether code adds the client ID and the redirect URI.
    var isCompletedByCode = false
    /// The keys that resemble missing ones, of the document and of its authorities.
    package var misspelt: [MisspeltKey] = []
  }

  /// An application object that code creates.
  package struct Made: Hashable, Sendable {
    /// The account mode that it is for: `SINGLE`, `MULTIPLE`.
    package var mode: AccountMode
    /// Whether the call has a listener, and so does not wait.
    package var hasListener = true
    /// The name of its configuration file, as in `R.raw.name`, or `nil` if the call does not show it.
    package var resource: String?
    /// The path of its configuration file, if code of a wrapper names it.
    var path: String?
    package var place: FilePlace

    /// Returns whether its configuration is a raw resource with the name of a file.
    func names(_ path: String) -> Bool { resource.map { fileName(path) == $0 + ".json" } ?? false }
  }

  /// An intent filter of the activity that receives the response.
  package struct Filter: Hashable, Sendable {
    package var scheme: String?
    package var host: String?
    /// Whether the host is `${applicationId}`, which follows the package name of each build.
    var isHostTheApplicationID = false
    package var path: String?
    /// Whether the filter has VIEW, DEFAULT, and BROWSABLE.
    package var isComplete: Bool
    /// The actions and categories that it lacks: `category.DEFAULT`.
    var lacking: [String] = []
    /// Whether its activity is CurrentTaskBrowserTabActivity.
    var isOfCurrentTask = false
    /// Whether its activity takes the place of the one in `src/main` (`tools:node="replace"`).
    var replacesOthers = false
    package var place: FilePlace
  }

  /// An activity, other than MSAL's two, with a filter for a scheme that begins like MSAL's.
  package struct Stranger: Hashable, Sendable {
    var name: Found<String>
    var filters: [Filter]

    static let msal = "com.microsoft.identity.client.BrowserTabActivity"
    static let msalInCurrentTask = "com.microsoft.identity.client.CurrentTaskBrowserTabActivity"

    /// Whether its name resembles that of MSAL's activity.
    var resemblesMSAL: Bool { [Self.msal].closestSpelling(to: name.value, most: 6) != nil }

    /// The error of MSAL for an activity other than its own that takes the redirect URI.
    ///
    /// Source: microsoft-authentication-library-for-android, `PublicClientApplicationConfiguration`,
    /// `validateCustomTabRedirectActivity`; `MsalClientException.MULTIPLE_APPS_LISTENING_CUSTOM_URL_SCHEME`.
    static func refusal(in package: String) -> DoctorCheck.Refusal {
      DoctorCheck.Refusal(
        "multiple_apps_listening_url_scheme",
        "More than one app is listening for the URL scheme defined for BrowserTabActivity in the AndroidManifest. "
          + "The package name of this other app is: \(package)")
    }

    /// Whether it is in the package of MSAL's activity and resembles its name.
    var isMisspelt: Bool { name.value.hasPrefix("com.microsoft.identity.client.") && resemblesMSAL }
  }

  package var name: String
  /// The label of the app in its manifest.
  var label: String?
  package var origin: FilePlace
  package var packageName: Found<String>?
  /// The package names of the builds of other flavours and types.
  package var otherPackageNames: [Found<String>] = []
  /// The package names of the builds that have a source set, by its name.
  var packageNamesOfSets: [String: [String]] = [:]
  /// The `targetSdkVersion`, an API level, or `nil` if it is not known.
  var targetSDK: Int?
  /// The version of MSAL that the build file requires, such as `5.1.0` or `5.+`.
  package var sdkVersion: String?
  /// The place of `AndroidManifest.xml`, or `nil` if it was not read.
  package var manifest: FilePlace?
  /// The place where BrowserTabActivity is declared, or `nil` if it is not declared.
  package var activity: FilePlace?
  /// The place where a manifest disables BrowserTabActivity (`android:enabled="false"`), or removes it from the merged one
  /// (`tools:node="remove"`).
  var removal: FilePlace?
  /// The other activities whose filters may take a redirect URI of the broker.
  var strangers: [Stranger] = []
  /// The `android:exported` attribute of BrowserTabActivity.
  var isExported: Bool?
  package var filters: [Filter] = []
  package var configurations: [Configuration] = []
  /// The files that the app passes to MSAL as its configuration, and that MSAL cannot parse.
  var malformed: [UnreadFile] = []
  /// The path of the only configuration with an error.
  private(set) var failingConfiguration: String?
  /// Whether MSAL uses the broker if a configuration does not say: MSAL's own default, or that of an app resource that
  /// replaces it.
  var usesBrokerByDefault = true
  /// The application objects that code creates.
  package var made: [Made] = []
  /// The names of the raw resources in code, as in `R.raw.name`.
  var namedResources: Set<String> = []
  /// The asset of Flutter with the configuration, if `pubspec.yaml` does not list it, so that it is not in the app.
  var unlistedAsset: Found<String>?
  /// The names of the raw resources that the project has, whatever they are.
  var rawResources: Set<String> = []
  /// The raw resources in code that a file of the project names without having them: a build, or its reader, adds them.
  var unpublishedResources: Set<String> = []
  /// The placeholders in the filters of MSAL's activity that no build file sets.
  var unset: [VendorFacts.Unset] = []
  /// The dependency that is misspelt or a comment, although code imports MSAL.
  var missingDependency: Found<String>?
  /// The place of the repositories, if none has the library for the Duo's display, which MSAL needs.
  var lackingFeed: FilePlace?
  /// The place of a package that makes the redirect URI of the package name, so that there is no configuration.
  var redirectMaker: FilePlace?
  /// The app's own components with an intent filter and without `android:exported`.
  var unexported: [Found<String>] = []
  /// The components for which a manifest says `android:exported`.
  var exportedComponents: Set<String> = []
  /// Whether code creates an application object from values in code, without a configuration.
  var isMadeInCode = false
  /// The lists of scopes in code that uses MSAL.
  var scopes: [FoundList] = []
  /// The place where code imports MSAL.
  package var usage: FilePlace?
  /// The base64-encoded SHA-1 hashes of the certificates that signed a built app.
  package var signatureHashes: [String] = []
  /// The hashes of the certificates in the project's keystores with which its build file signs builds.
  var keystoreHashes: [Found<String>] = []
  /// Whether the build file signs every build with one of them.
  var isSigningKnown = false
  /// The activity that a launcher starts, if C# code does not pass the activity's result to MSAL.NET.
  var lackingContinuation: FilePlace?
  /// The redirect URIs that C# code passes to MSAL.NET, or an empty array for an app with MSAL for Android.
  var redirectsOfDotNet: [Found<String>] = []
  /// The misspelt keys of `appsettings.json`, from which code takes the values of MSAL.NET.
  var misspeltSettings: [MisspeltKey] = []
  /// The authorities that C# code passes to MSAL.NET.
  var authoritiesOfDotNet: [Found<String>] = []
  /// The client IDs that C# code passes to MSAL.NET.
  var clientIDsOfDotNet: [Found<String>] = []
  /// Whether C# code lets MSAL.NET sign in without the activity: through the broker, or in the embedded web view.
  var mayNeedNoActivity = false
}

extension AndroidFacts.Configuration {
  /// The keys of a configuration; other JSON contains at most one of them.
  private static let keys = [
    "client_id", "redirect_uri", "authorities", "account_mode", "authorization_user_agent",
    "broker_redirect_uri_registered", "challenge_types",
  ]
  /// The optional keys of a configuration.
  ///
  /// Source: microsoft-authentication-library-for-android, `PublicClientApplicationConfiguration.SerializedNames`.
  private static let otherKeys = [
    "http", "logging", "multiple_clouds_supported", "environment", "minimum_required_broker_protocol_version",
    "telemetry", "preferred_browser", "browser_safelist", "client_capabilities", "capabilities",
    "web_view_zoom_controls_enabled", "web_view_zoom_enabled", "power_opt_check_for_network_req_enabled",
    "handle_null_taskaffinity", "authorization_in_current_task", "webauthn_capable",
  ]
  /// The keys of an authority (microsoft-authentication-library-common-for-android, `Authority`).
  private static let authorityKeys = ["type", "audience", "authority_url", "default"]
  /// Keys of the configurations of other libraries, which have client IDs and redirect URIs too.
  ///
  /// Sources: AppAuth-Android, `Configuration` of its demo app; okta-oidc-android, `OIDCConfig`; okta-sdk-appauth-android,
  /// `OAuthClientConfiguration`.
  private static let foreignKeys = [
    "discovery_uri", "authorization_scope", "authorization_endpoint_uri", "token_endpoint_uri",
    "end_session_redirect_uri", "issuer_uri",
  ]

  /// Returns whether a file may be a configuration, before it is parsed as JSON.
  ///
  /// One of two keys may be misspelt. Another library's file need not be valid JSON for MSAL.
  static func mayBe(_ text: String) -> Bool {
    keys.contains { mayHave($0, text) } && !foreignKeys.contains { mayHave($0, text) }
  }

  /// Returns whether a document is the configuration of another library.
  static func isForeign(_ document: JSONValue) -> Bool { foreignKeys.contains { document[$0] != nil } }

  /// Returns whether a text has more than one of a configuration's keys, even if it is not JSON.
  static func hasSeveralKeys(_ text: String) -> Bool { keys.count { mayHave($0, text) } > 1 }

  /// Returns whether a text has a word in quotes, or followed by a colon, as Gson takes a key.
  private static func mayHave(_ key: String, _ text: String) -> Bool {
    text.contains("\"\(key)\"") || text.contains("'\(key)'")
      || text.ranges(of: key).contains { range in
        let isWhole = text[..<range.lowerBound].last.map { $0.isWhitespace || "{,;".contains($0) } ?? true
        return isWhole && text[range.upperBound...].first { !$0.isWhitespace } == ":"
      }
  }

  /// Returns the error for a file that MSAL cannot parse, or `nil` if it can.
  static func parsingError(of text: String) -> ReadingError? {
    do throws(ReadingError) {
      _ = try LenientJSON(text)
      return nil
    } catch {
      return error
    }
  }

  /// Reads a configuration, or returns `nil` for another library's file or for a client of another platform's sample.
  ///
  /// A file that code passes to MSAL is a configuration even if it has few of its keys.
  /// - Throws: `ReadingError` if the text is not JSON as MSAL reads it.
  static func read(_ text: String, path: String, isNamed: Bool = false) throws(ReadingError) -> Self? {
    let json = try LenientJSON(text)
    let document = json.value
    guard let object = document.object, !isForeign(document) else { return nil }
    var misspelt = MisspeltKey.find(
      among: object.keys.sorted().map { ($0, json.line(of: $0)) }, of: keys, others: otherKeys, in: path)
    func has(_ key: String) -> Bool { object[key] != nil || misspelt[key] != nil }
    let isOwn =
      (has("redirect_uri") || has("authorities") || has("challenge_types")) && keys.count(where: has) > 1
    guard isNamed || isOwn && keys.contains(where: { object[$0] != nil }) else { return nil }
    for entry in object["authorities"]?.array ?? [] {
      misspelt += MisspeltKey.find(
        among: (entry.object ?? [:]).keys.sorted().map { ($0, json.line(of: $0)) }, of: authorityKeys,
        others: ["url", "slice", "flight_parameters"], in: path)
    }
    func found<Value: Hashable & Sendable>(_ key: String, _ value: (JSONValue) -> Value?) -> Found<Value>? {
      document[key].flatMap(value).map { Found($0, FilePlace(path, line: json.line(of: key))) }
    }
    let authorities = (document["authorities"]?.array ?? []).map { entry in
      Authority(
        type: entry["type"]?.string ?? "", url: (entry["authority_url"] ?? entry["url"])?.string,
        audience: entry["audience"]?["type"]?.string, tenant: entry["audience"]?["tenant_id"]?.string,
        isDefault: entry["default"]?.bool ?? false)
    }
    return Self(
      path: path, clientID: found("client_id", \.string), redirectURI: found("redirect_uri", \.string),
      authorities: authorities, authoritiesLine: json.line(of: "authorities"),
      isBrokerRegistered: found("broker_redirect_uri_registered", \.bool),
      userAgent: document["authorization_user_agent"]?.string,
      accountMode: found("account_mode", \.string),
      isInCurrentTask: found("authorization_in_current_task", \.bool),
      isNativeAuth: document["challenge_types"] != nil,
      challengeTypes: found("challenge_types") { $0.array?.compactMap(\.string) },
      secret: found("client_secret", \.string).flatMap { secret in
        secret.value.isEmpty || Placeholders.contain(secret.value) ? nil : secret.place
      }, mistyped: mistyped(document).map { Found($0, FilePlace(path, line: json.line(of: $0))) },
      misspelt: misspelt)
  }

  /// Returns the keys of a document whose values MSAL cannot read, so that it rejects the configuration: an object in place
  /// of a list or of a text, or a text in place of an object.
  ///
  /// Sources: gson, `TypeAdapters.java`, whose texts may also be numbers or truth values; microsoft-authentication-library-
  /// common-for-android, `AzureActiveDirectoryAudienceDeserializer.java`.
  private static func mistyped(_ document: JSONValue) -> [String] {
    func isWhole(_ value: JSONValue?) -> Bool { value?.object != nil || value?.array != nil }
    func isSimple(_ value: JSONValue?) -> Bool {
      value?.string != nil || value?.integer != nil || value?.bool != nil
    }
    let texts = ["client_id", "redirect_uri", "account_mode", "authorization_user_agent"]
    let authorities = document["authorities"]
    let isNoList = isSimple(authorities) || authorities?.object != nil
    let audiences = (authorities?.array ?? []).map { $0["audience"] }
    return texts.filter { isWhole(document[$0]) } + (isNoList ? ["authorities"] : [])
      + (audiences.contains { isSimple($0) || $0?.array != nil } ? ["audience"] : [])
  }
}

extension AndroidFacts {
  /// Returns whether a configuration is left over: code names another configuration or does not need one, and never
  /// names this one.
  func isLeftOver(_ configuration: Configuration) -> Bool {
    func isNamed(_ other: Configuration) -> Bool { namedResources.contains(other.resource) }
    return configuration.path.contains("/res/raw") && !isNamed(configuration)
      && (isMadeInCode || configurations.contains(where: isNamed) || made.contains { $0.resource != nil })
  }

  /// Returns whether every build creates an application object from a configuration: a call names it, and no flavour or
  /// build type has its own file in its place.
  func isSurelyMade(_ configuration: Configuration) -> Bool {
    made.contains { $0.names(configuration.path) } && configuration.path.contains("/src/main/")
      && configurations.count { fileName($0.path) == fileName(configuration.path) } == 1
  }

  /// The lists of scopes in code that asks Entra for them; B2C and AD FS have scopes of any form.
  var scopesForEntra: [FoundList] {
    let authorities = configurations.flatMap(\.authorities)
    return usage != nil && authorities.allSatisfy { $0.type == "AAD" } ? scopes : []
  }

  /// The names of the package in all builds.
  package var packageNames: [String] { ([packageName].compactMap(\.self) + otherPackageNames).map(\.value) }

  /// Returns the package names of the builds that have a configuration.
  func packageNames(of configuration: Configuration) -> [String] {
    ownPackageNames(of: configuration) ?? packageNames
  }

  /// Returns the package names of the builds with the source set of a configuration, or `nil` if all builds have it, or if
  /// they are not known: `…/src/dev/res/raw/…`.
  func ownPackageNames(of configuration: Configuration) -> [String]? {
    let parts = configuration.path.split(separator: "/")
    let place = parts.lastIndex(of: "src").map { $0 + 1 }
    return place.flatMap { parts.indices.contains($0) ? packageNamesOfSets[String(parts[$0])] : nil }
  }

  /// Returns whether the source set of a configuration has its own filters in addition to those of `src/main`.
  func hasOwnFilters(_ configuration: Configuration) -> Bool {
    !configuration.path.contains("/src/main/") && filters.contains { $0.isBeside(configuration) }
  }

  /// Returns the filters of a build with this configuration; other flavours and build types have other filters.
  func filters(of configuration: Configuration) -> [Filter] {
    guard hasOwnFilters(configuration) else { return filters }
    let own = filters.filter { $0.isBeside(configuration) }
    return own.contains(where: \.replacesOthers)
      ? own : own + filters.filter { $0.place.path.contains("/src/main/") }
  }

  /// Returns whether a filter of BrowserTabActivity takes the redirect URI, or `nil` if the manifest does not say.
  func takes(_ redirect: URLParts, of configuration: Configuration? = nil) -> Bool? {
    let filters = configuration.map(filters(of:)) ?? filters
    guard manifest != nil, !filters.contains(where: { $0.isUnknown || $0.waitingPart != nil }) else {
      return nil
    }
    return filters.contains { filter in
      configuration.map { isOwn(filter, of: $0) } != false
        && takes(redirect, by: filter, in: configuration.map(packageNames(of:)) ?? packageNames)
    }
  }

  /// Returns whether the answers of a configuration's requests go to the activity of a filter.
  ///
  /// Source: microsoft-authentication-library-for-android, `PublicClientApplicationConfiguration`,
  /// `validateCustomTabRedirectActivity`; its changelog, version 2.1.0.
  private func isOwn(_ filter: Filter, of configuration: Configuration) -> Bool {
    filter.isOfCurrentTask == (configuration.isInCurrentTask?.value == true && hasCurrentTask)
  }

  /// Whether MSAL has an activity for answers in the task that made the request, as it does since version 2.1.
  var hasCurrentTask: Bool { !requiresVersion(before: [2, 1]) }

  /// Returns whether every version of MSAL that the build file allows is older than another one: `2.0.12` is older than
  /// 2.1, and `2.+` may not be.
  private func requiresVersion(before other: [Int]) -> Bool {
    let parts = sdkVersion?.split(separator: ".").map { Int($0) } ?? []
    let known = parts.prefix { $0 != nil }.compactMap(\.self)
    guard !known.isEmpty, known.count >= min(other.count, parts.count) || known[0] != other[0] else {
      return false
    }
    return known.lexicographicallyPrecedes(other)
  }

  /// Whether the version of MSAL that the build file requires needs the library for the display of Microsoft's Duo, which is in
  /// no public repository but its own feed.
  ///
  /// Sources: microsoft-authentication-library-for-android, README, since version 1.5, and its issue 1027, until 7.1.
  var needsDisplayMask: Bool {
    let parts = (sdkVersion ?? "").split(separator: ".").map { Int($0) }
    guard parts.count > 1, let major = parts[0] else { return false }
    return (2...7).contains(major) || major == 1 && (parts[1] ?? 0) >= 5
  }

  /// Returns the filter of MSAL's activity for the other kind of task that takes the redirect URI of a configuration.
  func otherTask(taking redirect: URLParts, of configuration: Configuration) -> Filter? {
    let names = packageNames(of: configuration)
    return filters(of: configuration).first {
      !isOwn($0, of: configuration) && takes(redirect, by: $0, in: names)
    }
  }

  private func takes(_ redirect: URLParts, by filter: Filter, in packageNames: [String]) -> Bool {
    filter.isComplete && filter.scheme == redirect.scheme && filter.takesPath(of: redirect)
      && filter.takesHost(of: redirect, in: packageNames)
  }

  /// Whether MSAL has a separate error for a redirect URI that another activity takes, as it does since version 3.0.1;
  /// before, it said that the filter is missing.
  ///
  /// Source: microsoft-authentication-library-for-android, `changelog`, version 3.0.1, and `MsalUtils`,
  /// `hasCustomTabRedirectActivity`, before it.
  var namesStrangers: Bool { !requiresVersion(before: [3]) }

  /// Returns an activity other than MSAL's that takes the redirect URI.
  func stranger(taking redirect: URLParts) -> Stranger? {
    strangers.first { stranger in
      stranger.filters.contains { !$0.isUnknown && takes(redirect, by: $0, in: packageNames) }
    }
  }

  /// Returns whether MSAL uses the broker with a configuration, if the redirect URI allows it.
  ///
  /// Source: microsoft-authentication-library-for-android, `res/raw/msal_default_config.json` and
  /// `PublicClientApplicationConfiguration.mergeConfiguration`.
  func usesBroker(_ configuration: Configuration) -> Bool {
    configuration.isBrokerRegistered?.value ?? usesBrokerByDefault
  }

  /// The configuration for the lab's app: the first with a client ID, or else the first.
  ///
  /// Sample files that are not filled in or that code does not name come last, and so do files for B2C, which samples
  /// have beside the others.
  package var configuration: Configuration? {
    let used = configurations.filter { !isLeftOver($0) }
    let named = (used.isEmpty ? configurations : used).filter { $0.clientID?.value.isEmpty == false }
    let complete = named.filter { !$0.isSample }
    let present = complete.isEmpty ? named : complete
    let filled = present.filter { !$0.isOfUserFlow } + present.filter(\.isOfUserFlow)
    let own = filled.filter { configuration in
      configuration.redirectURI.flatMap { URLParts($0.value)?.authority } == packageName?.value
    }
    // Only the call shows which one the app uses, so a filter that does not take its redirect URI is not decisive.
    func isTaken(_ configuration: Configuration) -> Bool {
      configuration.redirectURI.flatMap { URLParts($0.value) }.map { takes($0, of: configuration) != false }
        ?? false
    }
    let failing = configurations.first { $0.path == failingConfiguration }.flatMap {
      isTaken($0) || ownPackageNames(of: $0) != nil ? $0 : nil
    }
    return failing ?? own.first(where: isTaken) ?? own.first ?? filled.first(where: isTaken) ?? filled.first
      ?? configurations.first
  }

  /// Records the configuration with an error, if there is only one such file, and the lab's app would have another one.
  mutating func takeFailure(_ checks: [DoctorCheck]) {
    let errors = checks.filter { check in
      check.subject == name && check.hasFailed && check.severity == .fails && check.refusal != nil
    }
    let paths = Set(errors.map(\.place.path))
    guard paths.count == 1, let path = paths.first, configurations.contains(where: { $0.path == path }) else {
      return
    }
    failingConfiguration = path
  }

  /// The base64-encoded SHA-1 hash of the signing certificate, from the APK's signature, or the keystore with which the
  /// build file signs every build, or else from the redirect URI.
  package var signatureHash: String? {
    signatureHashes.first ?? (isSigningKnown ? otherKeystoreHash?.value : nil) ?? redirectedHash
  }

  private var redirectedHash: String? {
    configuration?.redirectURI.flatMap { Self.signatureHash(in: $0.value) }
  }

  /// The hash of the certificate with which the build file signs builds, if the redirect URI has that of another one.
  private var otherKeystoreHash: Found<String>? {
    keystoreHashes.contains { $0.value == redirectedHash } ? nil : keystoreHashes.first
  }

  /// The hash of a keystore of the project with which only some builds are signed, if the redirect URI has another one.
  package var hashOfSomeBuilds: Found<String>? {
    signatureHashes.isEmpty && !isSigningKnown && redirectedHash != nil ? otherKeystoreHash : nil
  }

  /// Returns the decoded hash in a redirect URI of MSAL for Android, or `nil` if it does not have a path; a hash may
  /// have slashes.
  package static func signatureHash(in redirectURI: String) -> String? {
    guard let path = URLParts(redirectURI)?.path.dropFirst(), !path.isEmpty else { return nil }
    return FormEncoding.decodeText(path, plusIsSpace: false) ?? String(path)
  }
}

extension AndroidFacts.Filter {
  /// Returns whether it takes the host of a redirect URI in the builds with some package names.
  func takesHost(of redirect: URLParts, in packageNames: [String]) -> Bool {
    guard let host else { return true }
    return isHostTheApplicationID
      ? packageNames.contains(redirect.authority) : host == redirect.authority
  }

  /// Returns whether it takes the path of a redirect URI; without a host, it takes every path of its scheme.
  func takesPath(of redirect: URLParts) -> Bool { host == nil || path == nil || path == redirect.decodedPath }
}

extension URLParts {
  /// The path as Android compares it with a filter's.
  var decodedPath: String { FormEncoding.decodeText(path, plusIsSpace: false) ?? path }
}

extension AndroidFacts.Configuration {
  /// The name of its file as that of a raw resource, as in `R.raw.name`.
  var resource: String { String(fileName(path).prefix { $0 != "." }) }

  /// Whether a sample's value still stands in for its client ID.
  fileprivate var isSample: Bool { clientID.map { ClientIDForm($0.value) == .placeholder } ?? false }

  /// Whether it is for Azure AD B2C.
  fileprivate var isOfUserFlow: Bool { !authorities.isEmpty && authorities.allSatisfy { $0.type == "B2C" } }

  /// The URL of the default authority, or else of the first one, or `nil` if the configuration does not specify a URL
  /// or a known audience.
  var authority: String? {
    guard let chosen = authorities.first(where: \.isDefault) ?? authorities.first else { return nil }
    if let url = chosen.url { return chosen.type == "AAD" ? Self.address(ofAAD: url) : url }
    let usual: [String: String?] = [
      "AzureADandPersonalMicrosoftAccount": "common", "AzureADMultipleOrgs": "organizations",
      "PersonalMicrosoftAccount": "consumers", "AzureADMyOrg": nil,
    ]
    guard let audience = chosen.audience, let path = usual[audience] else { return nil }
    // A `tenant_id` replaces that of any audience (microsoft-authentication-library-common-for-android,
    // `AzureActiveDirectoryAudience`).
    let tenant = chosen.tenant.flatMap { $0.isEmpty ? nil : $0 } ?? path
    return tenant.map { "https://\(PublicCloud.preferredNetwork)/" + $0 }
  }

  /// Returns what MSAL makes of an address of Entra: the last part of its path is the tenant.
  ///
  /// Source: microsoft-authentication-library-common-for-android, `AuthorityDeserializer.java`.
  private static func address(ofAAD url: String) -> String {
    guard let parts = URLParts(url), PublicCloud.aliases.contains(parts.host.lowercased()),
      let tenant = parts.path.split(separator: "/").last
    else { return url }
    return "\(parts.scheme)://\(parts.authority)/\(tenant)"
  }
}
