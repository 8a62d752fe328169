import SSOCore
import SSODevice
import SSOProvider
import SSOReference
import SSOStore

/// A simulated user who signs in automatically: knows the password, has the phone at hand, and consents to everything.
///
/// It is for scripts.
struct AutomaticApprover {
  private let person: DirectoryUser
  /// The answer that a test has set for this sign-in.
  private let next: NextAnswer?
  /// The answers after it.
  private let later: [NextAnswer]
  private var hasUsedNext = false

  /// Creates the user.
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
        .unknownAccount, "user", username, among: try directory.people().map(\.username),
        list: "\(.environment)")
    }
    self.person = person
  }

  /// Whether the user leaves a page, because it shows a failure that would occur again.
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

  /// Removes the answer that was set for this sign-in if its page appeared.
  func removeUsed(in store: StoreTransaction) throws {
    if hasUsedNext { try store.write(nextAnswers: later) }
  }
}
