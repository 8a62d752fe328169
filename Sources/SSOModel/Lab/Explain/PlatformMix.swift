import SSOCore
import SSODevice

/// The fields of an app whose values belong to another platform, as in labs that are older than the platforms'
/// defaults.
///
/// These values are defaults of another platform, never values that the developer chose.
struct PlatformMix {
  let app: InstalledApp
  let platform: Platform
  /// The names of the fields, in the order of lists.
  let fields: [String]

  /// Creates the mix of an app, or returns `nil` if all fields are of its platform.
  init?(_ app: InstalledApp, on device: Device) {
    let own = app.platform ?? device.platform
    let mended = PlatformDefaults(own, app.sdk).moving(app)
    // iOS and macOS differ only in a group, which a developer may choose on either.
    let foreign = Platform.allCases.filter { own.isApple ? $0 == .android : $0 != own }.map { other in
      let defaults = PlatformDefaults(other, app.sdk)
      let isOther = app.teamID == defaults.teamID
      return defaults.app(
        bundleID: app.bundleID, teamID: isOther ? defaults.teamID : app.teamID, clientID: app.clientID,
        vendor: app.vendor)
    }
    let empty: [JSONValue] = [.null, "", []]
    let fields = app.fieldNames(differingFrom: mended).filter { name in
      guard let value = app.value(of: name), !empty.contains(value) else { return false }
      return foreign.contains { $0.value(of: name) == value }
    }
    guard !fields.isEmpty else { return nil }
    (self.app, platform, self.fields) = (app, own, fields)
  }

  var check: Check {
    Check(
      "the app's fields are of its platform", expected: platform.rawValue,
      found: fields.joined(separator: ", ") + " of another platform", false, source: "real-apps.md §3",
      remedy: Remedy(.app, app.bundleID, "platform=\(platform.rawValue)"), failure: reason)
  }

  /// The reason, as a clause.
  var reason: String {
    "\(app.displayName) runs on \(platform.rawValue), and has \(fields.joined(separator: ", ")) of another platform"
  }
}
