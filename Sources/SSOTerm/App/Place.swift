import SSOModel

/// Where the person is: one of the screens, or one trace opened from its list.
enum Place: Hashable, Sendable {
  case apps, accounts, tokens, traces, keychain
  /// The steps of a demo's scenario.
  case story
  case trace(Int64)

  static let tabs: [Place] = [.apps, .accounts, .tokens, .traces, .keychain, .story]

  /// The number of the screen this belongs to, from 0.
  var tab: Int {
    switch self {
    case .apps: 0
    case .accounts: 1
    case .tokens: 2
    case .traces, .trace: 3
    case .keychain: 4
    case .story: 5
    }
  }

  var name: String {
    switch self {
    case .apps: "Apps"
    case .accounts: "Accounts"
    case .tokens: "Tokens"
    case .traces, .trace: "Trace"
    case .keychain: "Keychain"
    case .story: "Story"
    }
  }

  /// How many panels Tab goes through.
  var panelCount: Int { 2 }
}

/// Where the program begins.
enum StartScreen: Equatable, Sendable {
  /// A path such as `apps` or `tokens/mail`: a screen, and what to filter it by.
  case path(String)
  /// `ssoterm pick`: the picker alone, for an app's bundle ID or for nobody in particular.
  case picker(app: String?)
}

/// How the program ended.
enum ProgramResult: Equatable, Sendable {
  case quit
  case picked(PickerCandidate)
  case cancelled
}
