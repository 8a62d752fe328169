import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider

/// What one app's sign-in is to another app of the device (fact sheet §2.4).
package struct Visibility: Codable, Hashable, Sendable {
  package enum Sight: String, Codable, CaseIterable, Sendable {
    /// The same format and client: access tokens, ID tokens, refresh tokens, accounts.
    case all = "all"
    case accessAndRefreshToken = "AT+RT"
    case refreshToken = "RT"
    case nothing = "nothing"
  }

  /// Bundle IDs.
  package var signedIn: String
  package var looking: String
  package var sight: Sight
  /// What that means for the person: "silent through the legacy refresh token".
  package var words: String
  /// The conditions in order, up to the first that fails.
  package var checks: [Check]
}

/// The formats that an SDK writes and reads.
enum CacheGeneration: String, Hashable, CaseIterable {
  case legacyOnly = "ADAL up to 2.6.6"
  case both = "ADAL 2.7 and later"
  case unified = "MSAL"

  var writes: String {
    switch self {
    case .legacyOnly: "legacy items"
    case .both: "legacy items, unified refresh token and account"
    case .unified: "unified items"
    }
  }

  /// Whether anything of the other generation's is found: ADAL before 2.7 knows its own format only (claim F2).
  func understands(_ writer: CacheGeneration) -> Bool { self != .legacyOnly || writer != .unified }

  /// Of this format ADAL takes refresh tokens only, and none before 2.7 (fact sheet §2.4).
  func reads(_ token: CredentialItem) -> Bool {
    let isRefresh = token.type == .refreshToken || token.type == .familyRefreshToken
    return self == .unified || self == .both && isRefresh
  }

  var reads: String {
    switch self {
    case .legacyOnly: "legacy items"
    case .both: "legacy items, then unified refresh tokens"
    case .unified: "unified items, then legacy refresh tokens"
    }
  }
}

extension InstalledApp {
  var cacheGeneration: CacheGeneration {
    sdk == .msal ? .unified : adalVersion.isUnified ? .both : .legacyOnly
  }
}

extension Visibility {
  /// - Parameters:
  ///   - writer: the app where somebody is signed in.
  ///   - reader: the app that looks.
  ///   - family: the family that both clients are registered in, if it is one.
  init(of writer: InstalledApp, from reader: InstalledApp, family: String?) {
    signedIn = writer.bundleID
    looking = reader.bundleID
    checks = []
    sight = .nothing
    words = "nothing"
    let isOwn = writer.clientID.lowercased() == reader.clientID.lowercased()
    let conditions = Self.conditions(writer, reader, isOwn: isOwn, family: family)
    for condition in conditions {
      checks.append(condition)
      guard condition.verdict != .failed else {
        words = "nothing (fails: \(condition.name))"
        return
      }
    }
    let isTried = reader.adalAuthority.candidates.map { $0.lowercased() }
      .contains(writer.adalAuthority.stored.lowercased())
    (sight, words) = Self.sight(
      writer.cacheGeneration, reader.cacheGeneration, isOwn: isOwn && (writer.sdk == .msal || isTried))
  }

  private static func conditions(
    _ writer: InstalledApp, _ reader: InstalledApp, isOwn: Bool, family: String?
  ) -> [Check] {
    let group = writer.sharedAccessGroup
    let (from, to) = (writer.cacheGeneration, reader.cacheGeneration)
    var checks = [
      Check(
        "same team", expected: writer.teamID, found: reader.teamID, writer.teamID == reader.teamID,
        source: "claim C1"),
      Check(
        "access group in both entitlements", expected: group,
        found: [writer, reader].filter { $0.entitledGroups.contains(group) }.map(\.displayName)
          .joined(separator: ", "),
        writer.entitledGroups.contains(group) && reader.entitledGroups.contains(group), source: "claim C1"),
      Check(
        "configured sharing group", expected: group, found: reader.sharedAccessGroup,
        group == reader.sharedAccessGroup, source: "claim C1"),
      Check(
        "same client ID or family", expected: writer.clientID + (family.map { ", family \($0)" } ?? ""),
        found: reader.clientID + (isOwn ? "" : family == nil ? ", no common family" : ", the same family"),
        isOwn || family != nil, source: "fact sheet 2.4"),
      Check(
        "format is read", expected: from.writes, found: to.reads, to.understands(from),
        source: "claim F2"),
    ]
    if !isOwn {
      let versions = [writer, reader].filter { $0.sdk == .adal && !$0.adalVersion.knowsFamilies }
      checks.append(
        Check(
          "family tokens are known", expected: "ADAL 2.2 or later",
          found: versions.isEmpty ? "both know them" : versions.map(\.sdkVersion).joined(separator: ", "),
          versions.isEmpty, source: "fact sheet 2.4"))
    }
    // Where the writer left a unified refresh token too, and the reader can use it, the authority does not matter.
    if from == .legacyOnly || from == .both && to == .legacyOnly {
      let stored = writer.adalAuthority.stored.lowercased()
      let tried =
        to == .unified ? LegacyLookup.authorities(of: reader.adalAuthority) : reader.adalAuthority.candidates
      checks.append(
        Check(
          "authority under which it lies is tried", expected: stored, found: tried.joined(separator: ", "),
          tried.contains { $0.lowercased() == stored }, source: "fact sheet 2.5"))
    }
    return checks
  }

  /// The nine cells; what is keyed by the client ID is not for another member of the family.
  private static func sight(
    _ from: CacheGeneration, _ to: CacheGeneration, isOwn: Bool
  ) -> (Sight, String) {
    switch (from, to) {
    case (.unified, .unified):
      isOwn
        ? (.all, "everything: silent from the cache")
        : (.refreshToken, "account, and silent through the family refresh token")
    case (.unified, .both):
      (.refreshToken, "silent through the unified refresh token, if the userId is handed over")
    case (.unified, .legacyOnly): (.nothing, "nothing (fails: format is read)")
    case (.legacyOnly, .unified):
      (.refreshToken, "account by username, silent through the legacy refresh token")
    case (.both, .unified):
      (.refreshToken, "account by identifier and by username, silent through the refresh token")
    case (_, .legacyOnly), (_, .both):
      isOwn
        ? (.accessAndRefreshToken, "silent from the cache")
        : (.refreshToken, "silent through the family refresh token")
    }
  }
}

extension Lab {
  /// Who sees whom among the apps of the current device, for every ordered pair.
  package func visibility() throws -> [Visibility] {
    try view { stage in
      let directory = Directory(documents: stage.transaction)
      return try stage.installed.flatMap { writer in
        try stage.installed.filter { $0.bundleID != writer.bundleID }.map { reader in
          let families = try [writer, reader].map {
            try directory.registration(clientID: $0.clientID)?.familyID
          }
          return Visibility(
            of: writer, from: reader, family: families[0] == families[1] ? families[0] : nil)
        }
      }
    }
  }
}
