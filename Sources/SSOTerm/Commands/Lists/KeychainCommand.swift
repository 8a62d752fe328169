import ArgumentParser
import SSOCore
import SSODevice
import SSOKeychain
import SSOLab
import SSOTermApp

/// `ssoterm keychain [GROUP]`: lists the keychain access groups and the apps that can read them, or the items of one
/// group.
struct KeychainCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "keychain", "List the access groups and who reads them, or a group's items.",
    examples: ["ssoterm keychain", "ssoterm keychain com.microsoft.adalcache"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "List the items in this access group instead of the groups. Accepts an unambiguous suffix.")
  var group: String?

  func perform(on console: Console) throws -> ExitStatus {
    let lab = try console.openLabToRead(options)
    let groups = try lab.read { try $0.keychain.groups() }
    guard let group else {
      return try console.show(["groups": .array(groups.map(\.json))]) {
        Self.table(groups, isOfCaches: try lab.read { $0.device.platform.storage == .cache }, console.ink)
      }
    }
    let names = groups.map(\.accessGroup)
    let matches = names.contains(group) ? [group] : names.filter { $0.hasSuffix(group) }
    guard let name = matches.first, matches.count == 1 else {
      throw CommandFailure(unknown: "access group", group, among: names, list: "ssoterm keychain")
    }
    let items = try lab.read { try $0.keychain.rows(group: name) }
    return try console.show(["items": .array(items.map(\.json))]) { Self.table(items, console.ink) }
  }

  private static func table(_ groups: [KeychainGroupRow], isOfCaches: Bool, _ ink: TextInk) -> String {
    return TextTable([isOfCaches ? "CACHE" : "ACCESS GROUP", "ITEMS", "READ BY", "NOT READ BY"], of: groups) {
      group in
      let readers = group.readers.map { $0.displayName + ($0.isConfigured ? "" : " (entitled only)") }
      return [
        InkedText(group.accessGroup, .strong), InkedText(String(group.itemCount)),
        InkedText(dashed(readers.joined(separator: ", "))),
        InkedText(dashed(group.outsiders.joined(separator: ", "))),
      ]
    }.text(ink)
  }

  static func table(_ items: [KeychainItemRow], _ ink: TextInk) -> String {
    return TextTable(
      ["KIND", "STATE", "ACCOUNT", "SERVICE", "TYPE", "BYTES", "MODIFIED"],
      dispensable: ["TYPE", "BYTES", "MODIFIED"], of: items
    ) { item in
      [
        InkedText(item.kind, .strong), item.isDated ? stateText(item.status) : InkedText("-", .faint),
        InkedText(item.key.account),
        InkedText(item.key.service), InkedText(item.type.map(String.init) ?? "-"),
        InkedText(String(item.size)), InkedText(item.modifiedAt.iso8601),
      ]
    }.text(ink)
  }
}
