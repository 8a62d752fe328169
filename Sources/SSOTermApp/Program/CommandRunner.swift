import Dispatch
import Essentials
import SSOCore
import SSODevice
import SSOLab
import SSOReading
import SSOScenarios
import SSOStore
import Synchronization
import TerminalUI

/// A runner that carries out commands on its own queue, so that no key waits for the store, and posts their results.
final class CommandRunner: Sendable {
  private let lab: Lab
  private let clipboard: ClipboardController
  private let queue = DispatchQueue(label: "ssoterm.commands", qos: .userInteractive)
  private let inbox = Mutex<[Arrival]>([])
  /// The loads that wait in the queue.
  ///
  /// A second request for the same rows has no effect.
  private let pending = Mutex<Set<Load>>([])
  /// Whether a check for changes is scheduled, and the mark that the last check found.
  private let looking = Atomic(false)
  private let seen: Mutex<ChangeMark?>
  /// The time since which the lab's server has not answered, or `nil` if it answers.
  private let silentSince = Mutex<String?>(nil)
  /// The number of changes to the lab in progress.
  private let changes = Atomic(0)
  private let wake: @Sendable () -> Void
  private let servers = Mutex<ServerController?>(nil)
  private let projects = ProjectWatch()
  private let patience: DispatchTimeInterval

  /// Creates a runner.
  ///
  /// The progress of a call that runs longer than `patience` is reported.
  init(
    lab: Lab, clipboard: ClipboardController, patience: DispatchTimeInterval = .milliseconds(150),
    wake: @escaping @Sendable () -> Void
  ) {
    self.lab = lab
    self.patience = patience
    self.clipboard = clipboard
    self.wake = wake
    seen = Mutex(try? lab.store.changeMark)
    projects.changed = { [weak self] in self?.post(.projectChanged) }
    lab.store.listen { [weak self] in self?.report($0) }
  }

  /// Whether the lab's server does not answer.
  var isServerSilent: Bool { silentSince.withLock { $0 != nil } }

  private func report(_ news: StoreEvent) {
    switch news {
    case .waits: notify("Another process writes to the store; this one waits for its turn.")
    case .unresponsive:
      let since = lab.realTime().adding(seconds: -2).iso8601
      // A new connection may report the same silence again.
      let isNews = silentSince.withLock { told in
        defer { told = told ?? since }
        return told == nil
      }
      guard isNews else { return }
      notify("No answer from the lab's server since \(since): down, or locked.")
      askServerAgain()
    case .held(let holder): notify("Another writer has the lab: \(holder).")
    case .recovered:
      silentSince.withLock { $0 = nil }
      notify("The lab's server answers again.", .good)
      post(.event(.storeChanged))
    case .leftOut(let error): notify(error.what + " It was skipped.")
    }
  }

  private func notify(_ text: String, _ kind: Notice.Kind = .bad) {
    post(.noted(Notice(text: text, kind: kind)))
  }

  /// Checks every three seconds whether the server is back, so that its return is shown without a key press.
  private func askServerAgain() {
    queue.asyncAfter(deadline: .now() + .seconds(3)) { [weak self] in
      guard let self, isServerSilent else { return }
      _ = try? lab.store.changeMark
      askServerAgain()
    }
  }

  /// A message, or the end of an awaited command without a message.
  struct Arrival {
    var message: Message?
    /// The kind of work that held keys are waiting for.
    var awaited: TypeAheadBuffer.Work?
  }

  /// Removes and returns what has arrived.
  func collect() -> [Arrival] {
    inbox.withLock { arrivals in
      defer { arrivals = [] }
      return arrivals
    }
  }

  /// The server controller, which is created on first use because most runs have no server.
  private var server: ServerController {
    servers.withLock { controller in
      if let controller { return controller }
      let made = ServerController(lab: lab) { [weak self] in self?.post($0) }
      controller = made
      return made
    }
  }

  private func post(_ message: Message?, awaited: TypeAheadBuffer.Work? = nil) {
    guard message != nil || awaited != nil else { return }
    inbox.withLock { $0.append(Arrival(message: message, awaited: awaited)) }
    wake()
  }

