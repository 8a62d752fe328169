/// What a running scenario needs of a lab, and nothing else: tests put closures there, the program its lab.
package struct ScenarioStage {
  package var perform: (Intent, [Answer]) throws -> Performance
  package var undo: () throws -> String?
  package var redo: () throws -> String?
  package var trace: (Int64) throws -> Trace?
  package var tokens: () throws -> [TokenRow]
  package var items: (_ group: String) throws -> [KeychainItemRow]
  /// The apps as the Apps screen shows them.
  package var apps: () throws -> [AppRow]
  package var broker: () throws -> BrokerStorage?
  package var tree: () throws -> TokenTree?
  package var blastRadius: ((Intent) throws -> BlastRadius)?

  package init(
    perform: @escaping (Intent, [Answer]) throws -> Performance,
    undo: @escaping () throws -> String? = { nil }, redo: @escaping () throws -> String? = { nil },
    trace: @escaping (Int64) throws -> Trace? = { _ in nil },
    tokens: @escaping () throws -> [TokenRow] = { [] },
    items: @escaping (_ group: String) throws -> [KeychainItemRow] = { _ in [] },
    apps: @escaping () throws -> [AppRow] = { [] },
    broker: @escaping () throws -> BrokerStorage? = { nil },
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
    self.broker = broker
    self.tree = tree
    self.blastRadius = blastRadius
  }
}

extension ScenarioFile {
  /// Tells the whole story. A step that fails does not end it: what comes after shows how far the
  /// damage goes.
  package func run(on stage: ScenarioStage) -> ScenarioReport {
    let reports = steps.enumerated().map { $1.run(on: stage, index: $0 + 1) }
    return ScenarioReport(
      name: name, title: title, claims: claims, steps: reports, passed: reports.allSatisfy(\.passed))
  }
}

extension ScenarioStep {
  /// Tells the step with the answers it brings along.
  package func run(on stage: ScenarioStage, index: Int) -> StepReport {
    var execution = StepExecution(self, index: index)
    if let intent = execution.start(on: stage) { execution.converse(intent, on: stage) }
    return execution.report(on: stage)
  }
}
