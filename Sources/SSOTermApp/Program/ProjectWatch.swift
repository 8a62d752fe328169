import Essentials
import Synchronization

/// Tells when files of the projects that were judged change.
///
/// Nothing polls: a thread sleeps until something happens.
final class ProjectWatch: Sendable {
  private struct State {
    var watch: FolderWatch?
    var changed: @Sendable () -> Void = {}
  }
  private let state = Mutex(State())

  /// Called on any thread.
  var changed: @Sendable () -> Void {
    get { state.withLock(\.changed) }
    set { state.withLock { $0.changed = newValue } }
  }

  /// Watches these too, until the program ends; new folders of a project that was judged before are noticed so.
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
