import Essentials
import SSOCore
import SSODevice

/// The facts of one payload `com.apple.extensiblesso` in a configuration profile (docs/behaviour/broker.md §13).
package struct SSOProfileFacts: Hashable, Sendable {
  package var name: String
  package var origin: FilePlace
  package var payload: PropertyListNode
  private let path: String
}

extension SSOProfileFacts {
  private static let payloadType = "com.apple.extensiblesso"
  private static let limit = 100

  /// Reads the payloads of a profile, which may be signed.
  /// - Throws: `ReadingError` if the file is not a property list, or does not contain this payload.
  static func read(_ data: Data, path: String) throws(ReadingError) -> [SSOProfileFacts] {
    // A signed profile is an ASN.1 sequence with the property list in it.
    let isSigned = data.first == 0x30
    let list = isSigned ? try ProvisioningProfile.read(data) : try PropertyListReader.read(data)
    let payloads = (list["PayloadContent"]?.array ?? []).filter {
      $0["PayloadType"]?.string == payloadType
    }.prefix(limit)
    guard !payloads.isEmpty else { throw ReadingError("the profile has no payload \(payloadType)") }
    let name = list["PayloadDisplayName"]?.string ?? fileName(path)
    return payloads.map { payload in
      SSOProfileFacts(name: name, origin: FilePlace(path, line: payload.line), payload: payload, path: path)
    }
  }

  /// Returns the payload of the only SSO profile in a file, without the keys that every payload has.
  /// - Throws: `ReadingError` if the file does not contain exactly one such payload.
  package static func payload(in data: Data, path: String) throws(ReadingError) -> JSONValue {
    let found = try read(data, path: path)
    guard let only = found.first, found.count == 1 else {
      throw ReadingError("the profile has \(found.count) payloads \(payloadType), expected one")
    }
    return .object((only.payload.json.object ?? [:]).filter { !$0.key.hasPrefix("Payload") })
  }

  private func place(of key: String) -> FilePlace {
    FilePlace(path, line: payload[key]?.line ?? origin.line)
  }

  /// The platform whose extension the payload names, or `nil` if it names neither.
  private var platform: Platform? {
    let named = payload["ExtensionIdentifier"]?.string
    return Platform.allCases.first { $0.ssoExtension?.identifier == named && named != nil }
  }

