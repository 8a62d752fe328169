import SSOModel

/// What the update asks the world for. Plain values, so that a test compares them.
enum Command: Equatable, Sendable {
  case load(Load)
  case perform(Intent, [Answer])
  /// A change of credentials that must be looked up first.
  case change(Change, Target)
  case undo, redo
  case copy(Copy)
  /// Copies a credential's secret, which the model does not hold.
  case copySecret(credential: String, CopyItem)
  case clearClipboard
  case redraw, suspend
  case mouse(Bool)
  case export(trace: Int64, ExportForm)
  case note(trace: Int64, step: Int, text: String)
  case finish(ProgramResult)
}

/// What to read from the lab.
enum Load: Hashable, Sendable {
  case status, apps, accounts, groups, traces, people
  case tokens(TokenScope)
  case detail(String, revealed: Bool)
  case items(group: String)
  case trace(Int64)
  case blastRadius(Intent)
  case sights
  case why(WhySubject)
  /// A trace whose outcome is to be explained.
  case outcome(Int64)
}

/// What the Tokens screen was opened for; all of the store without any.
struct TokenScope: Hashable, Sendable {
  var clientID: String?
  var redirectURI: String?
  var account: String?
  /// The words for the title: an app's or a person's name.
  var title: String = ""

  static let everything = TokenScope()
}

enum Change: Hashable, Sendable { case expire, invalidate }

/// Which credentials a change is for.
enum Target: Hashable, Sendable {
  case credentials([String])
  case accessTokens([TokenScope])
  case refreshTokens([TokenScope])
}
