/// What the update asks the world for.
///
/// Plain values, so that a test compares them.
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
  /// All steps of a scenario, in a separate lab in memory: its name, and the name or path that it is loaded by.
  case runScenario(String, from: String)
  /// Writes what was tried as Markdown and JUnit.
  case report(TrialRun)
  /// A file that is evidence for the row of this name.
  case readEvidence(String, of: String)
  /// Opens or closes the provider's socket; `ServerNews` says what happens there.
  case serve(ServeOptions)
  case stopServing
  /// Lets the broker serve on a bus; `BusNews` says what happens there.
  case serveBus(BusSettings)
  case copy(Copy)
  /// Copies a credential's secret, which the model does not hold.
  case copySecret(credential: String, CopyItem)
  case clearClipboard
  case redraw, suspend
  case runProgram(ExternalProgram)
  case mouse(Bool)
  case export(trace: Int64, ExportForm)
  case note(trace: Int64, step: Int, text: String)
  /// Reads a log or a recording, and keeps its calls as traces.
  case readLog(String)
  /// Lets the person's editor have the terminal.
  case edit(FilePlace)
  case finish(ProgramResult)
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

extension Target {
  /// The IDs of the credentials that a change is for.
  func credentials(in reader: LabReader) throws -> [String] {
    switch self {
    case .credentials(let ids): ids
    case .accessTokens(let scopes): try Self.credentials(of: scopes, [.accessToken], in: reader)
    case .refreshTokens(let scopes):
      try Self.credentials(of: scopes, [.refreshToken, .familyRefreshToken], in: reader)
    case .rows(let ids, let kinds):
      try reader.branches.rows(ids.map(\.value).sorted()).sorted { $0.key < $1.key }.map(\.value)
        .filter { kinds.isEmpty || $0.kind.map(kinds.contains) == true }.map(\.id)
    }
  }

  private static func credentials(
    of scopes: [TokenScope], _ kinds: Set<CredentialKind>, in reader: LabReader
  ) throws -> [String] {
    var seen: Set<String> = []
    return try scopes.flatMap { try reader.tokens.rows(TokenFilter($0)) }
      .filter { $0.kind.map(kinds.contains) == true && seen.insert($0.id).inserted }.map(\.id)
  }
}

extension TokenFilter {
  init(_ scope: TokenScope) {
    self.init(clientID: scope.clientID, redirectURI: scope.redirectURI, account: scope.account)
  }
}
