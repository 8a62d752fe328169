import Essentials
import SSOCore

/// The facts of a file with which a domain names its apps, so that an https redirect URI opens the app.
///
/// Sources: developer.android.com/training/app-links/configure-assetlinks; developer.apple.com/documentation/xcode,
/// "Supporting associated domains".
package struct DomainAssociationFacts: Hashable, Sendable {
  package var name: String
  package var origin: FilePlace
  /// The package names in `assetlinks.json`.
  package var packageNames: [Found<String>] = []
  /// The `sha256_cert_fingerprints` in `assetlinks.json`.
  var fingerprints: [Found<String>] = []
  /// The relations in `assetlinks.json` of statements about apps.
  var relations: [Found<String>] = []
  /// The app IDs in `apple-app-site-association`: team or prefix, and bundle ID.
  package var appIDs: [Found<String>] = []
  /// The members that have a text in place of the list that the system reads, each with the text.
  var unlisted: [Unlisted] = []

  struct Unlisted: Hashable, Sendable {
    var key: String
    var text: Found<String>
  }
}

extension DomainAssociationFacts {
  private static let limit = 1000

  /// Returns whether a file has the name of such a file.
  static func isName(_ name: String) -> Bool {
    ["assetlinks.json", "apple-app-site-association", "apple-app-site-association.json"].contains(name)
  }

  /// Reads a file, or returns `nil` if it is valid JSON but does not name an app.
  /// - Throws: `ReadingError` if the document is not valid JSON.
  static func read(_ data: Data, path: String) throws(ReadingError) -> DomainAssociationFacts? {
    let document: JSONValue
    do { document = try JSONParser.parse(data) } catch { throw ReadingError(error, in: data) }
    let lines = TextLines(data)
    func found(_ texts: [String]) -> [Found<String>] {
      texts.prefix(limit).reduce(into: []) { all, text in
        let next = Found(text, FilePlace(path, line: lines.line(of: text)))
        if !all.contains(next) { all.append(next) }
      }
    }
    func texts(_ value: JSONValue?) -> [String] { (value?.array ?? []).compactMap(\.string) }
    var facts = DomainAssociationFacts(name: fileName(path), origin: FilePlace(path, line: 1))
    func unlisted(_ object: JSONValue, _ keys: [String]) -> [Unlisted] {
      keys.compactMap { key in
        object[key]?.string.map {
          Unlisted(key: key, text: Found($0, FilePlace(path, line: lines.line(of: key))))
        }
      }
    }
    let statements = (document.array ?? []).prefix(limit).filter {
      $0["target"]?["namespace"]?.string == "android_app"
    }
    let targets = statements.compactMap { $0["target"] }
    facts.relations = found(statements.flatMap { texts($0["relation"]) })
    facts.unlisted =
      statements.flatMap { unlisted($0, ["relation"]) }
      + targets.flatMap { unlisted($0, ["sha256_cert_fingerprints"]) }
    facts.packageNames = found(targets.compactMap { $0["package_name"]?.string })
    facts.fingerprints = found(targets.flatMap { texts($0["sha256_cert_fingerprints"]) })
    let details = (document["applinks"]?["details"]?.array ?? []).prefix(limit)
    facts.unlisted += details.flatMap { unlisted($0, ["appIDs", "paths", "components"]) }
    facts.unlisted += [document["webcredentials"]].compactMap(\.self).flatMap { unlisted($0, ["apps"]) }
    facts.appIDs = found(
      texts(document["webcredentials"]?["apps"])
        + details.flatMap { [$0["appID"]?.string].compactMap(\.self) + texts($0["appIDs"]) })
    return targets.isEmpty && facts.appIDs.isEmpty && facts.unlisted.isEmpty ? nil : facts
  }

  /// Returns the results of the rules, compared with the apps that were read.
  func checks(
    _ android: [AndroidFacts], _ apple: [AppleFacts], _ vendors: [VendorFacts]
  ) -> [DoctorCheck] {
    let others = vendors.flatMap { vendor -> [String] in
      if case .module(let module) = vendor.kind { module.packageNames } else { [] }
    }
    let names = android.flatMap(\.packageNames) + others.filter { !$0.contains("$") }
    let bundleIDs = apple.compactMap(\.bundleID?.value).filter { !$0.contains("$(") }
    /// The app IDs of the apps that were read, each with its team if the project names it.
    func appID(of bundleID: String) -> String {
      let team = apple.first { $0.bundleID?.value == bundleID }?.teamID?.value ?? ""
      return Self.hasTeam("\(team).\(bundleID)") ? "\(team).\(bundleID)" : "<team>.\(bundleID)"
    }
    return relations.compactMap(relationCheck) + fingerprints.compactMap(fingerprintCheck)
      + appIDs.compactMap { formCheck($0, appID(of: $0.value)) } + unlisted.map(listCheck)
      + [
        ownerCheck("package name", of: packageNames.map { ($0.value, $0) }, among: names),
        // An app ID without a team has its own finding.
        appIDs.allSatisfy({ Self.isWaiting($0.value) || Self.hasTeam($0.value) })
          ? ownerCheck(
            "bundle ID", of: appIDs.map { (Self.bundleID(of: $0.value), $0) }, among: bundleIDs,
            entry: appID) : nil,
      ].compactMap(\.self)
  }

