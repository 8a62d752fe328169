import Essentials
import SSOCore
import SSODevice

/// The rules that compare the filters of BrowserTabActivity with the redirect URI of a configuration.
extension AndroidRules {
  func filterChecks(
    _ configuration: AndroidFacts.Configuration, _ redirect: Found<String>, _ parts: URLParts
  ) -> [DoctorCheck] {
    guard let manifest = facts.manifest, let takes = facts.takes(parts, of: configuration) else { return [] }
    if let stranger = facts.stranger(taking: parts) {
      return [strangerCheck(stranger, isAlone: !takes, redirect)]
    }
    if let other = facts.otherTask(taking: parts, of: configuration) {
      return [taskCheck(other, isAlone: !takes, configuration)]
    }
    let filters = facts.filters(of: configuration)
    let found = filters.map { filter in
      "\(filter.scheme ?? "")://\(filter.host ?? "")\(filter.path ?? "")"
        + (filter.isComplete ? "" : " without VIEW, DEFAULT or BROWSABLE")
    }
    let nearest = nearest(filters, to: parts, configuration)
    let names = facts.packageNames(of: configuration)
    if !takes, let nearest, let wanted = redirectURI(fitting: nearest, instead: parts, names) {
      return [
        check(
          .browserTabActivity,
          Check(
            "BrowserTabActivity takes the redirect URI", expected: wanted, found: redirect.value, false,
            source: "real-apps.md §2"), "The redirect URI is not the filter's", at: redirect.place,
          severity: severity, Self.noFilter, fix: "\"redirect_uri\": \"\(wanted)\"")
      ]
    }
    return [
      check(
        .browserTabActivity,
        Check(
          "BrowserTabActivity takes the redirect URI",
          expected: "\(parts.scheme)://\(parts.authority)\(parts.decodedPath)",
          found: found.isEmpty ? "no filter" : found.joined(separator: ", "), takes, source: "real-apps.md §2"
        ),
        found.isEmpty
          ? facts.removal == nil
            ? "The manifest lacks BrowserTabActivity's filter" : "The manifest removes BrowserTabActivity"
          : "BrowserTabActivity takes another redirect URI",
        at: nearest?.place ?? facts.activity ?? facts.removal ?? manifest, severity: severity, Self.noFilter,
        fix: lines(mending: nearest, for: parts, names))
    ]
  }

  /// The check that no other activity takes the redirect URI: MSAL rejects it even if its own activity takes it too.
  private func strangerCheck(
    _ stranger: AndroidFacts.Stranger, isAlone: Bool, _ redirect: Found<String>
  ) -> DoctorCheck {
    let own = AndroidFacts.Stranger.msal
    return check(
      .browserTabActivity,
      Check(
        "only BrowserTabActivity takes the redirect URI", expected: own, found: stranger.name.value, false,
        source: "real-apps.md §2"),
      isAlone && stranger.resemblesMSAL
        ? "The name of BrowserTabActivity is misspelt" : "Another activity takes the redirect URI",
      at: stranger.name.place, severity: severity, strangerRefusal,
      fix: isAlone ? "android:name=\"\(own)\"" : nil)
  }

  /// The check that the redirect URI is that of the activity which belongs to `authorization_in_current_task`.
  private func taskCheck(
    _ filter: AndroidFacts.Filter, isAlone: Bool, _ configuration: AndroidFacts.Configuration
  ) -> DoctorCheck {
    let names = [AndroidFacts.Stranger.msal, AndroidFacts.Stranger.msalInCurrentTask]
    let (wanted, found) = filter.isOfCurrentTask ? (names[0], names[1]) : (names[1], names[0])
    let key = "authorization_in_current_task"
    let isMendedThere = isAlone && facts.hasCurrentTask
    return check(
      .browserTabActivity,
      Check(
        "the activity is that of \(key)", expected: wanted, found: found, false, source: "real-apps.md §2"),
      isAlone ? "The manifest has the other task's activity" : "Two activities take the redirect URI",
      at: isMendedThere
        ? configuration.isInCurrentTask?.place ?? FilePlace(configuration.path, line: 1) : filter.place,
      severity: severity, strangerRefusal,
      fix: isMendedThere ? "\"\(key)\": \(filter.isOfCurrentTask)" : nil)
  }

