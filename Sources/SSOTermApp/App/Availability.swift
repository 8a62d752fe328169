import SSOLab
import SSOProvider
import SSOScenarios
import TerminalUI

extension AppModel {
  /// Why a command can do nothing now; nil if it can. Help shows the reason, the key bar leaves the key out.
  func obstacle(to action: Action) -> String? {
    if isReadOnly, action.changesLab { return "the store is open for reading only (--readonly)" }
    return switch action {
    case .silent, .interactive, .chooseAccount: selectedApp == nil ? "select an app first" : nil
    case .addAccount: appInSight == nil ? "there is no app" : nil
    case .repeatFlow: lastFlow == nil ? "no call has been made yet" : nil
    case .signOut:
      selectedApp.map { $0.accountCount == 0 ? "nobody is signed in" : nil } ?? "select an app first"
    case .forget:
      marked.count > 1
        ? "one account at a time; Esc unmarks" : selectedAccount == nil ? "select an account first" : nil
    case .expire: obstacleToExpire
    case .invalidate: obstacleToInvalidate
    case .delete: markedRows == nil && deletable.isEmpty ? "select a token first" : nil
    case .expireAll:
      marked.isEmpty && accountInSight == nil ? "select an account or its token first" : nil
    case .reveal: selectedToken == nil ? "select a token first" : nil
    case .open: obstacleToOpen
    case .undo: status?.canUndo == nil ? "nothing to undo" : nil
    case .redo: status?.canRedo == nil ? "nothing to redo" : nil
    case .clockReal: status?.clockOffset == nil ? "the clock is real" : nil
    case .nextHop: hops.state.selection + 1 < hops.count ? nil : "last step"
    case .previousHop: hops.state.selection > 0 ? nil : "first step"
    case .back:
      stack.count > 1 || panel > 0 || self[keyPath: activeList].isFiltered || !marked.isEmpty
        ? nil : "nothing to go back from"
    case .mark, .range: obstacleToMark
    case .nextMatch, .previousMatch: lastQuery.isEmpty ? "filter with / first" : nil
    case .markHop, .note: selectedHop == nil ? "select a step first" : nil
    case .jumpToMark: (traceInSight.flatMap { hopMarks[$0] } ?? []).isEmpty ? "m marks a step" : nil
    case .exportMenu, .export: traceInSight == nil ? "no trace yet" : nil
    case .why: obstacleToWhy
    case .secondApp: obstacleToSecondApp
    case .server: obstacleToServing
    case .clearFault: panel == 1 && selectedFault != nil ? nil : "Tab, then select a fault"
    case .clearFaults: serving.rows.faults.isEmpty ? "no fault is set" : nil
    case .change:
      place == .records ? "this is the place" : recordInSight == nil ? "6 shows all records" : nil
    case .explainCheck: selectedCheck == nil ? "select a condition first" : nil
    case .zoom: isZoomed ? "already" : hasOnePanel ? "there is only one panel" : nil
    case .nextPanel, .previousPanel: place.panelCount == 1 ? "there is only one panel" : nil
    case .unzoom: isZoomed ? nil : "all panels are shown"
    case .presenter: layout.hasRoomForPresenter ? nil : "the window is too low"
    case .column(let number): number <= columns.count ? nil : "there is no such column"
    case .pick(let number):
      number <= promptOnTop?.list.count ?? 0 ? nil : "there are fewer accounts"
    case .details, .forgetCandidate: promptOnTop?.candidate == nil ? "select an account first" : nil
    case .revealPassword: isTypingPassword ? nil : "nothing is masked here"
    case .copyCommand, .complete: nil
    case .previousScreen: previousTab == nil ? "no other screen yet" : nil
    case .copy(let item): canCopy(item) ? nil : "nothing of this kind is selected"
    case .copyMenu: CopyItem.allCases.contains { canCopy($0) } ? nil : "nothing to copy here"
    case .testPerson: hasSomebodyToFill ? nil : "nobody is known here"
    case .screen(let number) where Place.tabs[number] == .story:
      story == nil ? "only ssoterm demo tells a story" : nil
    case .tellNext:
      story.map { $0.next == nil ? "the story is told" : nil } ?? "only ssoterm demo tells a story"
    case .tellBack:
      story.map { $0.reports.isEmpty ? "nothing was told yet" : nil } ?? "only ssoterm demo tells a story"
    default: nil
    }
  }

  private var obstacleToMark: String? {
    if !canMark { return "not in this panel" }
    if self[keyPath: activeList].count == 0 { return "the list is empty" }
    if case .branch = selectedTokenLine?.kind, place == .tokens { return "open the branch first" }
    return nil
  }

  private var hasOnePanel: Bool { layout.isSingle || place.panelCount == 1 }

  private var promptOnTop: PromptDialog? {
    if case .prompt(let dialog) = dialogs.last { dialog } else { nil }
  }

  private var isTypingPassword: Bool {
    guard case .signIn(let page) = promptOnTop?.prompt, case .password = page.asks else { return false }
    return true
  }

  private var hasSomebodyToFill: Bool {
    guard case .prompt(let dialog) = dialogs.last, case .signIn(let page) = dialog.prompt else {
      return false
    }
    return switch page.asks {
    case .username: !people.isEmpty || !page.accountsInSession.isEmpty
    case .password: people.contains { $0.username == page.username }
    case .verification: true
    }
  }

  private var obstacleToOpen: String? {
    switch place {
    case .apps: selectedApp == nil ? "select an app first" : nil
    case .accounts: selectedAccount == nil ? "select an account first" : nil
    case .tokens:
      selectedTokenLine?.opens != true
        ? "select a credential first" : panel == 1 && selectedToken != nil ? "already open" : nil
    case .traces: selectedTrace == nil ? "no trace yet" : nil
    case .keychain: selectedGroup == nil ? "no group" : panel == 1 ? "already open" : nil
    case .provider: panel == 1 ? "already open" : selectedSignIn == nil ? "nobody waits" : nil
    case .records: panel == 0 ? selectedLabRow == nil ? "no record" : nil : obstacleToChangeField
    case .trace: "already open"
    case .story: selectedReport?.traceID == nil ? "the step left no trace" : nil
    }
  }

  private var obstacleToExpire: String? {
    guard place == .apps else {
      return markedRows == nil && targets(of: .expire).isEmpty ? "select an access token first" : nil
    }
    return targetApps.contains { $0.accessToken.state != .none } ? nil : "no access token"
  }

  private var obstacleToInvalidate: String? {
    guard place == .apps else {
      return markedRows == nil && targets(of: .invalidate).isEmpty ? "select a refresh token first" : nil
    }
    return targetApps.contains { $0.refreshToken.state != .none } ? nil : "no refresh token"
  }
}
