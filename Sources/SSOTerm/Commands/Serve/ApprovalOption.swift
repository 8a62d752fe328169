import ArgumentParser

/// The value of `--approve`.
extension Approval {
  init(typed word: String) throws {
    guard let approval = Approval(word: word) else {
      throw ValidationError("--approve must be terminal, browser or auto:UPN, not “\(word)”")
    }
    self = approval
  }

  /// Returns the approval with the username of `auto:` as the lab writes it.
  ///
  /// An unambiguous part of the username is enough.
  /// - Throws: if no user of the lab matches, or several do.
  func checked(on lab: Lab) throws -> Approval {
    guard case .automatic(let name) = self else { return self }
    return .automatic(username: try lab.read { try $0.records.row(.person, named: name) }.name)
  }
}
