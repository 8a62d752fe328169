import ArgumentParser
import Essentials
import SSOCore
import SSOStore
import SSOTermApp

/// `ssoterm notes`: shows the speaker's notes of a demo that runs in another terminal.
struct NotesCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "notes",
    "Show the notes of the demo that is running in another terminal: this step, the next one, and the time.",
    examples: ["ssoterm notes"],
    after:
      "Follows the demo until you press q. With --json or in a pipe, prints the current notes once; exit code 3 if no demo is running."
  )

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  func perform(on console: Console) throws -> ExitStatus {
    let path = DemoProgress.path()
    let isTerminal = StandardStreams.isTerminal(StandardStreams.output)
    guard !console.json, isTerminal, var follower = NotesFollower(path, console) else {
      let progress = DemoProgress.read(path)
      try console.show(["demo": progress.map(JSONValue.init) ?? .null]) {
        notesText(progress, now: StandardStreams.now(), width: 80, console.ink).joined(separator: "\n")
      }
      return progress == nil ? .nothingMatched : .done
    }
    return follower.run()
  }
}

/// A follower of a demo's file, which redraws every second if the terminal can, or else prints a block for each step.
struct NotesFollower {
  private let path: String
  private let console: Console
  private let watch: FileWatch
  private let keys = WatchKeys()
  private var last: [String] = []

  /// - Returns: `nil` if the folder of the file cannot be watched.
  init?(_ path: String, _ console: Console) {
    guard let watch = FileWatch(path: path) else { return nil }
    (self.path, self.console, self.watch) = (path, console, watch)
  }

  mutating func run() -> ExitStatus {
    defer { keys.end() }
    while console.troubles.output == nil {
      show()
      if let end = wait() { return end }
    }
    return .done
  }

  private mutating func show() {
    let size = terminalSize()
    let progress = DemoProgress.read(path)
    let lines = notesText(progress, now: StandardStreams.now(), width: min(72, size.width - 2), console.ink)
    guard !console.canShowScreens else {
      let text = (lines + ["", console.ink.draw("Press q to quit.", .faint)]).prefix(size.height).map {
        " " + $0
      }
      return console.print("\u{1B}[H\u{1B}[2J" + text.joined(separator: "\r\n"), terminator: "")
    }
    // Ignore changes of the line with the time.
    guard Array(lines.dropFirst()) != last else { return }
    last = Array(lines.dropFirst())
    console.print(lines.joined(separator: "\n") + "\n")
  }

  /// - Returns: the exit status if the command ends, or `nil` if there is something to show.
  private func wait() -> ExitStatus? {
    switch keys.wait(for: watch.descriptor, milliseconds: console.canShowScreens ? 1000 : -1) {
    case .changed: watch.takeChange() == nil ? .done : nil
    case .timeout: nil
    case .end(let status): status
    }
  }

  private func terminalSize() -> (width: Int, height: Int) {
    var size = winsize()
    guard ioctl(StandardStreams.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}

extension JSONValue {
  fileprivate init(_ progress: DemoProgress) {
    self = [
      "name": .string(progress.name), "title": .string(progress.title), "note": .string(progress.note),
      "present": .count(progress.present), "startedAt": .moment(progress.startedAt),
      "stepAt": .moment(progress.stepAt),
      "steps": .array(
        progress.steps.map {
          [
            "title": .string($0.title), "note": .string($0.note),
            "passed": $0.passed.map { .bool($0) } ?? .null,
          ]
        }),
    ]
  }
}
