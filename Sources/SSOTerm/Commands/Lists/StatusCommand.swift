import ArgumentParser
import SSOCore
import SSOLab
import SSOServer
import SSOTermApp
import TerminalUI

/// `ssoterm status`: summarises the contents of the screens in a few lines for pipes.
struct StatusCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "status", "Show the lab, its clock, and each app's next silent call.",
    examples: ["ssoterm status", "ssoterm status --json | jq .now"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    try Self.show(console.openLabToRead(options), on: console)
  }

  static func show(_ lab: Lab, on console: Console) throws -> ExitStatus {
    let status = try LabStatus.ofThisMachine(lab)
    let apps = try lab.read { try $0.apps.rows() }
    return try console.show(status.json.adding(["appRows": .array(apps.map(\.json))])) {
      ([statusText(status, console.ink)]
        + (apps.isEmpty
          ? [] : ["", AppsCommand.table(apps, console.ink) + (try AppsCommand.elsewhere(lab, console.ink))])
        + apps.flatMap(\.warnings).map { console.ink.sentence("! " + $0, .faint) })
        .joined(separator: "\n")
    }
  }
}

private func undoText(_ status: LabStatus) -> String {
  let own = status.canUndo ?? "nothing"
  return status.othersChange.map { "\(own); the last change is \($0)" } ?? own
}

func statusText(_ status: LabStatus, _ ink: TextInk) -> String {
  let clock = status.clockOffset.map { " FAKE, \(offsetText($0))" } ?? ""
  let counts = [
    counted(status.appCount, "app"), counted(status.accountCount, "account item"),
    counted(status.credentialCount, "credential"),
  ]
  let lines: [(String, String)] = [
    ("lab", status.name), ("store", status.storePath ?? "in memory"),
    ("device", "\(status.device) (\(status.platform))"), ("clock", status.now.iso8601 + clock),
    ("broker", status.brokerInstalled ? "installed" : "not installed"),
    ("holds", counts.joined(separator: ", ")), ("undo", undoText(status)),
  ]
  return lines.map { name, value in
    ink.draw(name.padding(to: 8), .strong) + ink.draw(value)
  }
  .joined(separator: "\n")
}
