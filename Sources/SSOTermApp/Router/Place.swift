/// The user's place in the program: a screen, and the subject that it was opened for.
struct Place: Hashable, Sendable {
  enum Subject: Hashable, Sendable {
    case trace(Int64)
    case tokens(TokenScope)
    case record(RecordID)
    case project(ProjectSource)
  }

  let screen: KeyContext
  var subject: Subject?

  init(_ screen: KeyContext, _ subject: Subject? = nil) {
    self.screen = screen
    self.subject = subject
  }

  /// The screens with a number, which are shown as tabs.
  static let tabs = Screens.all.filter { $0.type.tab == $0.type.context }.map { Place($0.type.context) }

  /// The zero-based number of the tab that this place belongs to.
  var tab: Int { Self.tabs.firstIndex(of: Place(Screens.entry(of: self).type.tab)) ?? 0 }
  var title: String { Screens.entry(of: self).type.title }
}

/// The kind and the name of a record of the lab.
struct RecordID: Hashable, Sendable {
  var kind: RecordKind
  var name: String
}

/// The screen on which the program starts.
package enum StartScreen: Equatable, Sendable {
  /// A path such as `apps` or `tokens/mail`, which consists of a screen and its filter.
  case path(String)
  /// `ssoterm pick`: only the account picker, for an app's bundle ID or for any app.
  case picker(app: String?)
  /// `ssoterm serve`: the Provider screen, with the server running.
  case server(ServeOptions)
  /// `ssoterm broker serve`: the Provider screen, with the broker running on a bus.
  case bus(BusSettings)
  /// `ssoterm doctor --open`: the results for the files of real apps.
  case doctor(ProjectSource)

  /// The paths of the screens of a store, which do not include the demo.
  package static let paths = Place.tabs.filter { $0 != .story }.map { $0.title.lowercased() }
}

/// The way in which the program ended.
package enum ProgramResult: Equatable, Sendable {
  case quit
  case picked(PickerCandidate)
  case cancelled
  /// The user starts a scenario as a demo, after which the program returns to its screens.
  case demo(String)
}