  /// The findings of activities in MSAL's package that it does not have, if they are not compared with a redirect URI.
  func misspeltActivityChecks(besides checks: [DoctorCheck]) -> [DoctorCheck] {
    guard facts.activity == nil else { return [] }
    let own = AndroidFacts.Stranger.msal
    return facts.strangers.filter { stranger in
      stranger.isMisspelt && !checks.contains { $0.hasFailed && $0.place == stranger.name.place }
    }.map { stranger in
      check(
        .browserTabActivity,
        Check(
          "MSAL has the activity", expected: own, found: stranger.name.value, false, source: "real-apps.md §2"
        ),
        "The name of BrowserTabActivity is misspelt", at: stranger.name.place,
        severity: severity, Self.noFilter,
        fix: "android:name=\"\(own)\"")
    }
  }

  /// Returns the finding of a scheme that is misspelt, or `nil` for any other one.
  func schemeCheck(_ filter: AndroidFacts.Filter) -> DoctorCheck? {
    guard let scheme = filter.scheme, scheme != "msauth",
      ["msauth"].closestSpelling(to: scheme, most: 2) != nil
    else { return nil }
    return check(
      .browserTabActivity,
      Check(
        "the filter's scheme is msauth", expected: "msauth", found: scheme, false, source: "real-apps.md §2"),
      "The filter's scheme is misspelt", at: filter.place, severity: .worksInSomeCases,
      fix: "android:scheme=\"msauth\"")
  }

  /// Returns the hash in the path of the filters, if the filters of a configuration's build agree on one.
  func filterHash(_ configuration: AndroidFacts.Configuration) -> String? {
    let hashes = Set(
      facts.filters(of: configuration).filter { $0.scheme == "msauth" }.compactMap(\.path)
        .filter(isHash).map { String($0.dropFirst()) })
    return hashes.count == 1 ? hashes.first : nil
  }

  static let noFilter = DoctorCheck.Refusal(
    "app_manifest_validation_error",
    "Intent filter for: BrowserTabActivity is missing.  Please make sure you have the following activity in your "
      + "AndroidManifest.xml")

  /// MSAL's error if an activity other than the wanted one takes the redirect URI.
  private var strangerRefusal: DoctorCheck.Refusal {
    facts.namesStrangers ? AndroidFacts.Stranger.refusal(in: packageName) : Self.noFilter
  }

  /// A configuration may be left over, or a wrapper may have another one, if the app's code does not use MSAL.
  private var severity: DoctorCheck.Severity { facts.usage == nil ? .worksInSomeCases : .fails }

  /// Returns whether a path is a slash and the hash of a certificate, not encoded.
  func isHash(_ path: String) -> Bool {
    path.hasPrefix("/") && Data(base64Encoded: String(path.dropFirst()))?.count == 20
  }

  /// Returns the filter that differs least from a redirect URI, or the first of several.
  private func nearest(
    _ filters: [AndroidFacts.Filter], to parts: URLParts, _ configuration: AndroidFacts.Configuration
  ) -> AndroidFacts.Filter? {
    let names = facts.packageNames(of: configuration)
    func likeness(_ filter: AndroidFacts.Filter) -> Int {
      (filter.scheme == parts.scheme ? 8 : 0) + (filter.isBeside(configuration) ? 4 : 0)
        + (filter.takesHost(of: parts, in: names) ? 2 : 0) + (filter.takesPath(of: parts) ? 1 : 0)
    }
    let most = filters.map(likeness).max()
    return filters.first { likeness($0) == most }
  }

