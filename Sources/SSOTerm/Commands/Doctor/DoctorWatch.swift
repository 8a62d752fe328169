import Essentials

/// `ssoterm doctor --watch`: judges again when a file of the projects changes, and prints if the answer is another.
///
/// `q` or ^C ends it.
struct DoctorWatch {
  let console: Console
  let judge: () throws -> String
  private let watch: FolderWatch
  private let keys = WatchKeys()

  /// - Returns: nil if no folder can be watched.
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
      // A file that is just being written is no reason to end.
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

  /// - Returns: how the command ends; nil if something has changed.
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
