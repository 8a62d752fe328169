/// The check of the caller's redirect URI against the bundle ID that the *system* reports (claim B1).
///
/// The caller cannot forge the bundle ID.
package struct CallerCheck {
  var reportedBundleID: String
  var redirectURI: String

  package init(reportedBundleID: String, redirectURI: String) {
    self.reportedBundleID = reportedBundleID
    self.redirectURI = redirectURI
  }

  package var check: Check {
    Check(
      "caller's bundle ID matches the redirect URI", expected: "redirect URI of \(reportedBundleID)",
      found: redirectURI,
      RedirectOwner.bundleID(in: redirectURI) == reportedBundleID, source: "claim B1")
  }
}