  /// Returns the redirect URI for a filter, if the filter is right where they differ: it has the app's package name, or
  /// a signature hash where the redirect URI does not have one.
  private func redirectURI(
    fitting filter: AndroidFacts.Filter, instead parts: URLParts, _ packageNames: [String]
  ) -> String? {
    guard filter.scheme == "msauth", var host = filter.host, let path = filter.path, filter.isComplete else {
      return nil
    }
    if parts.scheme != "msauth", filter.takesHost(of: parts, in: packageNames), filter.takesPath(of: parts),
      isHash(path)
    {
      return PlatformDefaults.androidRedirectURI(
        package: parts.authority, signatureHash: String(path.dropFirst()))
    }
    guard parts.scheme == "msauth" else { return nil }
    if filter.isHostTheApplicationID { host = packageNames.first ?? host }
    let own = parts.decodedPath
    let isHostWrong =
      !filter.takesHost(of: parts, in: packageNames) && !packageNames.isEmpty
      && !packageNames.contains(parts.authority)
      && (packageNames.contains(host) || filter.isHostTheApplicationID)
    let isPathWrong = path != own && isHash(path) && !isHash(own)
    guard isHostWrong || isPathWrong else { return nil }
    let hash = isPathWrong ? path : own
    guard isHash(hash) else { return nil }
    return PlatformDefaults.androidRedirectURI(
      package: isHostWrong ? host : parts.authority, signatureHash: String(hash.dropFirst()))
  }

  /// Returns the lines with which a filter takes a redirect URI: the attributes to correct, or a separate filter.
  private func lines(
    mending filter: AndroidFacts.Filter?, for parts: URLParts, _ packageNames: [String]
  ) -> String {
    let path = parts.decodedPath
    if let filter, filter.scheme == parts.scheme {
      guard filter.isComplete else {
        return filter.lacking.map { name in
          "<\(name.prefix { $0 != "." }) android:name=\"android.intent.\(name)\" />"
        }.joined(separator: "\n")
      }
      if path.isEmpty, !filter.takesPath(of: parts) {
        return "<data android:scheme=\"\(parts.scheme)\" android:host=\"\(parts.authority)\" />"
      }
      // Each build has its own package name.
      let isOfBuild = packageNames.count > 1 && packageNames.contains(parts.authority)
      let host = isOfBuild ? "${applicationId}" : parts.authority
      return [
        filter.takesHost(of: parts, in: packageNames) ? nil : "android:host=\"\(host)\"",
        filter.takesPath(of: parts) ? nil : "android:path=\"\(path)\"",
      ].compactMap(\.self).joined(separator: "\n")
    }
    let end = path.isEmpty ? "" : " android:path=\"\(path)\""
    let own = """
      <intent-filter>
        <action android:name="android.intent.action.VIEW" />
        <category android:name="android.intent.category.DEFAULT" />
        <category android:name="android.intent.category.BROWSABLE" />
        <data android:scheme="\(parts.scheme)" android:host="\(parts.authority)"\(end) />
      </intent-filter>
      """
    guard facts.activity == nil || facts.removal != nil else { return own }
    return "<activity android:name=\"\(AndroidFacts.Stranger.msal)\" android:exported=\"true\">\n"
      + own.lines.map { "  " + $0 }.joined(separator: "\n") + "\n</activity>"
  }

  /// The finding of a signature hash of which only a part is percent-encoded, although the portal registers all of it
  /// encoded, or `nil`; with the broker, MSAL compares the redirect URI itself.
  func encodingCheck(
    _ configuration: AndroidFacts.Configuration, _ redirect: Found<String>, _ parts: URLParts
  ) -> DoctorCheck? {
    let path = parts.path.dropFirst()
    guard !facts.usesBroker(configuration), path.contains("%"), path.contains(where: { "+/=".contains($0) }),
      let hash = hash(of: parts)
    else { return nil }
    let wanted = PlatformDefaults.androidRedirectURI(package: parts.authority, signatureHash: hash)
    return check(
      .androidRedirect,
      Check(
        "the signature hash is percent-encoded", expected: wanted, found: redirect.value, false,
        source: "real-apps.md §2"), "The redirect URI's signature hash is only partly encoded",
      at: redirect.place, severity: .worksInSomeCases, fix: "\"redirect_uri\": \"\(wanted)\"")
  }
}

extension AndroidFacts.Filter {
  /// Whether its manifest is in the source set of a configuration.
  func isBeside(_ configuration: AndroidFacts.Configuration) -> Bool {
    configuration.path.hasPrefix(folder(of: place.path) + "/")
  }
}
