/// Signs a person out everywhere, as an administrator does (`revokeSignInSessions` of Graph).
struct RevokeSessions: IntentAction {
  var account: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    try transaction.reportingEffects {
      let person = try transaction.directory.knownPerson(account)
      try transaction.store.revoke(person.username, .signedOutEverywhere, at: transaction.now)
      transaction.trace.add(.system, .provider, "revoke the sessions of \(person.username)", result: "done")
      return Outcome(
        .succeeded,
        "\(person.username) is signed out everywhere: refresh tokens and browser sessions from before are refused.",
        next: "Access tokens of clients that sent cp1 end too: \(.tokens)", username: person.username)
    }
  }
}
