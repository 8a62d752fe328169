import Testing

@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOTermApp

/// The screens in numbered lines: all output, for the typed input.
struct PlainSessionTests {
  private final class Typed {
    var lines: [String]
    var said: [String] = []
    /// The line to type after the given ones, or `nil` at the end of the input.
    var next: () -> String? = { nil }
    /// The answer to the prompts that the scenario does not answer.
    var answer: (Prompt) -> Answer? = { _ in .accept }
    init(_ lines: [String]) { self.lines = lines }

    var terminal: PlainTerminal {
      PlainTerminal(
        say: { self.said.append($0) },
        hear: { question, _ in
          if question != ">" { self.said.append(question) }
          guard let line = self.lines.isEmpty ? self.next() : self.lines.removeFirst() else { return .end }
          self.said.append("> " + line)
          return .line(line)
        },
        answer: { prompt, _ in self.answer(prompt) })
    }

    /// Returns the output after a line was typed, up to the next typed line.
    func said(after line: String) -> [String] {
      guard let start = said.firstIndex(of: "> " + line) else { return [] }
      return Array(said[(start + 1)...].prefix { !$0.hasPrefix("> ") })
    }
  }

  private static func session(
    _ scenario: String, _ lines: [String], settings: String = ""
  ) throws -> (Typed, PlainSession) {
    let typed = Typed(lines)
    let file = try ScenarioLibrary().scenario(scenario)
    let session = PlainSession(
      lab: try Lab.temporary(file), title: "demo " + scenario,
      settings: Settings.examined(settings, file: "c.yaml").settings, demo: file, terminal: typed.terminal)
    return (typed, session)
  }

  /// Every bundled scenario can be completed with `>` and Enter alone, with the same results as on the screens.
  @Test(arguments: ScenarioLibrary().names()) func aDemoIsToldStepByStep(_ scenario: String) throws {
    let steps = try ScenarioLibrary().scenario(scenario).steps
    let (typed, session) = try Self.session(scenario, [])
    // An empty line sends the scenario's answer to a prompt. No step has more than six.
    var left = 7 * steps.count
    typed.next = { [unowned session] in
      left -= 1
      if session.model.topDialog(PromptDialog.self) != nil { return left < 0 ? nil : "" }
      return left < 0 || session.model.screens.demo.running?.next == nil ? nil : ">"
    }
    #expect(session.run(at: "apps") == .cancelled)
    // A world without steps, such as `blank`, is not a demo.
    let reports = session.model.screens.demo.running?.reports ?? []
    #expect(reports.count == steps.count && reports.allSatisfy(\.passed))
    for (number, step) in steps.enumerated() {
      #expect(typed.said.contains("Step \(number + 1) of \(steps.count): \(step.title). \(step.note)"))
    }
  }

  /// Only Enter and > send the scenario's answer.
  @Test func anotherWordThanThoseOfferedSendsNothing() throws {
    let (typed, session) = try Self.session("two-vendors", [">", "4", "s", "<"])
    _ = session.run(at: "apps")
    #expect(typed.said(after: "4").first == "“4” is not an answer here.")
    #expect(typed.said(after: "s").first == "“s” is not an answer here.")
    #expect(session.model.screens.demo.running?.reports.isEmpty == true)
  }

