import SSOLab

/// What takes the keys now. One key has one meaning in each.
enum Context: String, CaseIterable, Sendable {
  case apps, accounts, tokens, traces, trace, keychain, records, provider, story
  case filter, picker, pick, signIn, consent, errorPage, confirm, help, palette, note
  case copyMenu, exportMenu, sortMenu, columnMenu, sights
  case why, explained, choice, fieldEdit, effects, faultForm

  static let screens: Set<Context> = [
    .apps, .accounts, .tokens, .traces, .trace, .keychain, .records, .provider, .story,
  ]
  /// Screens whose list has columns that can be sorted by and hidden.
  static let tables: Set<Context> = [.apps, .traces, .keychain]
  /// A flow's prompts: what Esc cancels there is an app's call.
  static let prompts: Set<Context> = [.picker, .signIn, .consent, .errorPage]
  /// The picker of a flow, and that of `ssoterm pick`, behind which is no app.
  static let pickers: Set<Context> = [.picker, .pick]
  static let typing: Set<Context> = [.filter, .signIn, .help, .palette, .note, .choice, .fieldEdit]
  static let menus: Set<Context> = [.copyMenu, .exportMenu, .sortMenu, .columnMenu]
}

extension AppModel {
  var context: Context {
    switch dialogs.last {
    case .prompt(let dialog):
      switch dialog.prompt {
      case .chooseAccount: dialog.list.isFiltering ? .filter : dialog.intent == nil ? .pick : .picker
      case .signIn: .signIn
      case .consent: .consent
      case .errorPage: .errorPage
      }
    case .confirm: .confirm
    case .help: .help
    case .palette: .palette
    case .note: .note
    case .menu(let menu): menu.context
    case .sights: .sights
    case .why: .why
    case .explained: .explained
    case .choice: .choice
    case .edit: .fieldEdit
    case .effects: .effects
    case .fault: .faultForm
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
    case .story: .story
    case .records: .records
    case .provider: .provider
    }
  }
}
