/// What a running scenario needs of a lab, and nothing else: tests put closures there, the program its lab.
public struct ScenarioStage {
  public var perform: (Intent, [Answer]) throws -> Performance
  public var undo: () throws -> String?
  public var redo: () throws -> String?
  public var trace: (Int64) throws -> Trace?
  public var tokens: () throws -> [TokenRow]
  public var items: (_ group: String) throws -> [KeychainItemRow]
  /// The apps as the Apps screen shows them.
  public var apps: () throws -> [AppRow]
  public var tree: () throws -> TokenTree?
  public var blastRadius: ((Intent) throws -> BlastRadius)?

  public init(
    perform: @escaping (Intent, [Answer]) throws -> Performance,
    undo: @escaping () throws -> String? = { nil }, redo: @escaping () throws -> String? = { nil },
    trace: @escaping (Int64) throws -> Trace? = { _ in nil },
    tokens: @escaping () throws -> [TokenRow] = { [] },
    items: @escaping (_ group: String) throws -> [KeychainItemRow] = { _ in [] },
    apps: @escaping () throws -> [AppRow] = { [] },
    tree: @escaping () throws -> TokenTree? = { nil },
    blastRadius: ((Intent) throws -> BlastRadius)? = nil
  ) {
    self.perform = perform
    self.undo = undo
    self.redo = redo
    self.trace = trace
    self.tokens = tokens
    self.items = items
    self.apps = apps
    self.tree = tree
    self.blastRadius = blastRadius
  }
}

extension ScenarioFile {
  /// Tells the whole story. A step that fails does not end it: what comes after shows how far the
  /// damage goes.
  public func run(on stage: ScenarioStage) -> ScenarioReport {
    let reports = steps.enumerated().map { $1.run(on: stage, index: $0 + 1) }
    return ScenarioReport(
      name: name, title: title, claims: claims, steps: reports, passed: reports.allSatisfy(\.passed))
  }
}

extension ScenarioStep {
  public func run(on stage: ScenarioStage, index: Int) -> StepReport {
    var evidence = StepEvidence()
    do {
      try act(on: stage, &evidence)
      try collect(from: stage, &evidence)
    } catch {
      evidence.refusal = "\(error)"
    }
    let mismatches = expectation.judge(evidence)
    return StepReport(
      index: index, title: title, note: note, passed: mismatches.isEmpty, mismatches: mismatches,
      traceID: evidence.traceID)
  }

  private func act(on stage: ScenarioStage, _ evidence: inout StepEvidence) throws {
    switch action {
    case .undo:
      if try stage.undo() == nil { evidence.refusal = "nothing to undo" }
    case .redo:
      if try stage.redo() == nil { evidence.refusal = "nothing to redo" }
    case .credentials(let change, let selector):
      let ids = try stage.tokens().filter(selector.matches).map(\.id)
      guard !ids.isEmpty else {
        evidence.refusal = "no credential to \(change.rawValue)"
        return
      }
      try converse(change.intent(ids), on: stage, &evidence)
    case .intent(let intent):
      try converse(intent, on: stage, &evidence)
    }
  }

  /// Performs an intent again and again, each time with one answer more, until nothing is asked.
  private func converse(_ intent: Intent, on stage: ScenarioStage, _ evidence: inout StepEvidence) throws {
    if !expectation.losses.isEmpty { evidence.losses = try stage.blastRadius?(intent).losses ?? [] }
    var answerer = PromptAnswerer(answers)
    var given: [Answer] = []
    // Seven prompts are the longest flow there is; a flow that does not end must not hang a test run.
    for _ in 0..<16 {
      let performance = try stage.perform(intent, given)
      guard case .needs(let prompt, _) = performance else { return evidence.note(performance) }
      if case .chooseAccount(let picker) = prompt { evidence.presentation = picker.presentation }
      let kind = PromptKind(prompt)
      if evidence.prompts.last != kind { evidence.prompts.append(kind) }
      guard let answer = answerer.answer(prompt) else {
        evidence.unanswered = kind
        return
      }
      given.append(answer)
    }
    evidence.refusal = "the flow asked 16 times and did not end"
  }

  private func collect(from stage: ScenarioStage, _ evidence: inout StepEvidence) throws {
    if let id = evidence.traceID {
      let hops = try stage.trace(id)?.hops ?? []
      evidence.checks = hops.flatMap(\.checks)
      evidence.reached = Set(hops.map(\.to))
    }
    for group in Set(expectation.items.map(\.group)) { evidence.items[group] = try stage.items(group) }
    if !expectation.tree.isEmpty { evidence.tree = try stage.tree() }
    guard !expectation.accounts.isEmpty || !expectation.next.isEmpty else { return }
    for row in try stage.apps() {
      evidence.accounts[row.bundleID] = row.accounts
      evidence.next[row.bundleID] = row.next.kind
    }
  }
}

extension StepEvidence {
  fileprivate mutating func note(_ performance: Performance) {
    switch performance {
    case .done(let outcome, let traceID):
      self.outcome = outcome
      self.traceID = traceID
    case .needs(let prompt, _):
      unanswered = PromptKind(prompt)
    }
  }
}

extension CredentialChange {
  fileprivate func intent(_ ids: [String]) -> Intent {
    switch self {
    case .expire: .expire(credentials: ids)
    case .invalidate: .invalidate(credentials: ids)
    case .delete: .delete(credentials: ids)
    }
  }
}
