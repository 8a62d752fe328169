import SSOCore
import SSODevice
import SSOProvider

/// The reason that a project cannot be imported into the lab.
package enum ImportRefusal: Error, Hashable, Sendable {
  /// The project does not contain an app or a registration.
  case nothingToImport
  /// No target has the given name; `among` lists the existing names.
  case unknownTarget(String, among: [String])
  /// No client ID was found in the files of these apps.
  case missingClientID([String])
}

/// The apps and registrations of a project, for an import into a lab.
package struct ProjectRecords: Hashable, Sendable {
  /// The name that the user specified.
  package var name: String
  package var apps: [InstalledApp]
  package var registrations: [ClientRegistration]
  /// The web apps: clients of the provider, which are not installed on a device.
  package var clients: [ClientRegistration]
}

extension Diagnosis {
  /// Returns the apps and all registrations as records of the lab.
  ///
  /// A web app becomes a client of the provider and is not installed on a device.
  /// - Parameters:
  ///   - name: The name that the user specified.
  ///   - target: The only app to include, or `nil` for all apps.
  ///   - clientID: The client ID for apps whose files do not contain one.
  ///   - source: Where to find the project again, from any working directory, or `nil` if it is not to be found again.
  /// - Returns: One record for each app, and one for each registration.
  /// - Throws: `ImportRefusal` with the information that the files lack.
  package func records(
    named name: String, target: String?, clientID: String?, source: ProjectSource? = nil
  ) throws(ImportRefusal) -> ProjectRecords {
    func isIncluded(_ name: String) -> Bool { target == nil || name == target }
    let names = apple.map(\.name) + android.map(\.name) + web.map(\.name)
    if let target, !names.contains(target) { throw .unknownTarget(target, among: names) }
    let installed =
      apple.filter { $0.configuration == nil && isIncluded($0.name) }
      .compactMap { InstalledApp($0, clientID: clientID) }
      + android.filter { isIncluded($0.name) }.compactMap { InstalledApp($0, clientID: clientID) }
    let apps = installed.map { app in
      var app = app.withTeam
      app.project = source
      return app
    }
    let pages = web.filter { isIncluded($0.name) }
    let missing =
      apps.filter(\.clientID.isEmpty).map(\.displayName)
      + pages.filter { $0.registration(clientID: clientID) == nil }.map(\.name)
    guard missing.isEmpty else { throw .missingClientID(missing) }
    guard !apps.isEmpty || !registrations.isEmpty || !pages.isEmpty else { throw .nothingToImport }
    return ProjectRecords(
      name: name, apps: apps, registrations: registrations.map(\.registration),
      clients: pages.compactMap { $0.registration(clientID: clientID) })
  }

  /// Returns the apps of one platform that can be compared with each other.
  ///
  /// Skips apps without a known client ID, which cannot be compared.
  /// - Parameter clientID: The client ID for apps whose files do not contain one.
  /// - Returns: The apps, each with its team or a placeholder for it, and their platform.
  package func comparableApps(clientID: String?) -> (apps: [InstalledApp], platform: Platform) {
    let facts = apple.filter { $0.configuration == nil }
    let platform = facts.first?.platform
    let found =
      platform == nil
      ? android.compactMap { InstalledApp($0, clientID: clientID) }
      : facts.filter { $0.platform == platform }.compactMap { InstalledApp($0, clientID: clientID) }
    var seen: Set<String> = []
    let known = found.filter { !$0.clientID.isEmpty && !Placeholders.contain($0.clientID) }
    let apps = known.filter { seen.insert($0.bundleID).inserted }.map(\.withTeam)
    return (apps, platform ?? .android)
  }
}

extension InstalledApp {
  /// The app with a placeholder for the team if its project does not specify one, the same for all of them.
  fileprivate var withTeam: InstalledApp {
    var app = self
    if teamID.isEmpty { app.teamID = "UNKNOWNTEAM" }
    return app
  }
}

extension InstalledApp {
  /// Creates the app as the lab models it, with unknown values left empty, or returns `nil` without an SDK or a bundle ID.
  package init?(_ facts: AppleFacts, clientID given: String? = nil) {
    guard let sdk = facts.sdk, let bundleID = facts.bundleID else { return nil }
    let defaults = PlatformDefaults(facts.platform, sdk, version: facts.sdkVersion)
    var groups: [String] = []
    if case .groups(let list?, _) = facts.entitlements { groups = list.values.map(facts.withPrefix) }
    self.init(
      bundleID: bundleID.value, teamID: facts.teamID?.value ?? "",
      displayName: facts.displayName ?? facts.name,
      vendor: "", sdk: sdk, sdkVersion: defaults.sdkVersion, clientID: facts.clientID?.value ?? given ?? "",
      redirectURI: facts.givenRedirectURI ?? "", scopes: defaults.scopes,
      keychainAccessGroups: groups, keychainSharingGroup: facts.sharingGroup ?? defaults.sharingGroup,
      urlSchemes: facts.urlSchemes?.values ?? [], queriesSchemes: facts.querySchemes?.values ?? [])
    let source = facts.source
    let found = source?.authority.found ?? source?.patternedAuthority?.url
    if let found = found?.value ?? source?.authorityOfSubdomain { authority = found }
    let ownClass = (try? Authority(authority))?.ownClass
    authorityClass = source?.ownAuthorityClass.flatMap { $0 == ownClass ? nil : $0 }
    brokerUse = source?.brokerUse?.value ?? facts.wrapperBrokerUse ?? defaults.brokerUse
    webView = defaults.webView
    bypassesRedirectValidation = source?.bypass != nil
    usesScenes = facts.usesScenes != nil
    urlForwarding = facts.forwarding
    // An authority that is declared but not read is assumed to be the app's own.
    knownAuthorities =
      (source?.knownAuthorities ?? []) + (source?.hasUnknownKnownAuthorities == true ? [authority] : [])
    isExtension = facts.isExtension
    platform = facts.platform
  }

