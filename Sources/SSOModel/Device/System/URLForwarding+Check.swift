extension URLForwarding {
  /// The delegate that the system calls with a URL must be one that hands it on to the SDK (claim D6).
  ///
  /// ADAL up to 6 puts itself in front of the app delegate's method, so there it hands on by itself; it knows no scenes
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
  /// As a sentence goes on behind "handed on by".
  var words: String {
    switch self {
    case .appDelegate: "the app delegate"
    case .sceneDelegate: "the scene delegate"
    case .both: "both delegates"
    case .neither: "neither delegate"
    }
  }
}