  private func check(
    _ rule: DoctorRule, _ what: String, expected: String, found: String, _ holds: Bool, _ mistake: String,
    at place: FilePlace, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: name,
      check: Check(what, expected: expected, found: found, holds, source: "broker.md §13"),
      mistake: mistake, place: place, fix: fix)
  }

  /// Returns the results of the rules, with one for each app whose bundle ID is known.
  func checks(of bundleIDs: [String]) -> [DoctorCheck] {
    [extensionCheck, teamCheck, typeCheck, platformCheck, methodCheck, providerCheck].compactMap(\.self)
      + formChecks
      + hostChecks + keyChecks + listChecks
      + bundleIDs.map(deniedCheck)
  }

  private var extensionCheck: DoctorCheck {
    let known = Platform.allCases.compactMap { $0.ssoExtension?.identifier }
    return check(
      .ssoExtension, "the extension is Microsoft's", expected: known.joined(separator: " or "),
      found: payload["ExtensionIdentifier"]?.string ?? "none", platform != nil,
      "The extension is not Microsoft's", at: place(of: "ExtensionIdentifier"))
  }

  private var teamCheck: DoctorCheck? {
    guard let team = platform?.ssoExtension?.team else { return nil }
    let found = payload["TeamIdentifier"]?.string
    return check(
      .ssoExtension, "the extension's team is Microsoft's", expected: team, found: found ?? "none",
      found == team, "The extension's team is not Microsoft's", at: place(of: "TeamIdentifier"),
      fix: "<key>TeamIdentifier</key>\n<string>\(team)</string>")
  }

  private var typeCheck: DoctorCheck {
    let found = payload["Type"]?.string
    return check(
      .ssoExtension, "the type is Redirect", expected: "Redirect", found: found ?? "none",
      found == "Redirect", "The type is not Redirect", at: place(of: "Type"),
      fix: "<key>Type</key>\n<string>Redirect</string>")
  }

  private var platformSSO: PropertyListNode? { payload["PlatformSSO"] ?? payload["AuthenticationMethod"] }

  /// The check that the system has Platform SSO, if the payload of an iOS profile sets it up: only macOS has it
  /// (Apple, "ExtensibleSingleSignOn").
  private var platformCheck: DoctorCheck? {
    guard let platformSSO, platform == .iOS else { return nil }
    return check(
      .ssoKeys, "the profile's system has Platform SSO", expected: "macOS", found: "iOS", false,
      "Only macOS has Platform SSO", at: FilePlace(path, line: platformSSO.line))
  }

  /// The check of the authentication method of Platform SSO, or `nil` if the payload does not specify one.
  ///
  /// macOS 13 reads it from the payload itself, macOS 14 and later from the dictionary.
  private var methodCheck: DoctorCheck? {
    guard platform != .iOS,
      let method = payload["PlatformSSO"]?["AuthenticationMethod"] ?? payload["AuthenticationMethod"]
    else { return nil }
    let known = PlatformSSO.Method.allCases.map(\.rawValue)
    return check(
      .ssoExtension, "the method of Platform SSO is Apple's", expected: known.joined(separator: " or "),
      found: method.string ?? "another type", method.string.map(known.contains) ?? false,
      "The method of Platform SSO is not Apple's", at: FilePlace(path, line: method.line),
      fix: "<key>AuthenticationMethod</key>\n<string>UserSecureEnclaveKey</string>")
  }

  private var urls: [PropertyListNode] { Array((payload["URLs"]?.array ?? []).prefix(Self.limit)) }

  private var providerCheck: DoctorCheck {
    var profile = SSOProfile()
    profile.urls = urls.compactMap(\.string)
    return check(
      .ssoURLs, "the URLs contain the provider", expected: "https://\(PublicCloud.preferredNetwork)",
      found: urls.isEmpty ? "none" : (profile.urls ?? []).joined(separator: ", "),
      profile.serves(PublicCloud.commonAuthority), "The URLs lack the provider", at: place(of: "URLs"),
      fix: "<string>https://\(PublicCloud.preferredNetwork)</string>")
  }

  /// The checks that the system takes the URLs: it rejects a profile with URLs of any other form.
  private var formChecks: [DoctorCheck] {
    urls.map { url in
      let text = url.string ?? "not a string"
      let holds =
        ["https://", "http://"].contains { text.lowercased().hasPrefix($0) }
        && !text.contains("?") && !text.contains("#")
      return check(
        .ssoURLs, "a URL is a prefix without query and fragment", expected: "https://host", found: text,
        holds, "The system does not accept a URL", at: FilePlace(path, line: url.line))
    }
  }

  /// The checks that a host is not a misspelling of a provider's host; custom hosts are not checked.
  private var hostChecks: [DoctorCheck] {
    let known = SSOProfile.documentedURLs.compactMap { URLParts($0)?.authority }
    return urls.compactMap { url in
      guard let text = url.string, let host = URLParts(text)?.authority.lowercased(), !known.contains(host),
        let meant = known.closestSpelling(to: host, most: 3)
      else { return nil }
      return check(
        .ssoURLs, "a URL's host is the provider's", expected: meant, found: host, false,
        "The host of a URL is misspelt", at: FilePlace(path, line: url.line),
        fix: "<string>https://\(meant)</string>")
    }
  }

  /// The checks that Apple or Microsoft documents each key: all others are silently ignored.
  private var keyChecks: [DoctorCheck] {
    let known = SSOProfile.payloadKeys + SSOProfile.ExtensionData.CodingKeys.allCases.map(\.rawValue)
    let entries = [payload, payload["ExtensionData"]].flatMap { $0?.dictionary ?? [] }.prefix(Self.limit)
    let unknown = SSOProfile.unknownKeys(in: payload.json)
    return entries.filter { unknown.contains($0.key) }.map { entry in
      let meant = known.closestSpelling(to: entry.key)
      return check(
        .ssoKeys, "\(entry.key) is a key of the payload", expected: meant ?? "a documented key",
        found: entry.key, false, "\(entry.key) is not a key of the payload",
        at: FilePlace(path, line: entry.line), fix: meant.map { "<key>\($0)</key>" })
    }
  }

  /// The checks that the lists of apps are strings, because the extension splits them at commas.
  private var listChecks: [DoctorCheck] {
    let data = payload["ExtensionData"]
    return SSOProfile.ExtensionData.CodingKeys.allCases.filter(\.isList).map(\.rawValue).compactMap { key in
      guard let list = data?[key] else { return nil }
      return check(
        .ssoLists, "\(key) is a text", expected: "bundle IDs in one string, separated by commas",
        found: list.string ?? "another type", list.string != nil, "\(key) is not a string",
        at: FilePlace(path, line: list.line),
        fix: "<key>\(key)</key>\n<string>com.contoso.one,com.contoso.two</string>")
    }
  }

  private func deniedCheck(_ bundleID: String) -> DoctorCheck {
    let denied = (payload["DeniedBundleIdentifiers"]?.array ?? []).prefix(Self.limit).compactMap(\.string)
    return check(
      .ssoDenied, "the profile does not deny \(bundleID)", expected: "no \(bundleID)",
      found: denied.isEmpty ? "no app" : denied.joined(separator: ", "), !denied.contains(bundleID),
      "The profile denies the app", at: place(of: "DeniedBundleIdentifiers"))
  }
}

extension DoctorRule {
  /// The rules for profiles of the Enterprise SSO plug-in.
  package static let profiles: [DoctorRule] = [.ssoExtension, .ssoURLs, .ssoKeys, .ssoLists, .ssoDenied]

  package static let ssoExtension = DoctorRule(
    "sso-extension", "The profile names Microsoft's SSO extension",
    why: """
      The system looks for the extension by its identifier, and on macOS by its team too. Without it, MSAL does not \
      find the extension and continues as on a device without a profile.
      """)

  static let ssoURLs = DoctorRule(
    "sso-urls", "The URLs of the profile are the provider's",
    why: """
      MSAL asks for an extension that serves https://\(PublicCloud.preferredNetwork). The system takes only URL \
      prefixes that begin with http:// or https://, without query and fragment.
      """)

  static let ssoKeys = DoctorRule(
    "sso-keys", "The keys of the profile are documented",
    why: "The system and the extension ignore a key that they do not know, and nothing says so.")

  static let ssoLists = DoctorRule(
    "sso-lists", "The profile's lists of apps are texts with commas",
    why: "The system passes ExtensionData on as it is, and the extension does not read an array.")

  static let ssoDenied = DoctorRule(
    "sso-denied", "The profile does not keep the app from the extension",
    why:
      "The system does not let the apps of DeniedBundleIdentifiers ask the extension, whichever library they have."
  )
}