  /// Posts a message if the store has changed since the last check, because its folder contains more than the store.
  ///
  /// The files change before the commit can be read, so it checks a moment later, and once more for a busy machine.
  func postIfStoreChanged(_ message: Message) {
    guard !looking.exchange(true, ordering: .relaxed) else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in
      looking.store(false, ordering: .relaxed)
      guard !storeHasChanged() else { return post(message) }
      queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [self] in
        if storeHasChanged() { post(message) }
      }
    }
  }

  /// Returns whether the store has changed or does not answer, in which case the next read reports the problem.
  private func storeHasChanged() -> Bool {
    let mark = try? lab.store.changeMark
    return seen.withLock { last in
      defer { last = mark }
      return mark == nil || last != mark
    }
  }

  /// - Returns: `false` if the same command is already waiting.
  @discardableResult
  func start(_ command: Command, awaited: TypeAheadBuffer.Work? = nil) -> Bool {
    let isChange = command.work == .change
    if case .load(let load) = command {
      guard pending.withLock({ $0.insert(load).inserted }) else { return false }
    } else if isChange, let since = silentSince.withLock({ $0 }) {
      guard changes.load(ordering: .relaxed) == 0 else {
        post(.failed(Problem(anotherWaitsSince: since)), awaited: awaited)
        return true
      }
      notify("No answer from the lab's server since \(since): this waits for it.")
    }
    if isChange { changes.add(1, ordering: .relaxed) }
    queue.async { [self] in
      if case .load(let load) = command { pending.withLock { _ = $0.remove(load) } }
      let message = run(command)
      if isChange { changes.subtract(1, ordering: .relaxed) }
      post(message, awaited: awaited)
    }
    return true
  }

  private func perform(_ intent: AnyIntent, _ answers: [Answer] = []) throws -> IntentResult {
    let watch = CallWatch(patience: patience) { [weak self] in self?.post(.callRuns(intent, $0)) }
    defer { watch.end() }
    return try lab.perform(intent.value, answers: answers) { watch.show($0) }
  }

  /// Runs a command synchronously.
  ///
  /// This is used for the first frame, which should not be empty.
  func run(_ command: Command) -> Message? {
    do {
      switch command {
      case .load(let load):
        // Watch first, so that files that change while they are read are read again.
        if case .doctor(let source) = load { projects.follow(source.paths) }
        return .loaded(try load.read(from: lab))
      case .perform(let intent, let answers):
        return .performed(intent, answers: answers, try perform(intent, answers))
      case .change(let change, let target):
        let credentials = try lab.read { try target.credentials(in: $0) }
        guard !credentials.isEmpty else { return .said("Nothing to change.") }
        let intent = AnyIntent(ChangeCredentials(change, credentials))
        return .performed(intent, answers: [], try perform(intent))
      case .runStep(var execution):
        guard let intent = execution.start(on: lab) else {
          return .stepEnded(execution.report(on: lab))
        }
        do {
          return .stepRuns(execution, intent, try perform(intent))
        } catch {
          execution.refuse("\(error)")
          return .stepEnded(execution.report(on: lab))
        }
      case .checkStep(let execution): return .stepEnded(execution.report(on: lab))
      case .checkByHand(let execution): return .stepEndedByHand(execution.report(on: lab))
      case .rerunSteps(let steps): return .stepsRerun(try lab.rerun(steps))
      case .runScenario(let name, let source):
        return .scenarioRun(name, try tryScenario(try ScenarioLibrary.ofProgram.scenario(source)))
      case .report(let run):
        return .written(try writeReports(run))
      case .readEvidence(let path, let name):
        do throws(UnreadableEvidence) {
          return .evidenceRead(try TrialResult.Evidence(fileAt: path), of: name)
        } catch {
          return .noted(Notice(text: "\(error.path) cannot be read: \(error.why).", kind: .bad))
        }
      case .serve(let settings):
        try server.start(settings)
        return nil
      case .stopServing:
        server.stop()
        return nil
      case .serveBus(let settings):
        BusController(lab: lab) { [weak self] in self?.post($0) }.start(settings)
        return nil
      case .undo: return .undone(try lab.undo())
      case .redo: return .said(try lab.redo().map { "Redone: \($0)" } ?? "Nothing to redo.")
      case .export(let id, let form):
        guard let trace = try lab.read({ try $0.traces.trace(id) }) else {
          return .noted(Notice(text: "This trace is no longer in the store.", kind: .bad))
        }
        return .noted(Notice(text: try SSOTermApp.export(trace, as: form), kind: .good))
      case .writeIssue(let text):
        return .written("Written to \(try writeNew("issue", "md", text)), secrets masked.")
      case .writeComparison(let text):
        return .written("Written to \(try writeNew("comparison", "txt", text)), secrets masked.")
      case .writeScenario(let text):
        let name = try writeNew("repro", "yaml", text)
        return .written("Written to \(name): ssoterm scenario run ./\(name) --fixed")
      case .note(let id, let step, let text):
        try lab.annotate(trace: id, step: step, text: text)
        return .said(text.isEmpty ? "The note is removed." : "The note on step \(step + 1) is kept.")
      case .readLog(let text):
        let people = try lab.read { try KnownPeople(of: $0) }
        let traces = try readTraces(in: text, people: people)
        guard !traces.isEmpty else {
          return .noted(Notice(text: "No call of an identity SDK was found in what was pasted.", kind: .bad))
        }
        try lab.keep(traces)
        return .said("\(counted(traces.count, "call")) read.")
      case .copySecret(let credential, let item):
        return try lab.read { try $0.tokens.detail(credential, unmasked: true) }.map {
          .secret(Copy(item, of: $0))
        }
      case .copy(let copy): return clipboard.copy(copy)
      case .clearClipboard: return clipboard.clearSecret().map { .noted($0) }
      case .redraw, .suspend, .runProgram, .mouse, .edit, .finish: return nil
      }
    } catch {
      var problem = Problem(error)
      if let since = silentSince.withLock({ $0 }) { problem.why += " No answer since \(since)." }
      return .failed(problem)
    }
  }
}

extension Problem {
  /// Creates the problem for a change that is requested while another one waits for the server.
  ///
  /// Keys are not held then, so the change would be made unseen.
  fileprivate init(anotherWaitsSince since: String) {
    self.init(
      what: "Nothing was changed.",
      why: "Another change waits for the lab's server, which has not answered since \(since).")
  }
}
