import SSOCore
import SSODevice
import SSOReference

/// The facts from the files of apps and registrations, and the results of checking them together.
package struct Diagnosis: Hashable, Sendable {
  package var apple: [AppleFacts] = []
  package var android: [AndroidFacts] = []
  package var web: [WebFacts] = []
  package var registrations: [RegistrationFacts] = []
  /// The uses of other vendors' libraries.
  package var vendors: [VendorFacts] = []
  /// The files with which domains name their apps.
  var associations: [DomainAssociationFacts] = []
  /// The protected resources whose metadata were read.
  package var resources: [ResourceMetadataFacts] = []
  /// The profiles of the Enterprise SSO plug-in that were read.
  package var profiles: [SSOProfileFacts] = []
  /// The results of all checks, in the order of the subjects.
  package var checks: [DoctorCheck] = []
  /// The projects that are only partly read.
  package var notes: [ProjectNote] = []
  /// The libraries used by projects without an app to check.
  package var uses: [LibraryUse] = []
  /// The files that are part of a project but cannot be read.
  package var unread: [UnreadFile] = []

  package var findings: [DoctorCheck] { checks.filter(\.hasFailed) }
  /// Whether a check failed (severity `fails`), or the result is unknown because a file cannot be read.
  package var fails: Bool { findings.contains { $0.severity == .fails } || !unread.isEmpty }
  var appCount: Int { apple.count + android.count + web.count }
  /// Whether the diagnosis has no checks, registrations, or unreadable files.
  package var isUnchecked: Bool { checks.isEmpty && registrations.isEmpty && unread.isEmpty }
  /// Whether all entries of the folders were searched, so that anything not found is known to be absent.
  package var isComplete: Bool { !notes.contains { $0.kind == .large } }
  /// Whether none of the files contains MSAL, ADAL, a registration, a resource, or a profile.
  private var isWithoutSDK: Bool {
    apple.isEmpty && android.isEmpty && web.isEmpty && registrations.isEmpty && resources.isEmpty
      && profiles.isEmpty
  }
  /// Returns whether a library is used in a project with an app that was checked.
  func covers(_ use: LibraryUse) -> Bool {
    let origins = apple.map(\.origin) + android.map(\.origin) + web.map(\.origin)
    let isDotNet = use.place.path.hasSuffix(".csproj")
    return origins.contains {
      $0.path == use.place.path || isDotNet && $0.path.hasPrefix(folder(of: use.place.path) + "/")
    }
  }

  /// Whether the rules apply to nothing that was read, except for other vendors' libraries.
  package var isEmpty: Bool { isWithoutSDK && associations.isEmpty }
  /// Whether everything was searched and read, and no app uses MSAL or ADAL.
  package var hasNoSDK: Bool { isWithoutSDK && uses.isEmpty && isComplete && unread.isEmpty }
}

/// An app or a registration that was checked.
package struct DoctorSubject: Hashable, Sendable {
  /// The name by which checks refer to it.
  package var name: String
  /// Its ID, SDK, and platform in one line.
  package var summary: String
  package var origin: FilePlace
  /// The bundle ID or package name by which the lab knows an app on a device, or `nil` if it is unknown.
  package var bundleID: String?
  /// A sentence about checks that were skipped because the files do not show the values, or `nil` if there is nothing
  /// to say.
  package var notSeen: String?

  /// The path of the project, built app, or file that it was read from.
  package var project: String {
    for end in [".xcodeproj/project.pbxproj", ".app/Info.plist", ".app/Contents/Info.plist"]
    where origin.path.hasSuffix(end) {
      return end.contains("Contents") ? folder(of: folder(of: origin.path)) : folder(of: origin.path)
    }
    return origin.path
  }
}

extension Diagnosis {
  /// All apps, registrations, and other files that were checked, in the order of every output.
  package var subjects: [DoctorSubject] {
    let apps = apple.map(\.appSubject) + android.map(\.appSubject) + web.map(\.appSubject)
    return apps + registrations.map(\.recordSubject) + resources.map(\.recordSubject)
      + profileSubjects + vendors.map(\.appSubject) + associations.map(\.recordSubject)
  }

  /// The configuration profiles, each once, because the checks of all its payloads have the profile's name.
  private var profileSubjects: [DoctorSubject] {
    profiles.reduce(into: []) { subjects, profile in
      if !subjects.contains(where: { $0.name == profile.name }) { subjects.append(profile.recordSubject) }
    }
  }

  /// Returns the note on the project that contains a path, or an empty array without a note.
  package func notes(of path: String) -> [ProjectNote] {
    ProjectNote.containing(path, notes).map { [$0] } ?? []
  }

  /// Returns the checks of one app or registration, in the order of the rules.
  package func checks(of subject: DoctorSubject) -> [DoctorCheck] {
    checks.filter { $0.subject == subject.name }
  }
}

