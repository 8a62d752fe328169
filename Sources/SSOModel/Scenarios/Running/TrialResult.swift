/// The result of one item of a checklist: a scenario that was run, or a manual item that a user checked.
package struct TrialResult: Hashable, Sendable {
  package enum Verdict: String, CaseIterable, Sendable { case passed, failed, skipped }

  /// A text by which a verdict can be checked later.
  package struct Evidence: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
  }

  package var verdict: Verdict
  /// The user's note, or the reason that the item was skipped.
  package var remark: String
  /// The time of the verdict, by the machine's clock.
  package var at: Instant
  package var milliseconds: Int
  /// The steps of a scenario, or `nil` for a manual item.
  package var report: ScenarioReport?
  package var evidence: [Evidence]

  package init(
    _ verdict: Verdict, remark: String = "", at: Instant, milliseconds: Int = 0,
    report: ScenarioReport? = nil,
    evidence: [Evidence] = []
  ) {
    (self.verdict, self.remark, self.at, self.milliseconds) = (verdict, remark, at, milliseconds)
    (self.report, self.evidence) = (report, evidence)
  }
}

/// Items with their results, and the environment in which they were tested, from which a report is written.
package struct TrialRun: Hashable, Sendable {
  /// A scenario or a manual step.
  package struct Item: Hashable, Sendable {
    /// The scenario's name, or the manual step.
    package var name: String
    /// The scenario's title, or what a user should see.
    package var title: String
    package var claims: [String]
    /// The result, or `nil` while the item is open.
    package var result: TrialResult?

    package init(name: String, title: String, claims: [String] = [], result: TrialResult? = nil) {
      (self.name, self.title, self.claims, self.result) = (name, title, claims, result)
    }
  }

  package var title: String
  package var startedAt: Instant
  /// Names and values of the environment: the build under test, the user, the version, and the system.
  package var environment: [(name: String, value: String)] {
    get { fields.map { ($0[0], $0[1]) } }
    set { fields = newValue.map { [$0.name, $0.value] } }
  }
  private var fields: [[String]] = []
  package var items: [Item]

  package init(title: String, startedAt: Instant, items: [Item]) {
    (self.title, self.startedAt, self.items) = (title, startedAt, items)
  }

  package func count(_ verdict: TrialResult.Verdict) -> Int { items.count { $0.result?.verdict == verdict } }
  package var milliseconds: Int { items.reduce(0) { $0 + ($1.result?.milliseconds ?? 0) } }
}
