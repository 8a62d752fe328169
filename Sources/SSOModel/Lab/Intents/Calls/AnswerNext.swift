import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// Answers to the next sign-ins, which override `serve --approve auto:UPN`.
///
/// Each is used once, in order, as soon as its page appears. It is for tests of a program against `ssoterm serve
/// --approve auto:UPN`.
package struct AnswerNext: Intent {
  package static let verb = "answerNext"
  var answers: [NextAnswer]

  /// Creates the intent; without answers, it removes the remaining ones.
  package init(_ answers: [NextAnswer]) { self.answers = answers }

  package var displayText: String {
    answers.isEmpty
      ? "clear the next answers" : "answer next: " + answers.map(\.word).joined(separator: ", ")
  }

  package mutating func resolve(in lab: LabReader) throws {
    answers = try answers.map { answer in
      guard case .person(let name) = answer else { return answer }
      return .person(username: try lab.records.row(.person, named: name).name)
    }
  }

  package func run(in transaction: IntentTransaction) throws -> Outcome {
    let left = answers.isEmpty ? [] : try transaction.store.nextAnswers() + answers
    try transaction.store.write(nextAnswers: left)
    let result = left.isEmpty ? "none" : left.map(\.word).joined(separator: ", ")
    transaction.trace.add(.person, .provider, "set the next answers", result: result)
    return Outcome(
      .succeeded,
      left.isEmpty
        ? "Sign-ins are approved automatically again." : "The next sign-ins are answered: \(result).")
  }
}

/// The answer of a test's user to one sign-in.
package enum NextAnswer: Codable, Hashable, Sendable {
  /// A wrong password, once. The page then shows AADSTS50126, as a browser does.
  case wrongPassword
  /// Cancel on the page that asks for consent.
  case decline
  /// Cancel on whichever page comes first.
  case cancel
  /// Another user of the directory, who signs in as usual.
  case person(username: String)

  /// The words that name an answer, with `as:UPN` for another user.
  package static let words = ["wrong-password", "decline", "cancel", "as:UPN"]

  /// Creates an answer from its word, or returns `nil` for any other.
  package init?(word: String) {
    switch word {
    case "wrong-password": self = .wrongPassword
    case "decline": self = .decline
    case "cancel": self = .cancel
    case _ where word.hasPrefix("as:") && word.count > 3: self = .person(username: String(word.dropFirst(3)))
    default: return nil
    }
  }

  package var word: String {
    switch self {
    case .wrongPassword: "wrong-password"
    case .decline: "decline"
    case .cancel: "cancel"
    case .person(let username): "as:" + username
    }
  }
}

extension LabReader {
  /// Returns the remaining answers, beginning with the next one.
  package func nextAnswers() throws -> [NextAnswer] { try documents.nextAnswers() }
}

extension DocumentReader {
  func nextAnswers() throws -> [NextAnswer] {
    try read([NextAnswer].self, .nextAnswer, "next") ?? []
  }
}

extension StoreTransaction {
  func write(nextAnswers answers: [NextAnswer]) throws {
    if answers.isEmpty {
      try delete(.nextAnswer, "next")
    } else {
      try write(answers, .nextAnswer, "next")
    }
  }
}