extension AppleFacts {
  fileprivate var appSubject: DoctorSubject {
    DoctorSubject(
      name: subject, summary: summary, origin: origin, bundleID: bundleID?.value, notSeen: notSeen)
  }

  private var summary: String {
    ([bundleID?.value ?? "no bundle ID", sdk?.rawValue ?? "no SDK"] + [sdkVersion].compactMap(\.self)
      + [platform.rawValue]).joined(separator: " · ")
  }
}

extension AndroidFacts {
  fileprivate var appSubject: DoctorSubject {
    DoctorSubject(
      name: name, summary: "\(packageName?.value ?? "no package name") · MSAL · Android", origin: origin,
      bundleID: packageName?.value, notSeen: notSeen)
  }
}

extension WebFacts {
  fileprivate var appSubject: DoctorSubject {
    DoctorSubject(name: name, summary: "MSAL.js · browser", origin: origin, notSeen: notSeen)
  }
}

extension VendorFacts {
  fileprivate var appSubject: DoctorSubject {
    DoctorSubject(name: name, summary: "not MSAL · \(vendor.name)", origin: origin)
  }
}

extension RegistrationFacts {
  fileprivate var recordSubject: DoctorSubject {
    DoctorSubject(
      name: name, summary: "registration of \(clientID.value)", origin: origin,
      notSeen: isCompared
        ? nil : "It is not compared with an app, because no client ID is visible: pass it with --client-id."
    )
  }
}

extension DomainAssociationFacts {
  fileprivate var recordSubject: DoctorSubject {
    DoctorSubject(name: name, summary: "apps of a domain", origin: origin)
  }
}

extension SSOProfileFacts {
  fileprivate var recordSubject: DoctorSubject {
    DoctorSubject(name: name, summary: "profile of the Enterprise SSO plug-in", origin: origin)
  }
}

extension ResourceMetadataFacts {
  fileprivate var recordSubject: DoctorSubject {
    DoctorSubject(
      name: name, summary: "protected resource \(resource.value)", origin: origin,
      notSeen: serversOfEntra.isEmpty
        ? "None of its authorization servers is Entra, so it is not checked."
        : scopes.isEmpty && !hasOnlyOpenIDScopes
          ? "It does not list scopes, so they are not checked: WWW-Authenticate must name them; they begin with the resource."
          : nil)
  }
}

// Values that the files do not show are listed in one line, and no rule reports them.

extension AppleFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  ///
  /// In a built app, the values that code sets exist only as machine code (docs/behaviour/real-apps.md §3).
  var notSeen: String? {
    guard let sdk else {
      return
        "Nothing in it names MSAL or ADAL, so it is not checked: name the project, or the app's other files too."
    }
    if isOutdated {
      return
        "It uses a version of MSAL before 0.3, whose redirect URI and keychain group are others: it is not checked."
    }
    if !redirectsOfDotNet.isEmpty {
      return
        "It uses MSAL.NET: of its C# the broker, the keychain group, and the redirect URI are read, other values are not."
    }
    if let library, !isConfiguredByScript {
      return
        "It uses MSAL through \(library.value): client ID, authority and redirect URI that it sets are not read. "
        + (hasUnknownRedirect
          ? "So the redirect URI is not checked." : "The SDK's default redirect URI is assumed.")
    }
    if isBuilt, sdk == .msal {
      let signed = entitlements == .unread ? "its entitlements, " : ""
      return "Not visible in a built app: " + signed
        + "the authority, a redirect URI that code sets, and whether code switches the broker off. Name the project as well."
    }
    guard let source else { return nil }
    var parts = [
      source.clientID.notSeen("client ID"), source.redirectURI.notSeen("redirect URI"),
      source.authority.notSeen("authority"), source.keychainGroup.notSeen("keychain group"),
    ].compactMap(\.self)
    if urlSchemes == nil, platform.requiresRegisteredScheme {
      parts.append("URL schemes (no Info.plist was read)")
    }
    if entitlements == .unread { parts.append("keychain group (no entitlements were read)") }
    return notChecked(parts)
  }
}

extension AndroidFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  var notSeen: String? {
    guard redirectsOfDotNet.isEmpty else {
      return
        "It uses MSAL.NET: of its C# only the redirect URI and the activities that receive the answer are checked."
    }
    guard !configurations.isEmpty else {
      guard malformed.isEmpty else { return nil }
      return
        "No configuration of MSAL was found in res/raw or assets: client ID, authorities and redirect URI are not checked."
    }
    var parts = packageName == nil ? ["package name (no build file says it)"] : []
    if manifest == nil { parts.append("BrowserTabActivity (no manifest of the app was read)") }
    if let filter = filters.first(where: \.isUnknown) {
      parts.append("BrowserTabActivity (\(filter.place) has a value of the build)")
    }
    return notChecked(parts)
  }
}

