import SSOBus
import SSOCore
import SSODoctor
import SSOLab
import SSOReference
import SSOScenarios
import SSOServer
import SSOStore
import TerminalUI

/// An event or a result that the model handles.
indirect enum Message: Sendable {
  case event(InputEvent)
  /// The real time of the event that follows.
  case time(Instant)
  case alarm(Alarm)
  case loaded(Loaded)
  case performed(AnyIntent, answers: [Answer], IntentResult)
  /// The progress of a long call.
  case callRuns(AnyIntent, CallProgress)
  /// A running step of the demo, with the result of its intent so far.
  case stepRuns(StepExecution, AnyIntent, IntentResult)
  /// The report of the step that was run now, or the reports of all steps that were rerun.
  case stepEnded(StepReport)
  /// The report of a step that the user performed without the demo's key.
  case stepEndedByHand(StepReport)
  case stepsRerun([StepReport])
  /// The result of the scenario with this name, which ran to its end.
  case scenarioRun(String, TrialResult)
  /// Evidence for the row with this name.
  case evidenceRead(TrialResult.Evidence, of: String)
  /// A demo that was started from these screens, and that the user has left.
  case demoLeft(Demo)
  case failed(Problem)
  case said(String)
  /// The words of the undone change, or `nil` if there was nothing to undo.
  case undone(String?)
  /// The confirmation that files were written at the user's request.
  case written(String)
  /// A notice.
  ///
  /// Unlike `said`, it does not indicate a change of the store.
  case noted(Notice)
  /// A file has changed in a folder of the projects on the Doctor screen.
  case projectChanged
  case server(ServerEvent)
  case bus(BusEvent)
  /// A secret that the user asked to copy.
  case secret(Copy)
  /// A notice that a secret was copied to a clipboard that can be cleared.
  case secretCopied(Notice)
}

/// A test user of the lab with the password, which the sign-in page may fill in because all accounts of a lab are
/// invented.
struct TestPerson: Equatable, Sendable {
  var username: String
  var password: String
  var remark: String
}

/// An error in the three parts that are shown everywhere: what, why, and what next.
struct Problem: Equatable, Sendable {
  var what: String
  var why: String = ""
  var next: Advice = ""
}

extension Problem {
  /// Creates a problem from an error.
  ///
  /// Every error of the model has all three parts, and other errors have only a description.
  init(_ error: any Error) {
    if let error = error as? LabError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? StoreError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? BusError {
      self.init(what: error.what, why: error.why, next: error.next)
    } else if let error = error as? UnwritableFile {
      self.init(what: error.what, why: error.cause.displayText, next: Advice(error.next))
    } else {
      self.init(what: "\(error)")
    }
  }
}

/// A request from the update to the outside world.
///
/// Commands are plain values, so that tests can compare them.
indirect enum Command: Equatable, Sendable {
  case load(Load)
  case perform(AnyIntent, [Answer])
  /// A change to credentials that must be looked up first.
  case change(ChangeCredentials.Change, Target)
  case undo, redo
  /// Steps of the demo: start one, check it after its flow has ended, or rerun all steps up to a step.
  case runStep(StepExecution)
  case checkStep(StepExecution)
  case checkByHand(StepExecution)
  case rerunSteps([ScenarioStep])
  /// Runs all steps of a scenario in a separate lab in memory, with the scenario's name, and the name or path that it
  /// is loaded from.
  case runScenario(String, from: String)
  /// Writes the results of a run as Markdown and JUnit reports.
  case report(TrialRun)
  /// Reads a file that is evidence for the row with this name.
  case readEvidence(String, of: String)
  /// Opens or closes the provider's socket, which reports its events as `ServerEvent`.
  case serve(ServeOptions)
  case stopServing
  /// Starts the broker on a bus, which reports its events as `BusEvent`.
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
  /// Writes an issue card to a new file in the working directory.
  case writeIssue(String)
  /// Writes a scenario to a new file in the working directory.
  case writeScenario(String)
  /// Reads a log or a recording, and saves its calls as traces.
  case readLog(String)
  /// Opens the user's editor, which takes over the terminal.
  case edit(FilePlace)
  case finish(ProgramResult)
  /// Writes the comparison of two calls to a new file in the working directory.
  case writeComparison(String)
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
