/// A version of ADAL, and what the generations can do (docs/behaviour/adal.md §4, docs/behaviour/broker.md §1, §4).
package struct ADALVersion: Hashable, Comparable {
  var parts: [Int]

  /// `2.6.6`; what is no number counts as 0.
  init(_ text: String) {
    parts = text.split(separator: ".").prefix(4).map { Int($0) ?? 0 }
  }

  package static func < (a: Self, b: Self) -> Bool {
    for index in 0..<max(a.parts.count, b.parts.count) {
      let (left, right) = (a.part(index), b.part(index))
      if left != right { return left < right }
    }
    return false
  }

  private func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }

  /// Family refresh tokens: since 2.2.
  package var knowsFamilies: Bool { self >= ADALVersion("2.2") }
  /// Authority aliases: since 2.5.2.
  ///
  /// Before that a host is a cache world of its own.
  var knowsAliases: Bool { self >= ADALVersion("2.5.2") }
  /// Unified refresh tokens and accounts beside the legacy items, `client_info=1` and `homeAccountId`: since 2.7.
  package var isUnified: Bool { self >= ADALVersion("2.7") }
  /// `msauthv3` is asked for besides `msauth`, and the broker gets a nonce and an app token: 2.7.14, 4.0.2 and later
  /// (built with the iOS 13 SDK).
  package var asksForNonceCapableBroker: Bool {
    self >= ADALVersion("4.0.2") || (self >= ADALVersion("2.7.14") && self < ADALVersion("3"))
  }
}

extension InstalledApp {
  package var adalVersion: ADALVersion { ADALVersion(sdkVersion) }
  /// What an ADAL app asks for: v1 has one resource where MSAL has scopes.
  package var resource: String { scopes.first ?? "" }
}
