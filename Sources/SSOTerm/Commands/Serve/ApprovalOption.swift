import ArgumentParser

/// The value of `--approve`.
extension Approval {
  init(typed word: String) throws {
    guard let approval = Approval(word: word) else {
      throw ValidationError("--approve must be terminal, browser or auto:UPN, not “\(word)”")
    }
    self = approval
  }

  /// The person of `auto:` as the lab writes the name.
  /// - Throws: if no user of the lab has that name.
  func checked(on lab: Lab) throws -> Approval {
    guard case .automatic(let name) = self else { return self }
    let known = try lab.read { try $0.directory.people() }.map(\.username)
    guard let username = known.first(where: { $0.lowercased() == name.lowercased() }) else {
      throw CommandFailure(
        unknown: "person", name, among: known,
        list: "the same command with one of these: \(known.prefix(5).joined(separator: ", "))")
    }
    return .automatic(username: username)
  }
}
