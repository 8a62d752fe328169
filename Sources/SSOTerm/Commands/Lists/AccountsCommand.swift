import ArgumentParser
import SSOCore
import SSOLab
import SSOTermApp

/// `ssoterm accounts`: lists the accounts and where they are signed in, across the apps.
struct AccountsCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "accounts", "List the accounts, across the apps.",
    examples: ["ssoterm accounts", "ssoterm accounts --json | jq -r '.accounts[].username'"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let (accounts, limit) = try lab.read { (try $0.accounts.rows(limit: nil), $0.cacheLimit) }
    return try console.show(["accounts": .array(accounts.map(\.json))]) {
      guard !accounts.isEmpty else {
        return limit ?? "No account is signed in. Try: " + lab.signInCommand
      }
      return Self.table(accounts, console.ink) + (limit.map { "\n" + $0 } ?? "")
    }
  }

  static func table(_ accounts: [AccountRow], _ ink: TextInk) -> String {
    return TextTable(
      ["ACCOUNT", "NAME", "HOME TENANT", "ENVIRONMENT", "SIGNED IN TO", "RT", "PLACES"],
      dispensable: ["ENVIRONMENT", "PLACES", "NAME", "HOME TENANT"], of: accounts
    ) { account in
      [
        InkedText(account.username, .strong), InkedText(dashed(account.displayName)),
        InkedText(account.homeTenantName ?? account.homeTenantID), InkedText(account.environment),
        InkedText(dashed(account.apps.joined(separator: ", "))), stateText(account.refreshToken),
        InkedText(dashed(account.places.joined(separator: ", "))),
      ]
    }.text(ink)
  }
}
