/// Claim B1: the bundle ID that the *system* reports against the redirect URI that the caller sent. The caller cannot forge the first.
struct CallerCheck {
  var reportedBundleID: String
  var redirectURI: String

  var check: Check {
    Check(
      "caller's bundle ID matches the redirect URI", expected: "redirect URI of \(reportedBundleID)",
      found: redirectURI,
      InstalledApp.isBrokerCapable(redirectURI: redirectURI, bundleID: reportedBundleID), source: "claim B1")
  }
}
