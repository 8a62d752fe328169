/// A user who signs in automatically: knows the password, has the phone at hand, and consents to everything.
///
/// It is for scripts.
struct AutomaticPerson {
  let person: Person

  /// Creates an automatic user.
  ///
  /// - Throws: `LabError` if no user has this name.
  init(username: String, in directory: Directory) throws {
    guard let person = try directory.person(username: username) else {
      throw LabError.unknown(
        .unknownAccount, "person", username, among: try directory.people().map(\.username),
        list: "\(.environment)")
    }
    self.person = person
  }

  /// Answers a prompt.
  ///
  /// A page with a failure is cancelled, because it would return forever.
  func answer(_ prompt: Prompt) -> Answer {
    switch prompt {
    case .chooseAccount(let picker):
      let wanted = person.clientInfo.homeAccountID
      return picker.candidates.contains { $0.homeAccountID == wanted }
        ? .account(homeAccountID: wanted) : .useAnotherAccount
    case .signIn(let page) where page.failure != nil: return .cancel
    case .signIn(let page):
      switch page.asks {
      case .username: return .username(person.username)
      case .password:
        let isHers = page.username.lowercased() == person.username.lowercased()
        return isHers ? .password(person.password) : .username(person.username)
      case .verification(let number): return .verification(number)
      }
    case .consent, .systemAlert: return .accept
    case .errorPage: return .cancel
    }
  }
}
