/// An app or a registration that was checked.
package struct DoctorSubject: Hashable, Sendable {
  /// The name by which checks refer to it.
  package var name: String
  /// Its ID, SDK, and platform in one line.
  package var summary: String
  package var origin: FilePlace
  /// The bundle ID or package name by which the lab knows an app on a device, or `nil` if there is none.
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
  /// All apps and registrations that were checked, in the order of every output.
  package var subjects: [DoctorSubject] {
    apple.map {
      DoctorSubject(
        name: $0.subject, summary: $0.summary, origin: $0.origin, bundleID: $0.bundleID?.value,
        notSeen: $0.notSeen)
    }
      + android.map {
        DoctorSubject(
          name: $0.name, summary: "\($0.packageName?.value ?? "no package name") · MSAL · Android",
          origin: $0.origin, bundleID: $0.packageName?.value)
      }
      + web.map {
        DoctorSubject(
          name: $0.name, summary: "MSAL.js · browser", origin: $0.origin,
          notSeen: $0.notSeen)
      }
      + registrations.map {
        DoctorSubject(name: $0.name, summary: "registration of \($0.clientID.value)", origin: $0.origin)
      }
  }

  /// Returns the note on the project that contains a path, or an empty array if there is none.
  package func notes(of path: String) -> [ProjectNote] {
    ProjectNote.containing(path, notes).map { [$0] } ?? []
  }

  /// Returns the checks of one app or registration, in the order of the rules.
  package func checks(of subject: DoctorSubject) -> [DoctorCheck] {
    checks.filter { $0.subject == subject.name }
  }
}

extension WebFacts {
  /// A sentence about where the configuration of MSAL.js was searched for, or `nil` if it contains a client ID.
  fileprivate var notSeen: String? {
    guard source.clientID.found == nil else { return nil }
    let base = folder(of: origin.path)
    let what =
      source.clientID.place.map { "\($0) sets clientId to a value that no script contains" }
      ?? "no auth: { clientId: … } is in the scripts below \(base)"
    return
      "No client ID was found: \(what). Environment files that are not checked in (src/environments/*.ts, .env) are "
      + "not there or not read. It is compared with no registration."
  }
}

extension AppleFacts {
  /// A sentence about what is not visible, or `nil` if there is nothing to say.
  ///
  /// In a built app, the values that code sets exist only as machine code (docs/behaviour/real-apps.md §3).
  fileprivate var notSeen: String? {
    guard let sdk else {
      return
        "Nothing in it names MSAL or ADAL, so it is not judged: name the project, or the app's other files too."
    }
    if let library {
      return
        "It uses MSAL through \(library.value): client ID, authority and redirect URI that it sets are not read. "
        + (hasUnknownRedirect
          ? "So no redirect URI is checked." : "The SDK's default redirect URI is assumed.")
    }
    guard isBuilt, sdk == .msal else { return nil }
    let signed = entitlements == .unread ? "its entitlements, " : ""
    return "Not visible in a built app: " + signed
      + "the authority, a redirect URI that code sets, and whether code switches the broker off. Name the project as well."
  }

  fileprivate var summary: String {
    ([bundleID?.value ?? "no bundle ID", sdk?.rawValue ?? "no SDK"] + [sdkVersion].compactMap(\.self)
      + [platform.rawValue]).joined(separator: " · ")
  }
}
