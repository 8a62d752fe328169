internal import ArgumentParser
internal import SSOModel

/// The value of `--approve`.
enum ApprovalWord: Equatable {
  case terminal
  case browser
  case automatic(String)

  init(_ word: String) throws {
    switch word {
    case "terminal": self = .terminal
    case "browser": self = .browser
    case _ where word.hasPrefix("auto:") && word.count > 5: self = .automatic(String(word.dropFirst(5)))
    default: throw ValidationError("--approve is terminal, browser or auto:UPN, not “\(word)”")
    }
  }

  /// - Throws: if nobody in the lab has that name.
  func approval(on lab: Lab) throws -> Approval {
    switch self {
    case .terminal: return .terminal
    case .browser: return .browser
    case .automatic(let name):
      let known = try lab.people().map(\.username)
      guard let username = known.first(where: { $0.lowercased() == name.lowercased() }) else {
        throw CommandFailure(unknown: "person", name, among: known, list: "ssoterm serve env")
      }
      return .automatic(username: username)
    }
  }
}
