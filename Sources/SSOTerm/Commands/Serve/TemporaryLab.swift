import Essentials

/// A lab in a new store, in a folder that only the user can read.
///
/// Both are deleted with this object.
final class TemporaryLab {
  let lab: Lab
  private let folder: String

  init() throws {
    var name = Array((FileManager.default.temporaryDirectory.path + "/ssoterm-run-XXXXXX").utf8CString)
    guard let made = mkdtemp(&name) else {
      throw CommandFailure(
        status: .storeUnusable, kind: "store", what: "There is no room for a temporary store.",
        why: SystemError(code: errno).words, next: "TMPDIR=FOLDER ssoterm run -- COMMAND")
    }
    folder = String(cString: made)
    do {
      lab = try Lab.open(
        .file(path: folder + "/store.sqlite"),
        creating: { try ScenarioLibrary.ofProgram.scenario(ScenarioLibrary.usual) }
      ).lab
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}