  /// A question mark explains the choices, and a number chooses an account other than the scenario's.
  @Test func aNumberChoosesAnAccountAtAPromptOfTheScenario() throws {
    let (typed, session) = try Self.session("two-vendors", [">", "?", "2"])
    var usernames: [String] = []
    typed.answer = { prompt in
      if case .signIn(let page) = prompt { usernames.append(page.username) }
      return nil
    }
    _ = session.run(at: "apps")
    #expect(
      typed.said(after: "?").first?.hasSuffix("or a number: 1 ada@contoso.com, 2 grace@contoso.com.") == true)
    #expect(usernames.first == "grace@contoso.com")
  }

  @Test func rowsAreNumberedAndAChangeIsSaidInItsLineAlone() throws {
    let (typed, session) = try Self.session(
      "contoso-suite", [">", "", "", "", "", "2", "s", "e", "tokens", "1", "apps", "q", ""])
    _ = session.run(at: "apps")
    let first = try #require(typed.said.dropFirst().first { $0.hasPrefix("1. ") })
    #expect(first.contains("My Test App 1"))
    #expect(typed.said(after: "2").contains { $0.hasPrefix("Selected: 2. My Test App 2") })
    // The silent call is also the demo's next step, whose note comes first.
    #expect(typed.said(after: "s").contains { $0.hasPrefix("✓ Token for ada@contoso.com") })
    let expired = typed.said(after: "e")
    #expect(expired.contains { $0.hasPrefix("2. My Test App 2") } && expired.count < 12)
    #expect(typed.said(after: "tokens").contains { $0.contains("User.Read") })
    for line in typed.said { #expect(!line.contains { "│┌┐└┘─━".contains($0) }, "\(line)") }
  }

  @Test func aCommandIsRunByItsNameAndAWrongOneHasTheNearest() throws {
    let (typed, session) = try Self.session(
      "contoso-suite", ["clock +1h", "scenaris", "?", "silent mytestapp1"])
    _ = session.run(at: "apps")
    #expect(
      typed.said(after: "clock +1h").first?.contains("1 h") == true || !typed.said(after: "clock +1h").isEmpty
    )
    #expect(typed.said(after: "scenaris") == ["There is no command “scenaris”. Did you mean scenarios?"])
    #expect(typed.said(after: "?").contains { $0.hasPrefix(">, demo next: ") })
    #expect(typed.said(after: "silent mytestapp1").first?.hasPrefix("✗") == true)
  }

  @Test func thePersonsKeysAndCommandsAreThere() throws {
    let settings = """
      time: utc
      keys: {silent: S}
      commands: [{name: show log, key: X, run: 'ls $CORRELATION_ID'}]
      """
    let (typed, session) = try Self.session("contoso-suite", ["S", "s", "X", "?"], settings: settings)
    _ = session.run(at: "apps")
    #expect(typed.said(after: "S").first?.contains("No account") == true, "\(typed.said(after: "S"))")
    #expect(typed.said(after: "s").first?.hasPrefix("s does nothing here") == true)
    #expect(typed.said(after: "X").first?.contains("nothing that is selected has $CORRELATION_ID") == true)
    #expect(typed.said(after: "?").contains { $0.hasPrefix("S, silent: ") })
    #expect(session.model.times.style == .utc)
  }

  @Test func aListIsSaidBeforeTheTextBesideIt() throws {
    let (typed, session) = try Self.session("contoso-suite", ["why"])
    _ = session.run(at: "apps")
    let said = typed.said(after: "why")
    let row = try #require(said.firstIndex { $0.hasPrefix("2. ") }, "\(said)")
    let text = try #require(said.firstIndex { $0.hasPrefix("Expected") }, "\(said)")
    #expect(row < text && !said[row].contains("Expected"), "\(said)")
  }

  @Test func aQuestionIsSaidAndAnsweredByItsNumberOrKey() throws {
    let lines = [">", "", "", "", "", "o", "Tab", "Enter"]
    let (typed, session) = try Self.session("contoso-suite", lines)
    _ = session.run(at: "apps")
    #expect(typed.said(after: "o").contains { $0.contains("This deletes") })
    #expect(typed.said(after: "Tab").contains { $0.contains("[>Sign out ]") })
    #expect(session.model.lab.apps.allSatisfy { $0.accounts.isEmpty })
  }

  /// Each screen and each of its dialogs can be printed, and everything that is shown is in a line.
  @Test(arguments: FrameSample.all) func everySampleHasLines(_ sample: FrameSample) {
    let picture = PlainScreen(sample.model)
    #expect(!picture.lines.isEmpty)
    #expect(picture.lines.allSatisfy { !$0.text.contains("  ") || !$0.text.contains("   ") })
  }
}
