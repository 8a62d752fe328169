import Foundation
import Testing

@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp
@testable import TerminalUI

/// A user at the screens of a lab, who sees only what is drawn and acts only by keys.
///
/// Every call is one thing that the user does or sees, so a test reads like a manual:
///
///     lab.screen(.apps).select("My Test App 2").press("s").sees("from the cache")
///
/// If the environment variable `SSOTERM_JOURNEYS` names a folder, each journey is saved there as a terminal recording, at
/// a pace that can be followed. `Scripts/journey` plays one, and `Scripts/pictures` makes the animations of the
/// documentation from them.
final class RobotUser {
  private var session: OffscreenSession
  private var recording: Asciicast

  /// Milliseconds that a recording shows a screen before the next key.
  private static let pace = 1200

  /// Opens the screens on a new lab of a scenario, named `scenario`.
  convenience init(_ scenario: String, size: Size = Size(width: 100, height: 30)) throws {
    try self.init(ScenarioLibrary().scenario(scenario), title: scenario, size, isDemo: false)
  }

  /// Opens the screens on a demo, which has steps.
  convenience init(demo name: String, size: Size = Size(width: 100, height: 30)) throws {
    try self.init(ScenarioLibrary().scenario(name), title: "demo " + name, size, isDemo: true)
  }

  private init(_ file: ScenarioFile, title: String, _ size: Size, isDemo: Bool) throws {
    var session = OffscreenSession(try Lab.temporary(file), title: file.name, size: size)
    if isDemo { session.model.screens.demo.show(file, &session.model.shared) }
    // A large window reads more of the lab.
    session.take(.event(.resize(width: size.width, height: size.height)))
    self.session = session
    recording = Asciicast(size: size, title: title)
    show()
  }

  private func show() { recording.show(picture, forMilliseconds: Self.pace) }

  // MARK: What the user does

  /// Presses the number of a screen.
  @discardableResult func screen(_ screen: KeyContext, at place: SourceLocation = #_sourceLocation) -> Self {
    guard let number = Place.tabs.firstIndex(of: Place(screen)) else {
      Issue.record("No key opens this screen.", sourceLocation: place)
      return self
    }
    press(String(number + 1))
    #expect(session.model.place.screen == screen, sourceLocation: place)
    return self
  }

  /// Moves down from the first row until the text is on the selected row, as a user would who looks for it.
  @discardableResult func select(_ text: String, at place: SourceLocation = #_sourceLocation) -> Self {
    session.press("g")
    for _ in 0..<200 {
      if selectedRow.contains(text) {
        show()
        return self
      }
      let before = selectedRow
      session.press("j")
      if selectedRow == before { break }
    }
    Issue.record("No row that can be selected contains “\(text)”:\n\(picture.text())", sourceLocation: place)
    return self
  }

  /// Presses a key for each character, and shows the screen after the last one.
  @discardableResult func press(_ characters: String) -> Self {
    session.press(characters)
    show()
    return self
  }

  @discardableResult func press(_ presses: KeyPress...) -> Self {
    for key in presses {
      session.press(key)
      show()
    }
    return self
  }

  /// Pastes a text into the terminal.
  @discardableResult func paste(_ text: String) -> Self {
    session.take(.event(.paste(text)))
    show()
    return self
  }

  // MARK: What the user sees

  /// Expects each text somewhere on the screen.
  @discardableResult func sees(_ texts: String..., at place: SourceLocation = #_sourceLocation) -> Self {
    let screen = self.text
    for text in texts {
      #expect(
        screen.contains(text), "“\(text)” is not on the screen:\n\(picture.text())", sourceLocation: place)
    }
    return self
  }

  /// Expects that a text is not on the screen.
  @discardableResult func doesNotSee(_ text: String, at place: SourceLocation = #_sourceLocation) -> Self {
    #expect(
      !self.text.contains(text), "“\(text)” is on the screen:\n\(picture.text())",
      sourceLocation: place)
    return self
  }

  private var picture: Grid { session.picture }

  /// The words of the screen, with the frame's lines and line breaks as single spaces: a sentence may be wrapped.
  private var text: String {
    picture.text().split { $0.isWhitespace || "│┃".contains($0) }.joined(separator: " ")
  }

  /// The row with the terminal's cursor, where a screen reader reads.
  private var selectedRow: String {
    let grid = picture
    guard let y = grid.cursor?.y else { return "" }
    return grid.text().split(separator: "\n", omittingEmptySubsequences: false)[y].description
  }

  // MARK: The recording

  /// Compares the recording with that of the documentation's animation of this name, if there is one, and saves it if
  /// `SSOTERM_JOURNEYS` names a folder.
  ///
  /// - Throws: The error of the file system.
  func end(as name: String) throws {
    recording.end()
    guard let folder = ProcessInfo.processInfo.environment["SSOTERM_JOURNEYS"] else {
      let support = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      let file = support.appendingPathComponent("../../../docs/pictures/\(name).txt")
      if let text = try? String(contentsOf: file, encoding: .utf8), text.contains("\nrecording ") {
        let isOfToday = text.contains("\nrecording " + sha256Hex(recording.text))
        #expect(isOfToday, "the animation is not of today's program; run Scripts/pictures \(name)")
      }
      return
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(recording.text.utf8).write(to: URL(fileURLWithPath: folder + "/\(name).cast"))
  }
}
