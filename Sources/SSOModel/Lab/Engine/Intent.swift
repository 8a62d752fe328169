/// What a person can ask of the lab.
///
/// TUI, CLI and scenario files send the same intents; one intent is one transaction.
package enum Intent: Hashable, Sendable {
  /// Interactive sign-in in an app. `app` is a bundle ID, a display name, or an unambiguous part of one.
  case signIn(
    app: String, account: String?, scopes: [String], prompt: PromptBehavior,
    options: CallOptions = CallOptions())
  /// Silent call. `account` is a username or home account ID; nil: the app's only account.
  case acquireSilently(
    app: String, account: String?, scopes: [String], forceRefresh: Bool,
    options: CallOptions = CallOptions())
  /// `removeAccount:` by one app (msal-cache.md §11): the account leaves this app; group mates may lose the family token. With options
  /// `signoutWithAccount:`.
  case signOut(app: String, account: String?, options: SignOutOptions = SignOutOptions())
  /// `signoutWithAccount:` with `wipeAccount` (claim C6): forget from every app that shares a group with it, and the broker.
  case forget(account: String)
  /// Credentials by the ID of a token row (`TokenRow.id`).
  case expire(credentials: [String])
  case invalidate(credentials: [String])
  case delete(credentials: [String])
  /// Moves the lab's clock; nil: takes back how far it was moved.
  case moveClock(bySeconds: Int?)
  /// Caches read from files, already parsed.
  case importCache(name: String, CacheFile)
  /// The apps and registrations of a real project, already read; again: they are updated.
  case importProject(ProjectRecords)
  /// Sets a fault at the provider, beside those that are set.
  case addFault(Fault)
  case clearFaults
  /// The broker app comes: by the person, or by an administrator for some apps or all (claim A4). Also changes how it is managed.
  case installBroker(version: String?, managed: BrokerManagement?)
  case removeBroker
  /// Arms what goes wrong in the app's next brokered call; nil: nothing does.
  case injectFault(app: String, InjectedFault?)
  /// The app is deleted and installed again.
  case reinstall(app: String)
  /// An app (bundle ID) opens a URL: a request to the broker, or another app's scheme.
  case openURL(String, from: String)
  /// Changes fields of one record of the lab; `record` is its name or a part of it.
  case edit(RecordKind, record: String, [FieldChange])
  /// Conditional Access, as an administrator sets it.
  case setPolicy(Policy)
  case removePolicy(name: String)
  /// What the device management says of the current device.
  case setCompliance(Bool)
  /// Intune protects the app for an account that is signed in there (docs/behaviour/broker.md §11).
  case enroll(app: String, account: String)
  /// An app looks up the account that another one knows (bundle IDs), and calls silently (claims F3 to F6); nil: no
  /// other app names one.
  case transferAccount(from: String?, to: String)
  /// An external client's sign-in that waits for a terminal, by `WaitingSignIn.id`.
  case answerSignIn(id: String, client: String)
  /// Ends an app's process: what its SDK held in memory is gone (docs/behaviour/msal-cache.md §9).
  case endApp(app: String)
  /// A record that was not there, with what is usual for its kind and these fields laid over it.
  case add(RecordKind, record: String, [FieldChange])
  /// Takes a record out of the lab.
  case remove(RecordKind, record: String)
  /// An app written for one account asks who is signed in (`getCurrentAccount`).
  case currentAccount(app: String)
  /// Signs a person out everywhere: what the person's apps and browsers were given so far is refused.
  case revokeSessions(account: String)
  /// A Linux program calls the broker over D-Bus, in a story.
  case callLinuxBroker(LinuxBrokerCall)
  /// Takes one fault away, and leaves the others.
  case clearFault(Fault)
}

/// What `Lab.perform` gives back.
package enum Performance: Sendable {
  /// Committed; the trace is stored under this ID.
  case done(Outcome, traceID: Int64)
  /// Nothing was written: the flow needs one more answer. Ask, then perform the same intent again with the answer appended.
  case needs(Prompt, hopsSoFar: [Hop])
}
