/// The lab at one moment, to be read: it can neither write nor ask the person.
///
/// An SDK that it hands out works on a scratch copy of its own: a call that is only tried finds what is there, and what it
/// writes goes with the SDK.
///
/// Throws `LabError` for a name that the lab does not have, and the store's errors.
package struct LabReader {
  let state: LabState
  package let device: Device
  package let installed: [InstalledApp]
  package let now: Instant
  /// For calls that are tried.
  let randomness: Randomness
  let keyReader: SigningKeyReader
  /// The keychain items of the device, many at a time.
  let items: DeviceItems
  let documents: any DocumentReader
  private(set) var credentials: any CredentialReader
  private let memories: [String: ProcessMemory]
  private let store: StoreTransaction
  private let lastMetadata = LastMetadata()

  /// - Throws: `LabError` if the store holds no lab.
  init(_ store: StoreTransaction, realTime: Instant) throws {
    guard let state = try store.read(LabState.self, .lab, LabState.key),
      let kept = try store.read(LabRandom.self, .lab, LabRandom.key),
      let device = try store.read(Device.self, .device, state.deviceID)
    else {
      throw LabError(
        .badInput, "The store has no lab.", why: "Expected a lab with a device, found none.",
        next: "Use another store: \(.start, with: [.store: "OTHER.sqlite"])")
    }
    self.state = state
    self.device = device
    installed = try store.readAll(InstalledApp.self, .app, keyPrefix: device.id + "/")
      .map { $0.withDefaultRedirectURI(on: device.platform) }
    now = realTime.adding(seconds: state.clockOffset ?? 0)
    randomness = kept.source
    keyReader = SigningKeyReader()
    items = store.items(ofDevice: device.id)
    documents = store
    credentials = store.credentials(device: device.id)
    memories = [:]
    self.store = store
  }

  /// What the intent has left so far.
  init(_ transaction: IntentTransaction) {
    state = transaction.state
    device = transaction.device
    installed = transaction.installed
    now = transaction.now
    randomness = transaction.random.source
    keyReader = transaction.keyReader
    items = transaction.store.items(ofDevice: device.id)
    documents = transaction.store
    credentials = transaction.credentials
    memories = transaction.memories
    store = transaction.store
  }

  /// The same for many calls that are tried one after another, while nothing is written: equal queries are made once.
  var remembering: LabReader {
    var reader = self
    reader.credentials = RememberedCredentials(credentials)
    return reader
  }

  package var traces: TraceQueries { TraceQueries(store: store) }

  /// The keys of all documents of a kind, unopened.
  func documentKeys(_ kind: DocumentKind) throws -> Set<String> { try store.documentKeys(kind) }

  package var directory: Directory { Directory(documents: documents) }

  /// The app with a bundle ID, a display name, or an unambiguous part of one.
  /// - Throws: `LabError`, with the nearest name.
  package func app(_ name: String) throws -> InstalledApp {
    try installed.app(named: name, besides: documents)
  }

  /// The accounts that the broker holds; without the broker no app can reach them.
  package func brokerAccounts() throws -> [BrokerAccount] {
    device.brokerVersion == nil ? [] : try storedBrokerAccounts
  }

  /// Those that are on the device, also without the broker.
  var storedBrokerAccounts: [BrokerAccount] {
    get throws { try documents.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/") }
  }

  /// Every access group that holds items or that some app is entitled to, in order of names.
  package func accessGroups() throws -> [String] {
    Set(try items.accessGroups() + installed.flatMap(\.entitledGroups)).sorted()
  }

  /// Every program that is not simulated and that has asked for something, in order of client IDs.
  package func externalClients() throws -> [ExternalClient] {
    try documents.readAll(ExternalClient.self, .externalClient)
  }

  /// The apps of the device, and every external client.
  package func allApps() throws -> [InstalledApp] { try installed + externalClients().map(\.asApp) }

  /// The state of a refresh token: the device cannot know it, the lab asks the provider's records.
  ///
  /// Of a token that the provider never issued (an imported one) nothing is known; the test app's `bad-refresh-token` counts
  /// as invalid.
  package func standing(ofRefreshToken secret: String) throws -> TokenStanding {
    if secret == CredentialItem.invalidSecret { return TokenStanding(.invalid) }
    guard let record = try documents.refreshToken(secret: secret) else {
      return TokenStanding(.unknown)
    }
    if let revokedAt = record.revokedAt {
      let left = now.seconds(until: record.expiresAt)
      return record.revocation == nil || revokedAt > now || left <= 0
        ? TokenStanding(.invalid) : TokenStanding(.revoked, secondsLeft: left)
    }
    return TokenStanding(until: record.expiresAt, at: now)
  }

  /// The state of an access or ID token by its dates, and by what ended it since.
  func standing(of token: CredentialItem) throws -> TokenStanding {
    let byDates = TokenStanding(token, at: now)
    guard token.type == .accessToken, byDates.state.isUsable,
      try documents.hasRevocations(), let claims = try? JSONWebToken(unverified: token.secret).claims,
      try documents.revocation(ofAccessToken: claims) != nil
    else { return byDates }
    return TokenStanding(.revoked, secondsLeft: byDates.secondsLeft)
  }

  // MARK: Apps and their SDKs

  /// The app's SDK, to look or to try a call: what it writes or sends changes nothing.
  ///
  /// `trace` takes the hops; with nil they are recorded nowhere.
  package func sdk(of app: InstalledApp, trace: TraceRecorder? = nil) -> any IdentitySDK {
    context(of: app, trace: trace).sdk
  }

  /// The unified cache of the app's access group, whichever SDK the app has; for looking.
  func cache(of app: InstalledApp) -> TokenCache { MSALClient(context(of: app, trace: nil)).cache }

  /// The account in that cache with this username or home account ID, whether or not it is signed in to the app.
  func cachedAccount(_ name: String, of app: InstalledApp) throws -> SDKAccount? {
    try MSALClient(context(of: app, trace: nil)).listing.anyAccount(name)
  }

  private func context(of app: InstalledApp, trace: TraceRecorder?) -> AppContext {
    let trace = trace ?? TraceRecorder(isQuiet: true)
    let random = RandomSource(randomness)
    let documents = ScratchDocuments(over: documents)
    let provider = Provider(
      documents: documents, now: now, random: random, trace: trace, caller: .sdk, actor: app.bundleID,
      keyReader: keyReader)
    return AppContext(
      app: app, device: device, installed: installed, now: now, random: random, trace: trace,
      keychain: Keychain(
        store: ScratchCredentials(over: credentials), app: KeychainCaller(app), now: now, trace: trace,
        isLocked: device.isLocked),
      lastMetadata: lastMetadata,
      defaults: AppDefaults(documents: documents, key: device.id + "/" + app.bundleID),
      process: ProcessMemory(
        memories[app.bundleID]?.process ?? device.processes?[app.bundleID] ?? AppProcess()),
      system: TrialServices(provider: provider))
  }
}

extension KeychainCaller {
  init(_ app: InstalledApp) {
    self.init(bundleID: app.bundleID, entitledGroups: app.entitledGroups)
    hasOwnCache = !app.builtDefaults.hasSharedCache
  }
}

/// The services of a call that is only tried: the provider answers on scratch documents, and there is neither a person nor
/// another app.
private struct TrialServices: SystemServices {
  let provider: Provider

  func send(_ request: HTTPRequest) throws -> HTTPResponse { try provider.respond(to: request).received }
  func browse(_ request: HTTPRequest, in browser: WebBrowser) -> WebResult { .cancelled(page: nil) }
  func open(_ url: String) -> BrokerReturn { .empty(late: nil) }
  func leaveOnPasteboard(_ text: String) {}
  func deviceAccounts() -> [SDKAccount] { [] }
  func choose(_ picker: AccountPicker) -> PickedAccount? { nil }
}

extension [InstalledApp] {
  /// The app with a bundle ID, a display name, or an unambiguous part of one.
  ///
  /// `documents` are those of the lab: a real program has a name too, and is no app that the lab can call for.
  /// - Throws: `LabError`, with the nearest name.
  func app(named name: String, besides documents: any DocumentReader) throws -> InstalledApp {
    do { return try app(named: name) } catch let error as LabError where error.kind == .unknownApp {
      let wanted = name.lowercased()
      let programs = try documents.readAll(ExternalClient.self, .externalClient)
      guard
        let program = programs.first(where: {
          $0.clientID.lowercased() == wanted || $0.displayName.lowercased().contains(wanted)
        })
      else { throw error }
      throw LabError(
        .unknownApp, "\(program.displayName) is a real program, not an app of the lab.",
        why: "Its next call is decided in that program; the lab knows what it was given.",
        next: "\(.tokens, with: [.client: program.clientID])")
    }
  }

  private func app(named name: String) throws -> InstalledApp {
    if let exact = first(where: { $0.bundleID == name }) { return exact }
    let wanted = name.lowercased()
    if let exact = first(where: { $0.displayName.lowercased() == wanted }) { return exact }
    let matches = filter {
      $0.bundleID.lowercased().contains(wanted) || $0.displayName.lowercased().contains(wanted)
    }
    guard let match = matches.first else {
      throw LabError.unknown(
        .unknownApp, "app", name, among: flatMap { [$0.bundleID, $0.displayName] }, list: "\(.apps)")
    }
    guard matches.count == 1 else {
      throw LabError(
        .ambiguousApp, "\(name) matches \(matches.count) apps.",
        why: "It is part of \(matches.map(\.bundleID).joined(separator: ", ")).",
        next: "Name one: \(match.bundleID)")
    }
    return match
  }
}

extension CredentialItem {
  /// What the SDK's test app puts in the place of a refresh token to make it useless (docs/behaviour/msal-cache.md §12).
  static let invalidSecret = "bad-refresh-token"
}
