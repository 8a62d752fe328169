import SSOModel
import TerminalUI

extension AppModel {
  /// Why a command can do nothing now; nil if it can. Help shows the reason, the key bar leaves the key out.
  func obstacle(to action: Action) -> String? {
    if isReadOnly, action.changesLab { return "the store is open for reading only (--readonly)" }
    return switch action {
    case .silent, .interactive, .chooseAccount: selectedApp == nil ? "select an app first" : nil
    case .signOut:
      selectedApp.map { $0.accountCount == 0 ? "nobody is signed in" : nil } ?? "select an app first"
    case .forget: selectedAccount == nil ? "select an account first" : nil
    case .expire: obstacleToExpire
    case .invalidate: obstacleToInvalidate
    case .delete:
      context == .keychain
        ? (selectedItem == nil ? "select an item first" : nil)
        : (selectedToken == nil ? "select a credential first" : nil)
    case .expireAll: accountInSight == nil ? "select an account or its token first" : nil
    case .reveal: selectedToken == nil ? "select a token first" : nil
    case .open: obstacleToOpen
    case .undo: status?.canUndo == nil ? "nothing to undo" : nil
    case .redo: status?.canRedo == nil ? "nothing to redo" : nil
    case .clockReal: status?.clockOffset == nil ? "the clock is real" : nil
    case .nextHop: hops.state.selection + 1 < hops.count ? nil : "last step"
    case .previousHop: hops.state.selection > 0 ? nil : "first step"
    case .back:
      stack.count > 1 || panel > 0 || self[keyPath: activeList].isFiltered ? nil : "nothing to go back from"
    case .previousScreen: previousTab == nil ? "no other screen yet" : nil
    case .copy(let item): copyText(item) == nil ? "nothing of this kind is selected" : nil
    case .copyMenu: CopyItem.allCases.contains { copyText($0) != nil } ? nil : "nothing to copy here"
    case .testPerson: hasSomebodyToFill ? nil : "nobody is known here"
    case .help: isPickerOnly ? "not in a picker alone" : nil
    default: nil
    }
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
    case .tokens: selectedToken == nil ? "select a credential first" : nil
    case .traces: selectedTrace == nil ? "no trace yet" : nil
    case .keychain: selectedGroup == nil ? "no group" : panel == 1 ? "already open" : nil
    case .trace: "already open"
    }
  }

  private var obstacleToExpire: String? {
    switch screenContext {
    case .tokens:
      ["AT", "ID"].contains(selectedToken?.shortType) ? nil : "select an access token first"
    case .keychain:
      selectedItem.map { $0.kind.contains("token") ? nil : "only tokens expire" } ?? "select an item first"
    default: selectedApp?.accessToken.state == .some(.none) || selectedApp == nil ? "no access token" : nil
    }
  }

  private var obstacleToInvalidate: String? {
    switch screenContext {
    case .tokens:
      ["RT", "FRT", "PRT"].contains(selectedToken?.shortType) ? nil : "select a refresh token first"
    case .keychain:
      selectedItem.map { $0.kind.contains("refresh") ? nil : "select a refresh token first" }
        ?? "select an item first"
    default: selectedApp?.refreshToken.state == .some(.none) || selectedApp == nil ? "no refresh token" : nil
    }
  }

  /// The account that the selected row belongs to, by home account ID.
  var accountInSight: String? {
    switch place {
    case .accounts: selectedAccount?.homeAccountID
    case .tokens: selectedToken?.homeAccountID
    default: nil
    }
  }

  /// What `y` and a letter would copy.
  func copyText(_ item: CopyItem) -> String? {
    switch (place, item) {
    case (.apps, .username): selectedApp?.accounts.first
    case (.apps, .clientID): selectedApp?.clientID
    case (.apps, .redirectURI): selectedApp?.redirectURI
    case (.accounts, .username): selectedAccount?.username
    case (.accounts, .homeAccountID): selectedAccount?.homeAccountID
    case (.tokens, .username): selectedToken?.username
    case (.tokens, .clientID): selectedToken?.clientID
    case (.tokens, .redirectURI): selectedToken?.redirectURIs.first
    case (.tokens, .homeAccountID): selectedToken?.homeAccountID
    case (.tokens, .token):
      revealedToken != nil && revealedToken == selectedToken?.id ? detail?.row.secret : nil
    case (.traces, .correlationID): selectedTrace?.correlationID
    case (.trace, .correlationID): trace?.summary.correlationID
    case (.keychain, .username): selectedItem?.username
    default: nil
    }
  }
}
