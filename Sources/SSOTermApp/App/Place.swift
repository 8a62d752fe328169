import SSODevice

/// Where the person is: one of the screens, or one trace opened from its list.
package enum Place: Hashable, Sendable {
  case apps, accounts, tokens, traces, keychain, records, provider
  /// The steps of a demo's scenario.
  case story
  case trace(Int64)

  /// The story comes last, for most labs have none.
  package static let tabs: [Place] = [
    .apps, .accounts, .tokens, .traces, .keychain, .records, .provider, .story,
  ]

  /// The number of the screen this belongs to, from 0.
  var tab: Int {
    switch self {
    case .apps: 0
    case .accounts: 1
    case .tokens: 2
    case .traces, .trace: 3
    case .keychain: 4
    case .records: 5
    case .provider: 6
    case .story: 7
    }
  }

  package var name: String {
    switch self {
    case .apps: "Apps"
    case .accounts: "Accounts"
    case .tokens: "Tokens"
    case .traces, .trace: "Trace"
    case .keychain: "Keychain"
    case .records: "Lab"
    case .provider: "Provider"
    case .story: "Story"
    }
  }

  /// Whether both panels are lists, so that neither only scrolls.
  var hasTwoLists: Bool { self == .keychain || self == .records || self == .provider }

  /// How many panels Tab goes through.
  var panelCount: Int { self == .traces ? 1 : 2 }
}

extension AppModel {
  /// The screens that there are in this lab.
  var tabs: [Place] { Place.tabs.filter { $0 != .story || story != nil } }
}

/// Where the program begins.
package enum StartScreen: Equatable, Sendable {
  /// A path such as `apps` or `tokens/mail`: a screen, and what to filter it by.
  case path(String)
  /// `ssoterm pick`: the picker alone, for an app's bundle ID or for nobody in particular.
  case picker(app: String?)
  /// `ssoterm serve`: the Provider screen, with the server on.
  case server(ServeWish)
}

/// How the program ended.
package enum ProgramResult: Equatable, Sendable {
  case quit
  case picked(PickerCandidate)
  case cancelled
}
