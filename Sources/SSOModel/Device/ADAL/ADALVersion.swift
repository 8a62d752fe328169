/// A version of ADAL, with the features of its generation (docs/behaviour/adal.md §4, docs/behaviour/broker.md §1, §4).
package struct ADALVersion: Hashable, Comparable {
  var parts: [Int]

  /// Creates a version from text such as `2.6.6`; a part that is not a number counts as 0.
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

  /// Whether family refresh tokens are supported, since 2.2.
  package var knowsFamilies: Bool { self >= ADALVersion("2.2") }
  /// Whether authority aliases are known, since 2.5.2.
  ///
  /// Before that, each host has its own part of the cache.
  var knowsAliases: Bool { self >= ADALVersion("2.5.2") }
  /// Whether unified refresh tokens and accounts, `client_info=1`, and `homeAccountId` are used, since 2.7.
  package var isUnified: Bool { self >= ADALVersion("2.7") }
  /// Whether the app asks for `msauthv3` in addition to `msauth`, and the broker receives a nonce and an app token.
  ///
  /// This applies to 2.7.14 and later versions 2, and to 4.0.2 and later (built with the iOS 13 SDK).
  package var asksForNonceCapableBroker: Bool {
    self >= ADALVersion("4.0.2") || (self >= ADALVersion("2.7.14") && self < ADALVersion("3"))
  }
}

extension InstalledApp {
  package var adalVersion: ADALVersion { ADALVersion(sdkVersion) }
  /// The resource that an ADAL app requests; version 1 has one resource where MSAL has scopes.
  package var resource: String { scopes.first ?? "" }
}
