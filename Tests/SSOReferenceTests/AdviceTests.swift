import Foundation
import Testing

@testable import SSOReference

@Suite struct AdviceTests {
  @Test func aLiteralNamesActionsByTheirValues() {
    let advice: Advice = "Step \(2): \(.why, "mail", with: [.account: "ada@contoso.com", .store: nil])."
    let why = Advice.Action(.why, ["mail"], with: [.account: "ada@contoso.com"])
    #expect(advice.parts == [.text("Step 2: "), .action(why), .text(".")])
    #expect(
      "To do: \(advice)" as Advice == "To do: Step 2: \(.why, "mail", with: [.account: "ada@contoso.com"]).")
    #expect(("" as Advice).isEmpty && Advice("").parts == [])
  }

  @Test(
    arguments: [
      ("Try again; in the lab: \(.faults).", "Try again; in the lab: {faults}."),
      ("\(.enroll, "APP", with: [.account: "USER"])", "{enroll APP account:USER}"),
      ("\(.signOut, "APP", with: [.wipeAccount: ""])", "{signOut APP wipeAccount:}"),
      ("\(.set, "app", "My app", "a={b:100%}")", "{set app My%20app a=%7Bb%3A100%25%7D}"),
      ("\(.undo)\(.redo)", "{undo}{redo}"), ("Use {tenant} {", "Use {tenant} {"),
    ] as [(Advice, String)])
  func isWrittenAndReadInOneNotation(_ advice: Advice, _ notation: String) throws {
    #expect(advice.description == notation && Advice(notation: notation) == advice)
    #expect(try JSONDecoder().decode([Advice].self, from: JSONEncoder().encode([advice])) == [advice])
  }

  /// A store may contain advice of an earlier version, which is a command line.
  @Test(arguments: ["Sign in with a person: ssoterm signin APP", "{unknown APP}", "{undo what:ever}", "}{"])
  func otherTextStaysText(_ text: String) {
    #expect(Advice(notation: text) == Advice(text))
  }

  @Test func textBeforeTheLabsPartIsKept() {
    let advice: Advice = "Look, \(.doctor) helps; in the lab: \(.why, "APP")."
    #expect(advice.prefix(upTo: ["; in the lab: "]) == "Look, \(.doctor) helps")
    #expect(advice.prefix(upTo: ["elsewhere"]) == advice)
  }
}
