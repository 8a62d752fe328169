import ArgumentParser
import SSOCore
import SSODevice
import SSOLab
import SSOTermApp

/// `ssoterm apps`: lists the apps, with a row for each account of an app, and the result of the next silent call.
struct AppsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "apps", "List the apps, their accounts, and their next silent calls.",
    examples: ["ssoterm apps", "ssoterm apps | cut -f 1,5", "ssoterm apps --json | jq -r '.apps[].bundleID'"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let apps = try lab.read { try $0.apps.rows() }
    return try console.show(["apps": .array(apps.map(\.json))]) {
      Self.table(apps, console.ink) + (try Self.elsewhere(lab, console.ink))
    }
  }

  /// Returns a line for each other device with apps.
  static func elsewhere(_ lab: Lab, _ ink: TextInk) throws -> String {
    let apps = try lab.read { try $0.appsElsewhere() }
    return Dictionary(grouping: apps, by: \.device.id).values.sorted { $0[0].device.id < $1[0].device.id }.map
    { apps in
      let (device, names) = (apps[0].device, apps.map(\.app.bundleID).joined(separator: ", "))
      let words = "On \(device.title): \(names). To use it: ssoterm device use \(device.id)"
      return "\n" + ink.sentence(words, .faint)
    }.joined()
  }

  static func table(_ apps: [AppRow], _ ink: TextInk) -> String {
    guard !apps.isEmpty else { return "No apps in this store. Try: ssoterm app add BUNDLE-ID" }
    return TextTable(
      ["APP", "BUNDLE ID", "CLIENT ID", "REDIRECT URI", "ACCOUNT", "AT", "RT", "NEXT CALL"],
      dispensable: ["REDIRECT URI", "CLIENT ID", "BUNDLE ID", "RT"], of: apps
    ) { app in
      var refresh = stateText(app.refreshToken)
      if let family = app.familyID { refresh.text += " family " + family }
      return [
        InkedText(app.displayName, .strong), InkedText(app.bundleID), InkedText(app.clientID),
        InkedText(app.redirectURI), InkedText(app.accountText), stateText(app.accessToken), refresh,
        InkedText(app.next.sentence),
      ]
    }.text(ink)
  }
}
