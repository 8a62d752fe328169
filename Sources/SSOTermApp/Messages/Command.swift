/// What the update asks the world for. Plain values, so that a test compares them.
enum Command: Equatable, Sendable {
  case load(Load)
  case perform(Intent, [Answer])
  /// A change of credentials that must be looked up first.
  case change(Change, Target)
  case undo, redo
  /// A step of the demo: begun; judged when its flow has ended; all run again up to a step.
  case runStep(StepExecution)
  case judgeStep(StepExecution)
  case rerunSteps([ScenarioStep])
  /// Opens or closes the provider's socket; what comes of it are `ServerNews`.
  case serve(ServerSettings)
  case stopServing
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
  case status, apps, groups, traces, people
  /// The first page of a long list of accounts, or all of a short one; then all, and what is sealed of them.
  case firstAccounts, accounts, accountDetails
  /// The accounts in sight.
  case accountRows([RowID])
  /// The tree of a scope; of a store with very many credentials its branches, or the first page of a branch.
  case tokens(TokenScope)
  /// All of a branch, and the credentials in sight.
  case allTokens(TokenScope)
  case tokenRows([RowID])
  case detail(String, revealed: Bool)
  /// The items of a group, or the first page of very many; then all, and those in sight.
  case items(group: String)
  case allItems(group: String)
  case itemRows([RowID])
  case trace(Int64)
  case blastRadius(Intent)
  case visibility
  case why(WhySubject)
  case records
  case provider
  /// A trace whose outcome is to be explained.
  case outcome(Int64)
  /// Of the deletion of those among these rows of the store that are credentials.
  case blastRadiusOfRows(Set<RowID>)
}

extension Load {
  /// Follows the first page of a list that may be very long.
  var isOfAllRows: Bool {
    switch self {
    case .accounts, .accountDetails, .allTokens, .allItems: true
    default: false
    }
  }
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
  /// Those of these kinds among rows of the store that were not all read; of every kind if none is named.
  case rows(Set<RowID>, kinds: Set<CredentialKind>)
}
