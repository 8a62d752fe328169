import ArgumentParser
import Essentials
import SSOCore
import SSOLab
import SSOScenarios
import SSOServer
import SSOStore
import SSOTermApp
import SafeText

/// `ssoterm serve next`: the answers to the next sign-ins.
struct NextAnswersCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "next", "Set how the user of --approve auto:UPN answers the next sign-ins.",
    examples: ["ssoterm serve next wrong-password", "ssoterm serve next decline as:grace@contoso.com"],
    after: """
      wrong-password  types a wrong password once: the page shows AADSTS50126.
      decline         cancels the next page that asks for consent.
      cancel          cancels the next page.
      as:UPN          another user signs in.

      Each answer is used once, in order, as soon as its page appears. Without an answer, the command lists the remaining \
      answers.
      """)

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    help: "\(NextAnswer.words.joined(separator: ", ")).", completion: .list(NextAnswer.words),
    transform: Self.answer)
  var answers: [NextAnswer] = []

  @Flag(help: "Remove the remaining answers.")
  var clear = false

  private static func answer(_ word: String) throws -> NextAnswer {
    guard let answer = NextAnswer(word: word) else {
      let words = NextAnswer.words.joined(separator: ", ")
      throw ValidationError("The answer must be one of \(words), not “\(word)”.")
    }
    return answer
  }

  func perform(on console: Console) throws -> ExitStatus {
    guard clear || !answers.isEmpty else {
      let left = try console.openLabToRead(options).read { try $0.nextAnswers() }.map(\.word)
      return try console.show(["answers": .strings(left)]) {
        left.isEmpty ? "No answers are set." : left.map { safe($0) }.joined(separator: "\n")
      }
    }
    let lab = try console.openLab(options)
    if clear { return try console.show(try runUnattended(AnswerNext([]), on: lab)) }
    return try console.show(try runUnattended(AnswerNext(answers), on: lab))
  }
}
