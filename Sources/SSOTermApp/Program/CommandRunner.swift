import Dispatch
import Essentials
import Synchronization

/// Carries out commands on its own queue, so that no key waits for the store, and posts what came of them.
final class CommandRunner: Sendable {
  private let lab: Lab
  private let clipboard: ClipboardController
  private let queue = DispatchQueue(label: "ssoterm.commands", qos: .userInteractive)
  private let inbox = Mutex<[Arrival]>([])
  /// Loads that wait in the queue; a second request for the same rows adds nothing.
  private let pending = Mutex<Set<Load>>([])
  /// Whether a look for changes is on its way, and what the last one saw.
  private let looking = Atomic(false)
  private let seen: Mutex<ChangeMark?>
  /// When the lab's server last answered, while it does not.
  private let silentSince = Mutex<String?>(nil)
  /// Changes of the lab under way.
  private let changes = Atomic(0)
  private let wake: @Sendable () -> Void
  private let servers = Mutex<ServerController?>(nil)
  private let projects = ProjectWatch()
  private let patience: DispatchTimeInterval

  /// A call that runs for longer than `patience` is told of while it goes on.
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

  /// Whether the lab's server is away.
  var isServerSilent: Bool { silentSince.withLock { $0 != nil } }

  private func report(_ news: StoreNews) {
    switch news {
    case .waits: note("Another process writes to the store; this one waits for its turn.")
    case .silent:
      let since = lab.realTime().adding(seconds: -2).iso8601
      // A new connection may say it again of the same silence.
      let isNews = silentSince.withLock { told in
        defer { told = told ?? since }
        return told == nil
      }
      guard isNews else { return }
      note("No answer from the lab's server since \(since): down, or locked.")
      askServerAgain()
    case .held(let holder): note("Another writer has the lab: \(holder).")
    case .answers:
      silentSince.withLock { $0 = nil }
      note("The lab's server answers again.", .good)
      post(.event(.storeChanged))
    case .leftOut(let error): note(error.what + " It was left out.")
    }
  }

  private func note(_ text: String, _ kind: Notice.Kind = .bad) {
    post(.noted(Notice(text: text, kind: kind)))
  }

  /// Asks every three seconds while the server is away, so that its return shows without a key being pressed.
  private func askServerAgain() {
    queue.asyncAfter(deadline: .now() + .seconds(3)) { [weak self] in
      guard let self, isServerSilent else { return }
      _ = try? lab.store.changeMark
      askServerAgain()
    }
  }

  /// What came in: a message, or the end of an awaited command that has none.
  struct Arrival {
    var message: Message?
    /// What it is to the keys that wait for it.
    var awaited: TypedAhead.Work?
  }

  /// Takes what has come in.
  func collect() -> [Arrival] {
    inbox.withLock { arrivals in
      defer { arrivals = [] }
      return arrivals
    }
  }

  /// Made when it is first asked for: most runs have no server.
  private var server: ServerController {
    servers.withLock { controller in
      if let controller { return controller }
      let made = ServerController(lab: lab) { [weak self] in self?.post($0) }
      controller = made
      return made
    }
  }

  private func post(_ message: Message?, awaited: TypedAhead.Work? = nil) {
    guard message != nil || awaited != nil else { return }
    inbox.withLock { $0.append(Arrival(message: message, awaited: awaited)) }
    wake()
  }

  /// Posts a message if the store has changed since the last time: more is in its folder than the store.
  ///
  /// Its files are touched before the commit can be read, so it looks a moment later, and once more for a busy machine.
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

  /// True as well if the store does not answer: the reading that follows says what is wrong with it.
  private func storeHasChanged() -> Bool {
    let mark = try? lab.store.changeMark
    return seen.withLock { last in
      defer { last = mark }
      return mark == nil || last != mark
    }
  }

  /// - Returns: false if the same is on its way already.
  @discardableResult
  func start(_ command: Command, awaited: TypedAhead.Work? = nil) -> Bool {
    let isChange = command.work == .change
    if case .load(let load) = command {
      guard pending.withLock({ $0.insert(load).inserted }) else { return false }
    } else if isChange, let since = silentSince.withLock({ $0 }) {
      guard changes.load(ordering: .relaxed) == 0 else {
        post(.failed(Problem(anotherWaitsSince: since)), awaited: awaited)
        return true
      }
      note("No answer from the lab's server since \(since): this waits for it.")
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

  private func perform(_ intent: Intent, _ answers: [Answer] = []) throws -> Performance {
    let watch = CallWatch(patience: patience) { [weak self] in self?.post(.callRuns(intent, $0)) }
    defer { watch.end() }
    return try lab.perform(intent, answers: answers) { watch.note($0) }
  }

  /// Runs a command here and now: used for the first frame, which should not be empty.
  func run(_ command: Command) -> Message? {
    do {
      switch command {
      case .load(let load):
        // First, so that what changes while the files are read is read again.
        if case .doctor(let source) = load { projects.follow(source.paths) }
        return .loaded(try load.read(from: lab))
      case .perform(let intent, let answers):
        return .performed(intent, answers: answers, try perform(intent, answers))
      case .change(let change, let target):
        let credentials = try lab.read { try target.credentials(in: $0) }
        guard !credentials.isEmpty else { return .said("Nothing to change.") }
        let intent: Intent =
          switch change {
          case .expire: .expire(credentials: credentials)
          case .invalidate: .invalidate(credentials: credentials)
          }
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
      case .judgeStep(let execution): return .stepEnded(execution.report(on: lab))
      case .rerunSteps(let steps): return .stepsRerun(try lab.rerun(steps))
      case .runScenario(let name, let source):
        return .scenarioRun(name, try tryScenario(try ScenarioLibrary().scenario(source)))
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
      case .undo: return .said(try lab.undo().map { "Undone: \($0)" } ?? "Nothing to undo.")
      case .redo: return .said(try lab.redo().map { "Redone: \($0)" } ?? "Nothing to redo.")
      case .export(let id, let form):
        guard let trace = try lab.read({ try $0.traces.trace(id) }) else {
          return .noted(Notice(text: "This trace is no longer in the store.", kind: .bad))
        }
        return .noted(Notice(text: try SSOTermApp.export(trace, as: form), kind: .good))
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
  /// While its server is away, keys are not held: a change that is asked for meanwhile would be made unseen.
  fileprivate init(anotherWaitsSince since: String) {
    self.init(
      what: "Nothing was changed.",
      why: "Another change waits for the lab's server, which has not answered since \(since).")
  }
}
