import SSOCore
import SSOLab
import SafeText
import TerminalUI

extension KeyContext { static let issue = KeyContext("issue") }

/// The answer to a “why?” question as Markdown for an issue or a chat, without secrets.
struct IssueCard: TextDialog {
  let text: String
  var scroll = 0

  /// Creates the card.
  ///
  /// `app` is the app that the question is about, `call` the name of the call that it is about, and `trace` the app's
  /// newest call or this one, if there are any.
  init(_ checklist: Checklist, app: AppRow?, call: String? = nil, trace: Trace?) {
    let escape = Escaping.markdown
    // An issue is read without the screen, which has the app's name in its title.
    let name = app?.displayName ?? call
    let start = name.map { checklist.answer.contains($0) ? "" : $0 + ": " } ?? ""
    var lines = ["### \(escape(start + checklist.answer))", ""]
    let failed = checklist.sections.flatMap(\.checks).filter { $0.verdict == .failed }
    if !failed.isEmpty {
      lines += ["| reason | found | expected |", "|---|---|---|"]
      lines +=
        failed.map { "| \(escape($0.listText)) | \(escape($0.found)) | \(escape($0.expected)) |" } + [""]
    }
    if let app {
      let facts = [
        ("app", "\(app.displayName), \(app.bundleID)"), ("client ID", app.clientID),
        ("redirect URI", app.redirectURI),
        ("library", app.libraryText), (app.storage.signerLabel, app.teamID),
        (app.storage == .keychain ? "keychain group" : "token cache", app.isStandIn ? "" : app.accessGroup),
        ("broker", app.broker),
      ]
      lines += ["| configuration | |", "|---|---|"]
      lines += facts.filter { !$0.1.isEmpty }.map { "| \($0.0) | \(escape($0.1)) |" } + [""]
    }
    if let trace {
      lines += [
        "<details><summary>\(Escaping.html(trace.summary.title)), \(counted(trace.hops.count, "step"))</summary>",
        "",
      ]
      lines += ["```mermaid", mermaid(trace), "```", "", "</details>", ""]
    }
    lines.append("ssoterm \(programVersion), a simulation; secrets are masked.")
    text = lines.joined(separator: "\n") + "\n"
  }

  static let keys: [KeyContext: [KeyCommand]] = [
    .issue: [
      KeyCommand(
        IssueAction.write, [.enter], "Enter", "write a file", name: "write issue",
        "Writes the Markdown to a new file in the working directory."),
      KeyCommand(
        IssueAction.copy, [.character("y")], "y", "copy again", name: "copy issue",
        "Copies the Markdown again."),
      .close([.escape, .character("q")], "close", name: "close", "Goes back to the screen."),
    ]
  ]

  var context: KeyContext { .issue }
  var title: String { "Issue, as Markdown" }
  var remark: String { "\(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1) lines" }
  var mostWidth: Int { 100 }

  var copy: Command { .copy(Copy(text: text, label: "issue")) }

  func lines(width: Int) -> [PanelLine] {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().flatMap { line in
      line.isEmpty
        ? [PanelLine("")] : wrapped(safeText(String(line)), width, indent: "  ").map { PanelLine($0) }
    }
  }
}

/// The actions that make and write an issue card.
enum IssueAction: FeatureAction {
  var keyGroup: KeyGroup { .explain }
  case open, write, copy

  static let key = KeyCommand(
    open, [.character("Y")], "Y", "issue", name: "issue",
    "Copies the answer to “why?” with the configuration and the last call, as Markdown for an issue or a chat."
  )

  func obstacle(in model: AppModel) -> String? { self == .open ? WhyAction.why.obstacle(in: model) : nil }

  func run(on model: inout AppModel) -> [Command] {
    guard let card = model.topDialog(IssueCard.self) else {
      return model.selection.why.map { [.load(.issue($0))] } ?? []
    }
    guard self == .write else { return [card.copy] }
    model.dialogs.removeLast()
    return [.writeIssue(card.text)]
  }
}
