/// A request from the update to the outside world.
///
/// Commands are plain values, so that tests can compare them.
enum Command: Equatable, Sendable {
  case load(Load)
  case perform(AnyIntent, [Answer])
  /// A change to credentials that must be looked up first.
  case change(ChangeCredentials.Change, Target)
  case undo, redo
  /// Steps of the demo: start one, check it after its flow has ended, or rerun all steps up to a step.
  case runStep(StepExecution)
  case judgeStep(StepExecution)
  case rerunSteps([ScenarioStep])
  /// Runs all steps of a scenario in a separate lab in memory, with the scenario's name, and the name or path that it
  /// is loaded from.
  case runScenario(String, from: String)
  /// Writes the results of a run as Markdown and JUnit reports.
  case report(TrialRun)
  /// Reads a file that is evidence for the row with this name.
  case readEvidence(String, of: String)
  /// Opens or closes the provider's socket, which reports its events as `ServerNews`.
  case serve(ServeOptions)
  case stopServing
  /// Starts the broker on a bus, which reports its events as `BusNews`.
  case serveBus(BusSettings)
  case copy(Copy)
  /// Copies a credential's secret, which the model does not contain.
  case copySecret(credential: String, CopyItem)
  case clearClipboard
  case redraw, suspend
  case runProgram(ExternalProgram)
  case mouse(Bool)
  case export(trace: Int64, ExportForm)
  case note(trace: Int64, step: Int, text: String)
  /// Reads a log or a recording, and saves its calls as traces.
  case readLog(String)
  /// Opens the user's editor, which takes over the terminal.
  case edit(FilePlace)
  case finish(ProgramResult)
}

extension Command {
  static func perform(_ intent: some Intent, _ answers: [Answer] = []) -> Command {
    .perform(AnyIntent(intent), answers)
  }
}

/// The subject that the Tokens screen was opened for.
///
/// An empty scope stands for the entire store.
struct TokenScope: Hashable, Sendable {
  var clientID: String?
  var redirectURI: String?
  var account: String?
  /// The name of an app or a user, for the title.
  var title: String = ""

  static let everything = TokenScope()
}

/// The credentials that a change applies to.
enum Target: Hashable, Sendable {
  case credentials([String])
  case accessTokens([TokenScope])
  case refreshTokens([TokenScope])
  /// The credentials of the given kinds among rows of the store that may not all have been read.
  ///
  /// An empty set stands for every kind.
  case rows(Set<RowID>, kinds: Set<CredentialKind>)
}

extension Target {
  /// Returns the IDs of the credentials that a change applies to.
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
