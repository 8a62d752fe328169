import SSOCore
import TerminalUI
import Testing

@testable import LabTestSupport
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

/// The screens on a real lab, without a terminal, and the intents that their keys perform.
struct LabByKeys {
  let lab: Lab
  private var session: OffscreenSession

  /// The intents that the keys have performed, in order.
  private(set) var performed: [(intent: AnyIntent, outcome: Outcome)] = []

  init(_ scenario: String, on engine: TestEngine = .sqlite) throws {
    self.init(try engine.lab(try ScenarioLibrary().scenario(scenario)), title: scenario)
  }

  /// Creates a demo, with the scenario in the screens.
  init(_ file: ScenarioFile) throws {
    self.init(try Lab.temporary(file), title: file.name)
    session.model.screens.demo.show(file, &session.model.shared)
  }

  init(_ lab: Lab, title: String) {
    self.lab = lab
    session = OffscreenSession(lab, title: title, size: Size(width: 80, height: 24))
  }

  var model: AppModel {
    get { session.model }
    _modify { yield &session.model }
  }

  /// Presses a key for each character.
  ///
  /// A carriage return is Enter.
  mutating func press(_ keys: String) { note(session.press(keys)) }

  mutating func press(_ key: KeyPress) { note(session.press(key)) }

  mutating func take(_ message: Message) { note(session.take(message)) }

  private mutating func note(_ results: [Message]) {
    for case .performed(let intent, _, .done(let outcome, _)) in results {
      performed.append((intent, outcome))
    }
  }

  /// Signs the first user in to the selected app, on the provider's pages.
  mutating func signIn() {
    press("i")
    answerPages()
  }

  /// Fills in the provider's pages, and consents.
  mutating func answerPages() {
    for _ in 0..<8 {
      guard model.topDialog(PromptDialog.self) != nil else { return }
      press(.control("t"))
      press(.enter)
    }
  }

  var text: String { FrameSample("", model).frame(Size(width: 120, height: 40)).text() }

  /// Returns the model of the screens for the suite after these keys.
  ///
  /// The scenario sets the time, so every run shows the same.
  ///
  /// If `isWide` is true, the data that only a large window shows has been read too.
  ///
  /// If `isSignedIn` is true, Ada is signed in to the first app, and the second app has acquired its token silently.
  static func suite(_ keys: String, isSignedIn: Bool = true, isReadOnly: Bool = false, isWide: Bool = false)
    -> AppModel
  {
    do {
      var lab = try LabByKeys("contoso-suite")
      if isSignedIn {
        lab.signIn()
        lab.press("jsk")
      }
      if isWide { lab.take(.event(.resize(width: 200, height: 60))) }
      lab.model.lab.isReadOnly = isReadOnly
      lab.press(keys)
      // The folder for temporary files depends on the machine.
      lab.model.screens.provider.rows.authorityFile = "/tmp/ssoterm-demo.ca.pem"
      return lab.model
    } catch {
      Issue.record(error)
      return AppModel(title: "no lab")
    }
  }
}
