import SSOCore
import SSODevice

extension Stage {
  /// What a developer or a tester should know of the way the app's answers take.
  func warnings(about app: InstalledApp) throws -> [String] {
    var warnings: [String] = []
    for scheme in Set(app.urlSchemes.map { $0.lowercased() }).sorted() {
      let others = device.handlers(of: scheme, installed: installed).filter { $0 != app.bundleID }
      guard !others.isEmpty else { continue }
      warnings.append("\(scheme): is also registered by \(others.joined(separator: ", ")) (claim B3)")
    }
    let forwarding = app.forwardingCheck
    if forwarding.verdict == .failed {
      warnings.append(
        "answers reach \(forwarding.expected), but are handed on by \(forwarding.found) (claim D6)")
    }
    if let disturbance = try disturbance(of: app) {
      warnings.append("next brokered call is disturbed: \(disturbance.rawValue)")
    }
    return warnings
  }
}