extension WebFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  var notSeen: String? {
    if isFirstVersion { return "It uses MSAL.js 1: only a client secret in the page is checked." }
    // A finding names the variable that the bundler does not put into the page.
    if clientID == nil, configuration?.unseen["clientId"] == nil {
      let what =
        configuration?.clientID.place.map { "\($0) sets clientId to an expression whose value was not found" }
        ?? "no auth: { clientId: … } is in the scripts below \(folder(of: origin.path))"
      return
        "No client ID was found: \(what). Environment files that are not checked in (src/environments/*.ts, .env) are "
        + "not there or not read."
    }
    return notChecked(
      [configuration?.redirectURI.notSeen("redirect URI"), configuration?.authority.notSeen("authority")]
        .compactMap(\.self)
        + (isLeftOver ? configurations.map(\.place) : leftOver).map {
          "auth (\($0): nothing imports this file)"
        })
  }
}

/// Returns the line that lists what was not checked, or `nil` if everything was.
private func notChecked(_ parts: [String]) -> String? {
  parts.isEmpty ? nil : "Not checked: \(parts.joined(separator: "; "))."
}

extension SourceFacts.Setting {
  /// Returns a name and the place that sets it, if its value cannot be determined.
  fileprivate func notSeen(_ name: String) -> String? {
    if case .unknown(let place) = self { "\(name) (\(place) computes it)" } else { nil }
  }
}

extension Diagnosis {
  /// The verdict on all apps and registrations together.
  package var verdict: Verdict {
    let grounds: [(DoctorCheck.Severity, Verdict.Certainty)] = [
      (.fails, .seen), (.worksInSomeCases, .inferred), (.notFilledIn, .notFilledIn),
    ]
    if let file = unread.first, findings.isEmpty {
      return Verdict(
        .notVisible, meaning: "A file cannot be read.", remedy: Advice("repair it."), place: file.path)
    }
    for (severity, certainty) in grounds {
      let found = findings.filter { $0.severity == severity && $0.unseenValue == nil }
      guard let first = found.first else { continue }
      return Verdict(
        certainty, cause: first.rule.name,
        meaning: first.mistakeWithValues + (found.count > 1 ? " It is the first of \(found.count)." : ""),
        remedy: first.advice, place: first.place.description)
    }
    if let first = findings.first, let value = first.unseenValue {
      return Verdict(
        .notVisible, cause: first.rule.name, meaning: "It depends on \(value) in code, which is not visible.",
        remedy: Advice("name the project as well."), place: first.place.description)
    }
    guard checks.isEmpty else {
      return Verdict(
        .nothingFound,
        meaning: (hasNoSDK ? "No app here uses MSAL or ADAL. " : "")
          + "No mistake is visible in \(counted(checks.count, "check")).")
    }
    return Verdict(
      .notVisible, meaning: hasNoSDK ? "No app here uses MSAL or ADAL." : "Nothing could be checked.")
  }
}

extension DoctorCheck {
  /// The mistake as a sentence, with the expected value and the value found.
  fileprivate var mistakeWithValues: String {
    "\(mistake). Expected \(check.expected); found \(check.found)."
  }

  /// The one thing to do at the place of the mistake.
  fileprivate var advice: Advice {
    let lines = fix?.lines ?? []
    let words =
      switch (severity, lines.count) {
      case (.notFilledIn, _): "replace it with the app's own."
      case (_, 0): "change \(place)."
      case (_, 1): "write \(lines[0]) at \(place)"
      default: "write the lines that the rule prints at \(place)."
      }
    return Advice(words)
  }
}

/// The redirect scheme of a bundle ID that no app of the project has, in the place of an app's own scheme.
struct ForeignScheme: Hashable, Sendable {
  package var written: String
  package var own: String
}

extension Diagnosis {
  /// Records the schemes of other bundle IDs in the findings about them: `msauth.com.contoso.post` in an app with the
  /// bundle ID com.contoso.mail.
  ///
  /// A value that another target or configuration may need is not recorded.
  mutating func findForeignSchemes() {
    let bundleIDs = apple.compactMap { $0.bundleID?.value }
    for index in checks.indices
    where checks[index].hasFailed && Self.foreignRules.contains(checks[index].rule) {
      let check = checks[index]
      let written = urlScheme(of: check.check.found) ?? check.check.found
      let owner = apple.first { $0.subject == check.subject }
      guard written.hasPrefix("msauth."), let id = owner?.bundleID?.value, !id.contains("$("),
        !Placeholders.contain(written), !Placeholders.contain(id),
        !bundleIDs.contains(String(written.dropFirst("msauth.".count))),
        case let own = PlatformDefaults.redirectScheme(bundleID: id), own != written
      else { continue }
      let isShared = checks.contains {
        $0.hasFailed && $0.place == check.place && $0.subject != check.subject
      }
      if !isShared { checks[index].foreignScheme = ForeignScheme(written: written, own: own) }
    }
  }

  private static let foreignRules: Set<DoctorRule> = [.brokerUnused, .redirectURI, .urlScheme]
}
