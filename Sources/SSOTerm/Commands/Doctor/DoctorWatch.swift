import Foundation

/// `ssoterm doctor --watch`: judges again when a file of the projects changes, and prints if the answer is another.
///
/// `q` or ^C ends it.
struct DoctorWatch {
  let console: Console
  let judge: () throws -> String
  private let watch: FolderWatch
  private let keys = KeyByKey()

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
      var polled = [
        pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: keys.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, 2, hasChanged ? FolderWatch.quiet : -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return hasChanged ? nil : .done }
      if polled[1].revents != 0 {
        switch keys.next() {
        case 0x03: return .cancelled
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), nil: return .done
        default: continue
        }
      }
      watch.takeChanges()
      hasChanged = true
    }
  }
}
