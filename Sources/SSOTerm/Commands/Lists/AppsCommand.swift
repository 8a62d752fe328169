import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

/// `ssoterm apps`: lists the apps, with a row for each account of an app, and the result of the next silent call.
struct AppsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "apps", "List the apps, their accounts and their next silent call.",
    examples: ["ssoterm apps", "ssoterm apps | cut -f 1,5", "ssoterm apps --json | jq -r '.apps[].bundleID'"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let apps = try console.openLabToRead(options).read { try $0.apps.rows() }
    return try console.show(["apps": .array(apps.map(\.json))]) { Self.table(apps, console.ink) }
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
        InkedText(app.redirectText), InkedText(app.accountText), stateText(app.accessToken), refresh,
        InkedText(app.next.sentence),
      ]
    }.text(ink)
  }
}
