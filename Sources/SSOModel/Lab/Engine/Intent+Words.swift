extension KnownAccounts {
  /// The intent's words, with the names of an account and a registration that it names by their IDs.
  func words(of intent: Intent) throws -> String {
    switch intent {
    case .forget(let account): return Intent.forget(account: username(account)).words
    case .revokeSessions(let account): return Intent.revokeSessions(account: username(account)).words
    case .edit(.registration, let id, let changes):
      let name = try reader.directory.registration(clientID: id)?.displayName ?? id
      return Intent.edit(.registration, record: name, changes).words
    default: return intent.words
    }
  }
}

extension Intent {
  /// Whether undo takes it back.
  ///
  /// An external client is told the answer to its sign-in, as any other response.
  var isJournaled: Bool {
    if case .answerSignIn = self { false } else { true }
  }

  /// One line for the journal, the trace list and the undo key.
  package var words: String {
    func named(_ verb: String, _ app: String, _ account: String?) -> String {
      verb + " " + app + (account.map { " as \($0)" } ?? "")
    }
    func counted(_ verb: String, _ ids: [String]) -> String {
      ids.count == 1 ? "\(verb) \(ids[0])" : "\(verb) \(ids.count) credentials"
    }
    return switch self {
    case .signIn(let app, let account, _, _, _): named("sign in", app, account)
    case .acquireSilently(let app, let account, _, _, _): named("silent", app, account)
    case .signOut(let app, let account, let options):
      ([named("sign out of", app, account)] + options.words).joined(separator: ", ")
    case .forget(let account): "forget \(account)"
    case .expire(let ids): counted("expire", ids)
    case .invalidate(let ids): counted("invalidate", ids)
    case .delete(let ids): counted("delete", ids)
    case .moveClock(let seconds):
      seconds.map { "clock \(offsetText($0))" } ?? "reset the clock"
    case .importCache(let name, _): "import \(name)"
    case .importProject(let project): "import the project \(project.name)"
    case .addFault(let fault): "fault \(fault.words)"
    case .clearFaults: "clear the faults"
    case .installBroker(_, let managed):
      managed == nil ? "install the broker" : "push the broker as an administrator"
    case .removeBroker: "remove the broker"
    case .injectFault(let app, let fault): "inject a fault into \(app): \(fault?.rawValue ?? "nothing")"
    case .reinstall(let app): "reinstall \(app)"
    case .setPolicy(let policy): "policy \(policy.name): \(policy.requires.rawValue)"
    case .removePolicy(let name): "remove policy \(name)"
    case .setCompliance(let isCompliant): "device is \(isCompliant ? "compliant" : "not compliant")"
    case .enroll(let app, let account): "enrol \(app) for \(account)"
    case .transferAccount(let giver, let app):
      giver.map { "transfer the account from \($0) to \(app)" } ?? "open \(app)"
    case .answerSignIn(_, let client): "answer the sign-in of \(client)"
    case .openURL(let url, let app): "open \(url.prefix { $0 != "?" }) from \(app)"
    case .edit(let kind, let record, let changes):
      "set \(kind.rawValue) \(record) \(changes.map(\.words).joined(separator: " "))"
    case .endApp(let app): "end \(app)"
    case .add(let kind, let record, let changes):
      (["add \(kind.rawValue) \(record)"] + changes.map(\.words)).joined(separator: " ")
    case .currentAccount(let app): "current account of \(app)"
    case .revokeSessions(let account): "sign out \(account) everywhere"
    case .remove(let kind, let record): "remove \(kind.rawValue) \(record)"
    case .callLinuxBroker(let call): "\(call.caller.program) calls \(call.method.rawValue)"
    case .clearFault(let fault): "clear the fault \(fault.words)"
    }
  }
}
