import Testing

@testable import SSOLab
@testable import SSOProvider
@testable import SSOTerm

struct PlainDialogueTests {
  /// The input and the output of a user.
  private final class Script {
    var said = ""
    var lines: [String]
    init(_ lines: [String]) { self.lines = lines }

    var dialogue: PlainDialogue {
      PlainDialogue(
        say: { self.said += $0 }, hear: { _ in self.lines.isEmpty ? nil : self.lines.removeFirst() })
    }
  }

  private let picker = PromptAnswererTests.picker

  @Test("The picker is numbered lines, and a number picks")
  func picks() {
    let script = Script(["1"])
    #expect(script.dialogue.choose(picker) == .account(homeAccountID: "u1.t1"))
    #expect(
      script.said == """
        Choose an account. Mail asks. Client 4b0d.
        Redirect msauth.com.contoso.mail://auth. Scopes User.Read, Mail.Read.
        1. Ada Lovelace, ada@contoso.com. Ready. Last used.
        2. Taro, taro@contoso.com. Blocked by policy.
        3. Use another account.
        0. Cancel.
        Number, or text to filter: 
        """)
  }

  @Test("0 and the end of input cancel; the last number is another account")
  func otherNumbers() {
    #expect(Script(["0"]).dialogue.choose(picker) == .cancel)
    #expect(Script([]).dialogue.choose(picker) == .cancel)
    #expect(Script(["3"]).dialogue.choose(picker) == .useAnotherAccount)
    #expect(Script(["9", "-1", "0"]).dialogue.choose(picker) == .cancel)
  }

  @Test("Text filters, and the numbers are those of the filtered list")
  func filters() {
    let script = Script(["taro", "", "love", "1"])
    #expect(script.dialogue.choose(picker) == .account(homeAccountID: "u1.t1"))
    #expect(script.said.contains("1 of 2."))
  }

  @Test("A blocked account says why and stays")
  func blocked() {
    let script = Script(["2", "0"])
    #expect(script.dialogue.choose(picker) == .cancel)
    #expect(script.said.contains("taro@contoso.com cannot be chosen: by policy."))
  }

  @Test("An empty password cancels; consent needs a yes")
  func answers() {
    #expect(Script([""]).dialogue.answer(PromptAnswererTests.page(.password)) == .cancel)
    #expect(Script(["pw"]).dialogue.answer(PromptAnswererTests.page(.password)) == .password("pw"))
    #expect(Script([""]).dialogue.answer(PromptAnswererTests.consent) == .cancel)
    #expect(Script(["y"]).dialogue.answer(PromptAnswererTests.consent) == .accept)
  }

  @Test("What the server says cannot move the cursor")
  func untrusted() {
    let script = Script([""])
    _ = script.dialogue.answer(PromptAnswererTests.page(.password, failure: "\u{1B}[2J"))
    #expect(script.said.contains("<U+001B>[2J"))
    #expect(!script.said.contains("\u{1B}"))
  }

  @Test("On a terminal, lines break between words, and rows go on below their text")
  func breaksLines() {
    let script = Script(["1"])
    var dialogue = script.dialogue
    dialogue.columns = { 30 }
    _ = dialogue.choose(picker)
    #expect(
      script.said.hasPrefix(
        """
        Choose an account. Mail asks.
        Client 4b0d.
        Redirect
        msauth.com.contoso.mail://auth.
        """), "\(script.said)")
    #expect(
      script.said.contains("\n1. Ada Lovelace,\n   ada@contoso.com. Ready.\n   Last used.\n"),
      "\(script.said)")
  }
}