  private static func bundleID(of appID: String) -> String {
    appID.firstIndex(of: ".").map { String(appID[appID.index(after: $0)...]) } ?? appID
  }

  private static func hasTeam(_ appID: String) -> Bool {
    let prefix = appID.prefix { $0 != "." }
    return prefix.count == 10 && prefix.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
      && appID.count > 11
  }

  private func check(
    _ name: String, expected: String, found: Found<String>, _ holds: Bool, _ mistake: String,
    severity: DoctorCheck.Severity = .fails, fix: String
  ) -> DoctorCheck {
    DoctorCheck(
      rule: .domainAssociation, subject: self.name,
      check: Check(name, expected: expected, found: found.value, holds, source: "real-apps.md §1"),
      mistake: mistake, severity: severity, place: found.place, fix: fix)
  }

  /// Returns digits in pairs with colons between them.
  private static func paired(_ digits: String) -> String {
    stride(from: 0, to: digits.count, by: 2).map { start in
      digits.dropFirst(start).prefix(2)
    }.joined(separator: ":")
  }

  /// The relations of a domain and an app that Android knows.
  private static let knownRelations = [
    "handle_all_urls", "get_login_creds", "use_as_origin", "share_location", "query_webapk",
  ].map { "delegate_permission/common." + $0 }

  /// Returns the finding of a misspelt relation, or `nil` for a relation that may mean something else.
  private func relationCheck(_ found: Found<String>) -> DoctorCheck? {
    guard !Self.knownRelations.contains(found.value),
      let meant = Self.knownRelations.closestSpelling(to: found.value, most: 3)
    else { return nil }
    return check(
      "Android knows the relation", expected: meant, found: found, false,
      "The relation is misspelt",
      fix: "\"\(meant)\"")
  }

  private func listCheck(_ member: Unlisted) -> DoctorCheck {
    check(
      "\(member.key) is a list", expected: "a list", found: member.text, false, "\(member.key) is not a list",
      fix: "\"\(member.key)\": [\"\(member.text.value)\"]")
  }

  /// Returns the check that a fingerprint is one of SHA-256, or `nil` for a placeholder.
  private func fingerprintCheck(_ found: Found<String>) -> DoctorCheck? {
    guard !Placeholders.contain(found.value) else { return nil }
    let parts = found.value.split(separator: ":", omittingEmptySubsequences: false)
    let isRight = parts.count == 32 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
    let digits = found.value.filter { $0 != ":" && !$0.isWhitespace }
    if !isRight, digits.count == 64, digits.allSatisfy(\.isHexDigit) {
      let right = Self.paired(digits.uppercased())
      return check(
        "the fingerprint has its colons", expected: right, found: found, false,
        "The fingerprint lacks its colons",
        fix: "\"\(right)\"")
    }
    return check(
      "a fingerprint is of SHA-256", expected: "32 pairs of hexadecimal digits, separated by colons",
      found: found, isRight,
      parts.count == 20 ? "The fingerprint is of SHA-1" : "The fingerprint is not of SHA-256",
      fix: "\"<SHA-256 fingerprint of the signing certificate>\"")
  }

  /// Returns whether an app ID is a placeholder, or has one for the team: `TEAMID.com.contoso.mail`.
  private static func isWaiting(_ appID: String) -> Bool {
    let prefix = appID.prefix { $0 != "." }
    return Placeholders.contain(appID) || ["TEAM", "PREFIX"].contains { prefix.uppercased().contains($0) }
  }

  /// Returns the check that an app ID begins with a team or prefix, or `nil` for a placeholder.
  private func formCheck(_ found: Found<String>, _ right: String) -> DoctorCheck? {
    guard !Self.isWaiting(found.value) else { return nil }
    return check(
      "an app ID is team and bundle ID", expected: "<team>.<bundle ID>", found: found,
      Self.hasTeam(found.value), "The app ID has no team", fix: "\"\(right)\"")
  }

  /// Returns the check that the file names an app that was read; the file may be another app's.
  ///
  /// `entry` returns the text by which the file names an app.
  private func ownerCheck(
    _ what: String, of listed: [(id: String, found: Found<String>)], among own: [String],
    entry: (String) -> String = { $0 }
  ) -> DoctorCheck? {
    guard let first = listed.first, !own.isEmpty, !listed.contains(where: { Placeholders.contain($0.id) })
    else { return nil }
    return check(
      "an app here has its \(what)", expected: own.joined(separator: ", "),
      found: Found(listed.map(\.id).joined(separator: ", "), first.found.place),
      listed.contains { own.contains($0.id) }, "The file does not name an app of this project",
      severity: .worksInSomeCases, fix: "\"\(entry(own[0]))\"")
  }
}

extension DoctorRule {
  /// The rules for the files with which a domain names its apps.
  package static let domains: [DoctorRule] = [.domainAssociation]

  static let domainAssociation = DoctorRule(
    "domain-association", "The domain of an https redirect URI names the app",
    why: """
      The system opens an app for an https address only if a file on that domain names the app and its \
      certificate or team.
      """)
}
