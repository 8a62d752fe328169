import SSOModel

/// What takes the keys now. One key has one meaning in each.
enum Context: String, CaseIterable, Sendable {
  case apps, accounts, tokens, traces, trace, keychain
  case filter, picker, signIn, consent, errorPage, confirm, help, palette, copyMenu

  static let screens: Set<Context> = [.apps, .accounts, .tokens, .traces, .trace, .keychain]
  static let lists: Set<Context> = screens
  static let prompts: Set<Context> = [.picker, .signIn, .consent, .errorPage]
  static let typing: Set<Context> = [.filter, .signIn, .help, .palette]
}

extension AppModel {
  var context: Context {
    switch dialogs.last {
    case .prompt(let dialog):
      switch dialog.prompt {
      case .chooseAccount: dialog.list.isFiltering ? .filter : .picker
      case .signIn: .signIn
      case .consent: .consent
      case .errorPage: .errorPage
      }
    case .confirm: .confirm
    case .help: .help
    case .palette: .palette
    case .copyMenu: .copyMenu
    case nil: self[keyPath: activeList].isFiltering ? .filter : screenContext
    }
  }

  /// The context of the screen, whatever lies over it.
  var screenContext: Context {
    switch place {
    case .apps: .apps
    case .accounts: .accounts
    case .tokens: .tokens
    case .traces: .traces
    case .trace: .trace
    case .keychain: .keychain
    }
  }
}
