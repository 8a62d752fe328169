extension URLForwarding {
  /// Returns the check that the delegate that the system calls with a URL forwards it to the SDK (claim D6).
  ///
  /// ADAL up to 6 replaces the app delegate's method, so it forwards the URL automatically; it does not support scenes
  /// (docs/behaviour/broker.md §7(1)).
  package static func check(of app: InstalledApp) -> Check {
    let called = app.usesScenes ? URLForwarding.sceneDelegate : .appDelegate
    let forwarding = app.urlForwarding ?? .both
    let swizzled = app.sdk == .adal && called == .appDelegate
    return Check(
      "the delegate that the system calls forwards the URL to the SDK", expected: called.words,
      found: swizzled ? "ADAL's own app delegate method" : forwarding.words,
      swizzled || forwarding == .both || forwarding == called, source: "claim D6",
      remedy: Remedy(.app, app.bundleID, "urlForwarding=\(called.rawValue)"))
  }
}

extension URLForwarding {
  /// The delegates in words that can follow "forwarded by".
  var words: String {
    switch self {
    case .appDelegate: "the app delegate"
    case .sceneDelegate: "the scene delegate"
    case .both: "both delegates"
    case .neither: "neither delegate"
    }
  }
}
