import Essentials
import Synchronization

/// A watch that reports changes to the files of the checked projects.
///
/// It does not poll: a thread sleeps until something happens.
final class ProjectWatch: Sendable {
  private struct State {
    var watch: FolderWatch?
    var changed: @Sendable () -> Void = {}
  }
  private let state = Mutex(State())

  /// The closure to call after a change, on any thread.
  var changed: @Sendable () -> Void {
    get { state.withLock(\.changed) }
    set { state.withLock { $0.changed = newValue } }
  }

  /// Adds projects to watch until the program ends.
  ///
  /// Adding a project again includes its new folders.
  func follow(_ paths: [String]) {
    let folders = ProjectFiles.watched(paths)
    state.withLock { state in
      if let watch = state.watch { return watch.add(folders) }
      guard let watch = FolderWatch(folders: folders) else { return }
      state.watch = watch
      detachThread { [self] in
        while watch.waitForChange() { changed() }
      }
    }
  }
}
