import Essentials

/// Runs a scenario in a separate lab, and collects the evidence for its verdict: the trace of each step, and the final
/// Apps screen as text.
/// - Throws: `LabError` if the world cannot be created, and `StoreError`. A step that fails is part of the result.
package func tryScenario(_ file: ScenarioFile) throws -> TrialResult {
  let start = ContinuousClock.now
  let lab = try Lab.temporary(file)
  let report = lab.run(file)
  let (seconds, attoseconds) = start.duration(to: .now).components
  var evidence: [TrialResult.Evidence] = []
  for step in report.steps {
    guard let id = step.traceID, let trace = try lab.read({ try $0.traces.trace(id) }) else { continue }
    evidence.append(.init(name: "trace of step \(step.index)", text: traceText(trace, Ink())))
  }
  evidence.append(
    .init(name: "screen at the end", text: OffscreenSession(lab, title: file.name).picture.text()))
  return TrialResult(
    report.passed ? .passed : .failed, at: StandardStreams.now(),
    milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000), report: report,
    evidence: evidence)
}

extension TrialRun.Item {
  package init(_ file: ScenarioFile) { self.init(name: file.name, title: file.title, claims: file.claims) }

  package init(_ item: ChecklistFile.Item) {
    switch item {
    case .scenario(let file): self.init(file)
    case .manual(let text, let expect): self.init(name: text, title: expect)
    }
  }
}

extension TrialRun {
  /// Returns the environment of the run: the build under test and the user, if they are known, the program, and the
  /// system.
  package static func environment(build: String?, person: String?) -> [(name: String, value: String)] {
    var system = utsname()
    uname(&system)
    func text<Field>(_ field: Field) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let words = [text(system.sysname), text(system.release), text(system.machine)].joined(separator: " ")
    let user = person ?? StandardStreams.variable("USER") ?? ""
    return [
      ("build under test", build ?? ""), ("person", user), ("ssoterm", programVersion), ("system", words),
    ]
    .filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
  }
}
