import Testing

@testable import LabTestSupport
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOTermApp

/// The screens on a real lab, without a terminal.
///
/// Keys are fed in, and commands are performed at once.
struct LabByKeys {
  var model: AppModel
  let lab: Lab
  private let runner: CommandRunner

  /// The intents that the keys have performed, in order.
  private(set) var performed: [(intent: AnyIntent, outcome: Outcome)] = []

  init(_ scenario: String, on engine: TestEngine = .sqlite) throws {
    self.init(try engine.lab(try ScenarioLibrary().scenario(scenario)), title: scenario)
  }

  /// Creates a demo, with the scenario in the screens.
  init(_ file: ScenarioFile) throws {
    self.init(try Lab.temporary(file), title: file.name)
    model.screens.story.show(file, &model.shared)
  }

  init(_ lab: Lab, title: String) {
    self.lab = lab
    model = AppModel(title: title)
    runner = CommandRunner(lab: lab, clipboard: ClipboardController(.off) { _ in nil }) {}
    carryOut(model.follow(path: "apps"))
  }

  private mutating func carryOut(_ commands: [Command]) {
    var queue = commands
    while !queue.isEmpty {
      guard let message = runner.run(queue.removeFirst()) else { continue }
      if case .performed(let intent, _, .done(let outcome, _)) = message {
        performed.append((intent, outcome))
      }
      queue += update(&model, message)
    }
  }

  /// Presses a key for each character.
  ///
  /// A carriage return is Enter.
  mutating func press(_ keys: String) {
    for key in keys { press(key == "\r" ? .enter : .character(key)) }
  }

  mutating func press(_ key: KeyPress) { carryOut(update(&model, .event(.key(key)))) }

  mutating func take(_ message: Message) { carryOut(update(&model, message)) }

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
