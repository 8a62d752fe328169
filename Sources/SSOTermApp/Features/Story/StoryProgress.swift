import Dispatch
import Essentials

/// How far a demo is: a file of the person's own, written with each step, which `ssoterm notes` follows in another terminal.
package struct StoryProgress: Codable, Equatable, Sendable {
  package struct Step: Codable, Equatable, Sendable {
    package var title: String
    package var note: String
    /// nil until it was run.
    package var passed: Bool?
  }

  /// The process that shows the demo.
  package var process: MachineProcess
  package var name: String
  package var title: String
  package var note: String
  package var steps: [Step]
  /// The number of the step that is shown; 0 before the first.
  package var present: Int
  /// Whether that step still asks.
  package var isAsking: Bool
  package var startedAt: Instant
  /// When the step that is shown began.
  package var stepAt: Instant

  init(_ story: Story, startedAt: Instant, stepAt: Instant) {
    (process, name, title, note) = (.own, story.name, story.title, story.note)
    (present, isAsking) = (story.present, story.execution != nil)
    steps = story.steps.enumerated().map { index, step in
      let passed = index < story.reports.count ? story.reports[index].passed : nil
      return Step(title: step.title, note: step.note, passed: passed)
    }
    (self.startedAt, self.stepAt) = (startedAt, stepAt)
  }

  package var next: Step? { present < steps.count ? steps[present] : nil }

  /// Where demos leave it: in the folder for the files of a session, else beside the usual store.
  package static func path(_ variable: (String) -> String? = StandardStreams.variable) -> String {
    if let folder = variable("XDG_RUNTIME_DIR"), folder.hasPrefix("/") {
      return folder + "/ssoterm-demo.json"
    }
    let store = storePath(option: nil) { $0 == "SSOTERM_STORE" ? nil : variable($0) }
    return folder(of: store) + "/demo.json"
  }

  /// Of the demos that run now the one that went on last; nil if none runs.
  package static func read(_ path: String) -> StoryProgress? { all(path).last }

  /// The demos that run now, in the order in which they went on.
  static func all(_ path: String) -> [StoryProgress] {
    let data = FileManager.default.contents(atPath: path)
    let all = data.flatMap { try? decodeJSON([StoryProgress].self, from: $0) } ?? []
    // What a process left that was killed is of no demo; a home folder may be that of several machines.
    return all.filter { $0.process.isRunning == true }
  }

  /// Whether both are of the same run of a demo: a demo may be started from another one.
  fileprivate func isSameDemo(as other: StoryProgress) -> Bool {
    process == other.process && startedAt == other.startedAt && name == other.name
  }
}

/// Keeps the file of a demo up to date, and takes it away at its end.
///
/// A demo without one goes on: only `ssoterm notes` has nothing to show then. The screens do not wait for it.
struct StoryProgressFile {
  static let writing = DispatchQueue(label: "ssoterm.story-progress")

  private let path: String
  private let startedAt = StandardStreams.now()
  private var last: StoryProgress?

  init(path: String = StoryProgress.path()) { self.path = path }

  /// Writes if the story has gone on since the last time.
  mutating func keep(_ story: Story) {
    let isSame =
      last.map {
        $0.name == story.name && $0.present == story.present && $0.isAsking == (story.execution != nil)
      }
    guard isSame != true else { return }
    let isSameStep = last?.present == story.present
    let stepAt = isSameStep ? last?.stepAt ?? startedAt : StandardStreams.now()
    let progress = StoryProgress(story, startedAt: startedAt, stepAt: stepAt)
    last = progress
    let path = path
    Self.writing.async {
      try? FileManager.default.createDirectory(
        atPath: folder(of: path), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      Self.write(StoryProgress.all(path).filter { !$0.isSameDemo(as: progress) } + [progress], to: path)
    }
  }

  /// Demos that other processes show stay in the file.
  func remove() {
    guard let last else { return }
    Self.writing.sync {
      let others = StoryProgress.all(path).filter { !$0.isSameDemo(as: last) }
      guard others.isEmpty else { return Self.write(others, to: path) }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private static func write(_ all: [StoryProgress], to path: String) {
    try? writeFile(encodeJSON(all), to: path)
  }
}
