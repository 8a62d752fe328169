import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOScenarios
import SSOServer
import TerminalUI

/// For an audience: the state in one line, and the last key with what it did. Nothing that was typed into a field.
func drawPresenterBar(_ model: AppModel, into grid: inout Grid, _ rect: Rect) {
  guard !rect.isEmpty else { return }
  let style = Style(.accent, bold: true, reverse: true)
  grid.fill(rect, style: style)
  let state = truncated(model.stateLine, rect.width - 4)
  grid.put(state, at: rect.x + 2, rect.y + 1, width: rect.width - 4, style: style)
  guard !model.keyEcho.isEmpty else { return }
  let echo = " \(model.keyEcho) "
  let width = min(columnWidth(echo), rect.width)
  grid.put(echo, at: rect.maxX - width - 1, rect.y, width: width, style: Style(.normal, bold: true))
}

extension AppModel {
  /// What an audience should take from the screen.
  fileprivate var stateLine: String {
    if let working { return working }
    if case .prompt(let dialog) = dialogs.first { return dialog.stateLine }
    if let notice { return notice.text }
    switch place {
    case .apps: return selectedApp.map { "\($0.displayName): \($0.next.sentence)" } ?? "no app"
    case .accounts:
      return selectedAccount.map { "\($0.username): signed in to \(counted($0.apps.count, "app"))" }
        ?? "no account"
    case .tokens:
      return selectedToken.map { "\($0.longType): \($0.state.sentence)" } ?? "client, redirect, credentials"
    case .traces: return selectedTrace.map { "\(verdictGlyph($0.verdict)) \($0.title)" } ?? "no trace"
    case .trace: return selectedHop.map { "\($0.from.label) -> \($0.to.label): \($0.action)" } ?? "no step"
    case .story: return story?.next.map { "next: \($0.title)" } ?? "the story is told"
    case .keychain:
      return selectedGroup.map { "\($0.accessGroup): read by \(counted($0.readers.count, "app"))" } ?? "empty"
    case .provider: return serving.origin ?? "the server is off"
    case .records: return selectedLabRow.map { $0.record?.title ?? $0.kind.sentence } ?? "no record"
    }
  }
}

extension PromptDialog {
  fileprivate var stateLine: String {
    switch prompt {
    case .chooseAccount(let picker): "\(picker.appName) asks: choose an account"
    case .signIn(let page): "\(page.tenantName) asks who you are, for \(page.appName)"
    case .consent(let page): "\(page.appName) asks for \(counted(page.scopes.count, "permission"))"
    case .errorPage(let page): "AADSTS\(page.aadsts)"
    }
  }
}
