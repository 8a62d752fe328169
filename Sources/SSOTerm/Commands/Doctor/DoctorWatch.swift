import Essentials

/// `ssoterm doctor --watch`: checks again when a file of the projects changes, and prints the result if it is
/// different.
///
/// Press `q` or ^C to end it.
struct DoctorWatch {
  let console: Console
  let judge: () throws -> String
  private let watch: FolderWatch
  private let keys = WatchKeys()

  /// - Returns: `nil` if no folder can be watched.
  init?(_ paths: [String], _ console: Console, judge: @escaping () throws -> String) {
    guard let watch = FolderWatch(folders: ProjectFiles.watched(paths)) else { return nil }
    self.console = console
    self.judge = judge
    self.watch = watch
  }

  func run() throws -> ExitStatus {
    defer { keys.end() }
    var last: String?
    while console.troubles.output == nil {
      // Do not end because of a file that is still being written.
      let text: String
      do { text = try judge() } catch let failure as CommandFailure { text = failure.text }
      if text != last {
        let head = console.ink.draw(StandardStreams.now().iso8601, .faint)
        console.print((last == nil ? [text] : ["", head, text]).joined(separator: "\n"))
      }
      last = text
      if let end = waitForChange() { return end }
    }
    return .done
  }

  /// - Returns: the exit status if the command ends, or `nil` if something has changed.
  private func waitForChange() -> ExitStatus? {
    var hasChanged = false
    while true {
      switch keys.wait(for: watch.descriptor, milliseconds: hasChanged ? FolderWatch.quiet : -1) {
      case .changed: watch.takeChanges()
      case .timeout: return nil
      case .end(let status): return status
      }
      hasChanged = true
    }
  }
}