  /// Creates the app as the lab models it, or returns `nil` without a package name or an MSAL configuration.
  ///
  /// Android does not have keychain access groups: MSAL's cache is private to the app, and the signature hash takes the
  /// place of iOS's team. MSAL's own manifest, which the build merges, declares the queries for the broker's packages.
  package init?(_ facts: AndroidFacts, clientID given: String? = nil) {
    guard let usual = facts.packageName?.value, let configuration = facts.configuration else { return nil }
    let packageName = facts.ownPackageNames(of: configuration)?.first ?? usual
    let own = packageName.split(separator: ".").last.map(String.init) ?? packageName
    let defaults = PlatformDefaults(.android, version: facts.sdkVersion)
    let redirectURI = configuration.redirectURI?.value ?? ""
    self.init(
      bundleID: packageName, teamID: facts.signatureHash ?? "",
      displayName: facts.label ?? (facts.name == "app" || facts.name.hasSuffix(".apk") ? own : facts.name),
      vendor: "", sdk: .msal, sdkVersion: defaults.sdkVersion,
      clientID: configuration.clientID?.value ?? given ?? "",
      redirectURI: redirectURI, keychainAccessGroups: defaults.accessGroups,
      keychainSharingGroup: defaults.sharingGroup, urlSchemes: defaults.urlSchemes(for: redirectURI),
      queriesSchemes: defaults.queriesSchemes, brokerUse: facts.usesBroker(configuration) ? .auto : .none)
    if let found = configuration.authority { authority = found }
    let redirect = configuration.redirectURI.flatMap { URLParts($0.value) }
    let isTakenByOthers =
      redirect.map {
        facts.stranger(taking: $0) != nil || facts.otherTask(taking: $0, of: configuration) != nil
      } ?? false
    let isTaken = !isTakenByOthers && redirect.flatMap { facts.takes($0, of: configuration) } != false
    // The SDK's own web view does not need an activity.
    let isInWebView = configuration.userAgent == "WEBVIEW"
    urlForwarding = isInWebView || facts.activity != nil && isTaken ? .both : .neither
    if !isInWebView, facts.isExported == false, !facts.filters.isEmpty { isActivityExported = false }
    if !isInWebView, !clientID.isEmpty, facts.namesStrangers, isTakenByOthers {
      let refusal = AndroidFacts.Stranger.refusal(in: packageName)
      configurationError = "\(refusal.code): \(refusal.text)"
      // The activity's own name mends both.
      urlForwarding = .both
    }
    accountMode = configuration.accountMode.flatMap { AccountMode(rawValue: $0.value.uppercased()) }
    createdAs = facts.createdAs(with: configuration)
    knownAuthorities = configuration.authorities.filter { $0.type == "B2C" }.compactMap(\.url)
    platform = .android
    if isInWebView { webView = .embedded }
  }
}

extension AppleFacts {
  /// The delegates that call the SDK, according to the source.
  fileprivate var forwarding: URLForwarding? {
    guard let source else { return builtForwarding?.value }
    let callers = Set(source.callbacks.map(\.value))
    return switch (callers.contains(.appDelegate), callers.contains(.sceneDelegate)) {
    case (true, true): .both
    case (true, false): .appDelegate
    case (false, true): .sceneDelegate
    case (false, false): URLForwarding.neither
    }
  }

  /// Replaces `$(TeamIdentifierPrefix)`, or a team that is written out and that the files do not contradict, with
  /// `$(AppIdentifierPrefix)`; all represent the same prefix here, which ends in a dot.
  fileprivate func withPrefix(_ group: String) -> String {
    let group = group.replacing("${", with: "$(").replacing("IdentifierPrefix}", with: "IdentifierPrefix)")
    let variable = "$(TeamIdentifierPrefix)"
    let length = group.hasPrefix(variable) ? variable.count : teamID == nil ? teamLength(of: group) : 0
    return length == 0 ? group : "$(AppIdentifierPrefix)" + group.dropFirst(length)
  }
}

extension AndroidFacts {
  /// The kind of application object that code creates with a configuration, or `nil` if the calls do not show one kind.
  fileprivate func createdAs(with configuration: Configuration) -> AccountMode? {
    let modes = made.filter { call in
      call.path.map { $0 == configuration.path }
        ?? (call.resource == nil ? configurations.count == 1 : call.names(configuration.path))
    }.map(\.mode)
    return Set(modes).count == 1 ? modes.first : nil
  }
}
