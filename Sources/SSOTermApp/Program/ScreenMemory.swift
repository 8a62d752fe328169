import Dispatch
import Essentials
import SSOCore
import SSODoctor
import TerminalUI

/// The choices on the screens that the next start remembers: a private file beside the default store.
///
/// The settings file is the user's own, so the program never writes to it. A theme that it names has precedence.
struct ScreenMemory: Codable, Equatable, Sendable {
  private(set) var hasMouse: Bool?
  /// Whether the guide through the first minute was followed to its end, or closed.
  private(set) var isCoached: Bool?
  private(set) var theme: String?
  /// Whether this run has shown the guide.
  private var coaches = false

  private enum CodingKeys: String, CodingKey { case hasMouse, isCoached, theme }

  private static let writing = DispatchQueue(label: "ssoterm.screen-memory")

  static func path(_ variable: (String) -> String? = StandardStreams.variable) -> String {
    folder(of: defaultStorePath(variable)) + "/screens.json"
  }

  /// Reads the choices, or returns none if there is no file or its contents are not valid.
  static func read(_ path: String = path()) -> ScreenMemory {
    FileManager.default.contents(atPath: path).flatMap { try? decodeJSON(ScreenMemory.self, from: $0) }
      ?? ScreenMemory()
  }

  /// The theme that was chosen, or `nil` if no theme has this name.
  var chosenTheme: Theme? { theme.flatMap(Theme.init) }

  /// Takes the choices from the model, and writes them if one has changed.
  ///
  /// The screens do not wait for the file.
  mutating func keep(_ model: AppModel) {
    if model.shared.coach != nil { coaches = true }
    var new = self
    new.hasMouse = model.hasMouse ? nil : false
    if let theme = model.theme { new.theme = theme.rawValue }
    if coaches, model.shared.coach == nil { new.isCoached = true }
    guard new != self else { return }
    self = new
    let (kept, path) = (new, Self.path())
    Self.writing.async { writeBesideStore(kept, to: path) }
  }

  /// Waits until the file is written, because the program is about to end.
  static func finish() { writing.sync {} }
}
