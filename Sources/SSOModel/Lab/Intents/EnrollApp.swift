/// Intune's SDK enrols the app for one account, and leaves the ID in the app's defaults (docs/behaviour/broker.md §11).
struct EnrollApp: IntentAction {
  var app: String
  var account: String

  func run(in transaction: IntentTransaction) throws -> Outcome {
    let app = try transaction.app(app)
    let person = try transaction.directory.knownPerson(account)
    let id = transaction.random.uuid()
    try transaction.store.save(
      AppEnrollment(id: id, clientID: app.clientID, username: person.username.lowercased()))
    try transaction.runtime.defaults(of: app).enroll(
      IntuneEnrollment(
        tenantID: person.homeTenantID, objectID: person.objectID,
        homeAccountID: person.clientInfo.homeAccountID, userID: person.username, enrollmentID: id))
    transaction.trace.add(
      .app, .provider, actor: app.bundleID, "enrol at Intune", result: id,
      sent: [NameValue("user", person.username)])
    return Outcome(
      .succeeded, "Intune protects \(app.displayName) for \(person.username).", username: person.username,
      homeAccountID: person.clientInfo.homeAccountID)
  }
}
