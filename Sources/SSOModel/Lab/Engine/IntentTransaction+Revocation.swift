import Essentials

extension IntentTransaction {
  /// Revokes tokens if the change of a record requires it: a new password, a disabled account, or a new
  /// policy.
  func revokeTokens(after change: (before: Data, after: Data), of kind: RecordKind) throws {
    switch kind {
    case .person:
      let before = try decodeJSON(Person.self, from: change.before)
      let after = try decodeJSON(Person.self, from: change.after)
      if before.password != after.password {
        try store.revoke(after.username, .passwordChanged, at: now)
      } else if after.isDisabled, !before.isDisabled {
        try store.revoke(after.username, .accountDisabled, at: now)
      }
    case .policy where change.before != change.after:
      try store.noteChange(of: decodeJSON(Policy.self, from: change.after), at: now)
    default: break
    }
  }
}
