/// Where the person is: a screen, and what it was opened for.
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

  /// The number of the tab that this belongs to, from 0.
  var tab: Int { Self.tabs.firstIndex(of: Place(Screens.entry(of: self).type.tab)) ?? 0 }
  var title: String { Screens.entry(of: self).type.title }
}

/// A record of the lab by what names it.
struct RecordID: Hashable, Sendable {
  var kind: RecordKind
  var name: String
}

/// Where the program begins.
package enum StartScreen: Equatable, Sendable {
  /// A path such as `apps` or `tokens/mail`: a screen, and what to filter it by.
  case path(String)
  /// `ssoterm pick`: the picker alone, for an app's bundle ID or for any app.
  case picker(app: String?)
  /// `ssoterm serve`: the Provider screen, with the server on.
  case server(ServeOptions)
  /// `ssoterm broker serve`: the Provider screen, with the broker on a bus.
  case bus(BusSettings)
  /// `ssoterm doctor --open`: what the files of real apps say.
  case doctor(ProjectSource)

  /// The screens of a store, which has no story.
  package static let paths = Place.tabs.filter { $0 != .story }.map { $0.title.lowercased() }
}

/// How the program ended.
package enum ProgramResult: Equatable, Sendable {
  case quit
  case picked(PickerCandidate)
  case cancelled
  /// Goes on with a scenario as a demo, and comes back when that is left.
  case demo(String)
}
