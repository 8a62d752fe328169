import SSOCore
import SSOLab
import SSOReference
import TerminalUI

/// The argument that a command of the palette takes after its name.
enum CommandArgument: Equatable, Sendable {
  case app, call, account, credentials, offset, timeStyle, place, column, exportForm, copyItem, text, code,
    setting, path

  /// The argument as the description shows it.
  var usage: String {
    switch self {
    case .app: "[APP]"
    case .call: "[APP [ACCOUNT]]"
    case .account: "[ACCOUNT]"
    case .credentials: "[selected | marked | all | ID…]"
    case .offset: "+1h | -30m | reset"
    case .timeStyle: "[left | local | utc]"
    case .place: "apps | tokens/mail | trace/12"
    case .column: "[COLUMN]"
    case .exportForm: "[text | mermaid | json]"
    case .copyItem: "[WHAT]"
    case .text: "[TEXT]"
    case .code: "[CODE]"
    case .setting: "NAME FIELD=VALUE"
    case .path: "PATH"
    }
  }

  /// Returns whether free text is accepted if no candidate has this name.
  func takes(_ text: String) -> Bool {
    switch self {
    case .text, .path: !text.isEmpty
    case .setting: Setting(text) != nil
    case .code: !Explanation.find(in: text).isEmpty
    case .offset: parseDuration(text).map { _ in text.hasPrefix("+") || text.hasPrefix("-") } ?? false
    case .credentials:
      !text.isEmpty
        && text.split(separator: " ").allSatisfy { $0.hasPrefix("t") && Int64($0.dropFirst()) != nil }
    case .place: text.contains("/")
    case .call: text.contains(" ")
    case .app, .account, .timeStyle, .column, .exportForm, .copyItem: false
    }
  }
}

/// A possible argument, with a description.
package struct Candidate: Equatable, Sendable {
  package var value: String
  var detail: String

  init(_ value: String, _ detail: String = "") {
    self.value = value
    self.detail = detail
  }
}

extension CommandArgument {
  /// The maximum number of candidates in a list.
  private static let listed = 200

  func candidates(in model: AppModel) -> [Candidate] {
    switch self {
    case .app: model.lab.eachApp.prefix(Self.listed).map { Candidate($0.bundleID, $0.displayName) }
    case .call: Self.calls(in: model)
    case .account:
      Self.accounts(in: model)
    case .credentials: Self.credentials(in: model)
    case .offset:
      ["+10m", "+1h", "+1d", "-1h"].map { Candidate($0) } + [Candidate("reset", "no longer moved")]
    case .timeStyle: TimeStyle.allCases.map { Candidate($0.rawValue) }
    case .place: model.tabs.map { Candidate($0.title.lowercased()) }
    case .column: model.columns.map { Candidate($0.title.lowercased(), $0.isShown ? "shown" : "hidden") }
    case .exportForm: ExportForm.allCases.map { Candidate($0.word, "trace-….\($0.fileEnding)") }
    case .copyItem:
      CopyItem.allCases.filter { model.obstacle(to: CopyAction.copy($0)) == nil }.map {
        Candidate($0.word, $0.displayText)
      }
    case .text, .setting, .path: []
    case .code: Explanation.all.map { Candidate($0.displayText, $0.name.isEmpty ? $0.meaning : $0.name) }
    }
  }

  /// Returns each app, followed by each of its accounts if it has several.
  private static func calls(in model: AppModel) -> [Candidate] {
    model.lab.eachApp.prefix(Self.listed).flatMap { app in
      let rows = model.lab.apps.filter { $0.bundleID == app.bundleID }
      return [Candidate(app.bundleID, app.displayName)]
        + rows.compactMap { row in
          row.accountName.map { Candidate("\(row.bundleID) \($0)", row.displayName) }
        }
    }
  }

  private static func accounts(in model: AppModel) -> [Candidate] {
    let names = model.screens.accounts.list.index.texts
    let place = names.column(named: "name")
    return (0..<min(Self.listed, names.count)).map { row in
      Candidate(names.text(row), place.map { names.text(row, column: $0) } ?? "")
    }
  }

  private static func credentials(in model: AppModel) -> [Candidate] {
    var words = [Candidate("selected", "the selected row"), Candidate("all", "all that this screen shows")]
    if !model.marked.isEmpty { words.insert(Candidate("marked", "\(model.marked.count) marked rows"), at: 1) }
    return words
      + model.screen.namedCredentials.prefix(listed).map {
        Candidate($0.id, "\($0.longType) \($0.username ?? "")")
      }
  }
}
