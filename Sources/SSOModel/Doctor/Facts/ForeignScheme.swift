import SSOCore
import SSODevice

/// The redirect scheme of a bundle ID that no app of the project has, in the place of an app's own scheme.
package struct ForeignScheme: Hashable, Sendable {
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
