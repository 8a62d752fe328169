import Dispatch
import Essentials
import SSOCore
import SSODoctor
import SSOScenarios
import TerminalUI

/// The progress of a demo: a private file, written with each step, which `ssoterm notes` follows in another terminal.
package struct DemoProgress: Codable, Equatable, Sendable {
  package struct Step: Codable, Equatable, Sendable {
    package var title: String
    package var note: String
    /// Whether the step passed, or `nil` if it was not run.
    package var passed: Bool?
  }

  /// The process that shows the demo.
  package var process: MachineProcess
  package var name: String
  package var title: String
  package var note: String
  package var steps: [Step]
  /// The number of the current step, or 0 before the first.
  package var present: Int
  /// Whether the current step is still running.
  package var isAsking: Bool
  package var startedAt: Instant
  /// The time at which the current step began.
  package var stepAt: Instant

  init(_ demo: Demo, startedAt: Instant, stepAt: Instant) {
    (process, name, title, note) = (.own, demo.name, demo.title, demo.note)
    (present, isAsking) = (demo.present, demo.execution != nil)
    steps = demo.steps.enumerated().map { index, step in
      let passed = index < demo.reports.count ? demo.reports[index].passed : nil
      return Step(title: step.title, note: step.note, passed: passed)
    }
    (self.startedAt, self.stepAt) = (startedAt, stepAt)
  }

  package var next: Step? { present < steps.count ? steps[present] : nil }

  /// Returns the path of the demos' file, which is in the folder for session files, or else beside the default store.
  package static func path(_ variable: (String) -> String? = StandardStreams.variable) -> String {
    if let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
      return folder + "/ssoterm-demo.json"
    }
    return folder(of: defaultStorePath(variable)) + "/demo.json"
  }

  /// Returns the running demo that has progressed most recently, or `nil` if no demo is running.
  package static func read(_ path: String) -> DemoProgress? { all(path).last }

  /// Returns the running demos, in the order in which they progressed.
  static func all(_ path: String) -> [DemoProgress] {
    let data = FileManager.default.contents(atPath: path)
    let all = data.flatMap { try? decodeJSON([DemoProgress].self, from: $0) } ?? []
    // Ignore what a killed process left behind. Several machines may share a home folder.
    return all.filter { $0.process.isRunning == true }
  }

  /// Returns whether both belong to the same run of a demo, because a demo may be started from another one.
  fileprivate func isSameDemo(as other: DemoProgress) -> Bool {
    process == other.process && startedAt == other.startedAt && name == other.name
  }
}

/// A type that keeps the file of a demo up to date, and removes it at the end.
///
/// A demo without a file continues, but `ssoterm notes` then has nothing to show. The screens do not wait for the file.
struct DemoProgressFile {
  static let writing = DispatchQueue(label: "ssoterm.demo-progress")

  private let path: String
  private let startedAt = StandardStreams.now()
  private var last: DemoProgress?

  init(path: String = DemoProgress.path()) { self.path = path }

  /// Writes the file if the demo has progressed since the last time.
  mutating func keep(_ demo: Demo) {
    let isSame =
      last.map {
        $0.name == demo.name && $0.present == demo.present && $0.isAsking == (demo.execution != nil)
      }
    guard isSame != true else { return }
    let isSameStep = last?.present == demo.present
    let stepAt = isSameStep ? last?.stepAt ?? startedAt : StandardStreams.now()
    let progress = DemoProgress(demo, startedAt: startedAt, stepAt: stepAt)
    last = progress
    let path = path
    Self.writing.async {
      writeBesideStore(DemoProgress.all(path).filter { !$0.isSameDemo(as: progress) } + [progress], to: path)
    }
  }

  /// Removes this demo from the file.
  ///
  /// The demos of other processes stay in it.
  func remove() {
    guard let last else { return }
    Self.writing.sync {
      let others = DemoProgress.all(path).filter { !$0.isSameDemo(as: last) }
      guard others.isEmpty else { return writeBesideStore(others, to: path) }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}

/// Returns the notes for the speaker of a demo: the step's note, the next step with its note, and the time.
///
/// `progress` is `nil` if no demo is running. Lines are wrapped at `width`.
package func notesText(_ progress: DemoProgress?, now: Instant, width: Int, _ ink: TextInk) -> [String] {
  guard let progress else {
    return [
      ink.draw("No demo is running."),
      ink.draw("Start one in another terminal: ssoterm demo two-vendors", .faint),
    ]
  }
  let since = Instant(max(0, progress.startedAt.seconds(until: now))).timeOfDay
  let step = Instant(max(0, progress.stepAt.seconds(until: now))).timeOfDay
  func block(_ head: String, _ note: String) -> [String] {
    wrapped(head, width).map { ink.draw($0, .strong) } + wrapped(note, width).map { ink.draw($0) }
  }
  var lines = [ink.draw("\(progress.name)  \(since)  this step \(step)", .faint), ""]
  if progress.present == 0 {
    lines += block(progress.title, progress.note)
  } else {
    let shown = progress.steps[progress.present - 1]
    let result =
      switch shown.passed {
      case true?: "✓ as expected"
      case false?: "✗ not as expected"
      case nil: "… asks now"
      }
    lines += block("Step \(progress.present) of \(progress.steps.count): \(shown.title)", shown.note)
    lines.append(ink.draw(result, shown.passed == true ? .good : .warning))
  }
  guard let next = progress.next else { return lines + ["", ink.draw("That was the last step.", .faint)] }
  return lines + [""] + block("Next: \(next.title)", next.note)
}
