/// An app or a registration that was judged.
package struct DoctorSubject: Hashable, Sendable {
  /// As checks name it.
  package var name: String
  /// Its ID, SDK and system in one line.
  package var summary: String
  package var origin: FilePlace
  /// Of an app that is on a device: how the lab knows it.
  package var bundleID: String?
  /// A sentence about what no check was asked of, because its files do not show it; nil: all was asked.
  package var notSeen: String?

  /// The project, the built app or the file that it was read from.
  package var project: String {
    for end in [".xcodeproj/project.pbxproj", ".app/Info.plist", ".app/Contents/Info.plist"]
    where origin.path.hasSuffix(end) {
      return end.contains("Contents") ? folder(of: folder(of: origin.path)) : folder(of: origin.path)
    }
    return origin.path
  }
}

extension Diagnosis {
  /// All that was judged, in the order of every output.
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
          notSeen: $0.source.clientID.found == nil
            ? "No client ID is found in its code, so it is compared with no registration." : nil)
      }
      + registrations.map {
        DoctorSubject(name: $0.name, summary: "registration of \($0.clientID.value)", origin: $0.origin)
      }
  }

  /// The checks of one app or registration, in the order of the rules.
  package func checks(of subject: DoctorSubject) -> [DoctorCheck] {
    checks.filter { $0.subject == subject.name }
  }
}

extension AppleFacts {
  /// What code sets is in the executable as machine code (docs/behaviour/real-apps.md §3).
  fileprivate var notSeen: String? {
    guard let sdk else {
      return
        "Nothing in it names MSAL or ADAL, so it is not judged: name the project, or the app's other files too."
    }
    guard isBuilt, sdk == .msal else { return nil }
    let signed = entitlements == .unread ? "its entitlements, " : ""
    return "Not seen in a built app: " + signed
      + "the authority, a redirect URI that code sets, and whether code switches the broker off. Name the project too."
  }

  fileprivate var summary: String {
    ([bundleID?.value ?? "no bundle ID", sdk?.rawValue ?? "no SDK"] + [sdkVersion].compactMap(\.self)
      + [platform.rawValue]).joined(separator: " · ")
  }
}
