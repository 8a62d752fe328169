import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// The answers to coming sign-ins, in place of those of the person who signs in automatically.
///
/// Each is used once, in order: the first as soon as its page comes, then the next. It is for tests of a program against
/// `ssoterm serve --approve auto:UPN`.
package struct AnswerNext: Intent {
  package static let verb = "answerNext"
  var answers: [NextAnswer]

  /// Creates the intent; without answers, those that are left are removed.
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
      left.isEmpty ? "The person signs in again as usual." : "The next sign-ins are answered: \(result).")
  }
}

/// The answer of a test's person to one coming sign-in.
package enum NextAnswer: Codable, Hashable, Sendable {
  /// A wrong password, once. The page then shows AADSTS50126, as a browser does.
  case wrongPassword
  /// Cancel on the page that asks for consent.
  case decline
  /// Cancel on whichever page comes first.
  case cancel
  /// Another person of the directory, who signs in as usual.
  case person(username: String)

  /// The words that name an answer, with `as:UPN` for another person.
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
  /// Returns the answers that are left, the next one first.
  package func nextAnswers() throws -> [NextAnswer] { try documents.nextAnswers() }
}

extension DocumentReader {
  fileprivate func nextAnswers() throws -> [NextAnswer] {
    try read([NextAnswer].self, .nextAnswer, "next") ?? []
  }
}

extension StoreTransaction {
  fileprivate func write(nextAnswers answers: [NextAnswer]) throws {
    if answers.isEmpty {
      try delete(.nextAnswer, "next")
    } else {
      try write(answers, .nextAnswer, "next")
    }
  }
}

/// A person who signs in automatically: knows the password, has the phone at hand, and consents to everything.
///
/// It is for scripts.
struct AutomaticApprover {
  private let person: DirectoryUser
  /// The answer that a test has set for this sign-in.
  private let next: NextAnswer?
  /// The answers that come after it.
  private let later: [NextAnswer]
  private var hasUsedNext = false

  /// Creates the person.
  ///
  /// - Throws: `LabError` if no user has this name.
  init(username: String, in documents: any DocumentReader) throws {
    let answers = try documents.nextAnswers()
    let directory = Directory(documents: documents)
    (next, later) = (answers.first, Array(answers.dropFirst()))
    var username = username
    if case .person(let other) = next { username = other }
    guard let person = try directory.person(username: username) else {
      throw LabError.unknown(
        .unknownAccount, "person", username, among: try directory.people().map(\.username),
        list: "\(.environment)")
    }
    self.person = person
  }

  /// Whether the person leaves a page as it is, because it shows a failure that would come again.
  func leaves(_ page: Page) -> Bool {
    if case .signIn(let page) = page { page.failure != nil } else { false }
  }

  /// Answers a prompt.
  mutating func answer(_ prompt: Prompt) -> Answer {
    switch (next, prompt) {
    case (.cancel, .signIn), (.cancel, .consent), (.decline, .consent):
      hasUsedNext = true
      return .cancel
    case (.person, _): hasUsedNext = true
    default: break
    }
    switch prompt {
    case .chooseAccount(let picker):
      let wanted = person.clientInfo.homeAccountID
      return picker.candidates.contains { $0.homeAccountID == wanted }
        ? .account(homeAccountID: wanted) : .useAnotherAccount
    case .signIn(let page):
      switch page.asks {
      case .username: return .username(person.username)
      case .password where page.username.lowercased() != person.username.lowercased():
        return .username(person.username)
      case .password:
        guard next == .wrongPassword else { return .password(person.password) }
        hasUsedNext = true
        return .password(person.password + "-")
      case .verification(let number): return .verification(number)
      }
    case .consent, .systemAlert: return .accept
    case .errorPage: return .cancel
    }
  }

  /// Removes the answer that was set for this sign-in if its page came.
  func removeUsed(in store: StoreTransaction) throws {
    if hasUsedNext { try store.write(nextAnswers: later) }
  }
}
