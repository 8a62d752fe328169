import SSOCore
import SSOKeychain
import SSOLab
import SSOProvider
import SSOScenarios

extension AppModel {
  /// Whether `y` and a letter would copy something.
  func canCopy(_ item: CopyItem) -> Bool {
    switch item {
    case .token: place == .tokens && selectedToken != nil
    case .authHeader: place == .tokens && selectedToken?.shortType == "AT"
    default: copyText(item) != nil
    }
  }

  /// What `y` and a letter would copy; secrets are fetched only when they are.
  func copyText(_ item: CopyItem) -> String? {
    switch (place, item) {
    case (.apps, .username): selectedApp?.accounts.first
    case (.apps, .clientID): selectedApp?.clientID
    case (.apps, .redirectURI): selectedApp?.redirectURI
    case (.accounts, .username): selectedAccount?.username
    case (.accounts, .homeAccountID): selectedAccount?.homeAccountID
    case (.tokens, .username): selectedToken?.username
    case (.tokens, .clientID): selectedTokenLine?.clientID
    case (.tokens, .redirectURI): selectedToken?.redirectURIs.first ?? selectedTokenLine?.redirectURI
    case (.tokens, .homeAccountID): selectedToken?.homeAccountID
    case (.traces, .correlationID): selectedTrace?.correlationID
    case (.trace, .correlationID): trace?.summary.correlationID
    case (.trace, .mermaid): trace.map(mermaid)
    case (.keychain, .username): panel == 1 ? selectedItem?.username : nil
    case (_, .cell): cell
    default: nil
    }
  }

  /// What the selected row is called.
  private var cell: String? {
    switch place {
    case .apps: selectedApp?.bundleID
    case .accounts: selectedAccount?.username
    case .tokens: selectedToken?.id ?? selectedTokenLine?.text
    case .traces: selectedTrace?.title
    case .trace: selectedHop?.action
    case .story: story.flatMap { story in storySteps.selectedRow.map { story.steps[$0].title } }
    case .provider: panel == 0 ? serving.origin : selectedFault?.words
    case .records: panel == 0 ? selectedLabRow?.record?.name : selectedField?.copied
    case .keychain: panel == 0 ? selectedGroup?.accessGroup : selectedItem?.key.service
    }
  }
}

extension FieldRow {
  /// A field's value as it is shown: secrets stay masked.
  fileprivate var copied: String? {
    if case .field(let field) = self { field.value } else { nil }
  }
}

extension TokenLine {
  fileprivate var clientID: String? {
    switch kind {
    case .client: text
    case .redirect: nil
    case .branch(let branch): branch.clientID
    case .token(let row): row.clientID
    }
  }

  fileprivate var redirectURI: String? {
    switch kind {
    case .redirect(_?): text
    case .branch(let branch): branch.redirectURI
    default: nil
    }
  }
}
