import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// A read-only view of the lab at one moment.
///
/// It cannot write or prompt.
///
/// Each SDK that it returns works on a separate scratch copy: a dry run finds the existing data, and its
/// writes are discarded with the SDK.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct LabReader {
  let state: LabState
  package let device: Device
  package let installed: [InstalledApp]
  package let now: Instant
  /// The random source for dry runs.
  let randomness: Randomness
  let keyReader: SigningKeyReader
  /// The keychain items of the device, for bulk access.
  let items: DeviceItems
  let documents: any DocumentReader
  private(set) var credentials: any CredentialReader
  private let memories: [String: ProcessMemory]
  private let store: StoreTransaction
  private let lastMetadata = LastMetadata()

  /// Creates a reader.
  ///
  /// - Throws: `LabError` if the store does not contain a lab.
  init(_ store: StoreTransaction, realTime: Instant) throws {
    guard let state = try store.read(LabState.self, .lab, LabState.key),
      let kept = try store.read(LabRandom.self, .lab, LabRandom.key),
      var device = try store.read(Device.self, .device, state.deviceID)
    else {
      throw LabError(
        .badInput, "The store has no lab.", why: "Expected a lab with a device.",
        next: "Use another store: \(.start, with: [.store: "OTHER.sqlite"])")
    }
    // The world of a scenario, or a lab of an earlier version, does not mention the system's own broker.
    device.addOwnBroker()
    self.state = state
    self.device = device
    installed = try store.readAll(InstalledApp.self, .app, keyPrefix: device.id + "/")
      .map { $0.asInstalled(on: device.platform) }
    now = realTime.adding(seconds: state.clockOffset ?? 0)
    randomness = kept.source
    keyReader = SigningKeyReader()
    items = store.items(ofDevice: device.id)
    documents = store
    credentials = store.credentials(device: device.id)
    memories = [:]
    self.store = store
  }

  /// Creates a reader for the current state of an intent.
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

  /// A reader for many dry runs in sequence while nothing is written, which makes equal queries only once.
  var remembering: LabReader {
    var reader = self
    reader.credentials = RememberedCredentials(credentials)
    return reader
  }

  package var traces: TraceQueries { TraceQueries(store: store) }

  /// Returns the keys of all documents of a kind without opening them.
  func documentKeys(_ kind: DocumentKind) throws -> Set<String> { try store.documentKeys(kind) }

  package var directory: Directory { Directory(documents: documents) }

  /// Returns the app with a bundle ID, a display name, or an unambiguous part of one.
  ///
  /// - Throws: `LabError` with the most similar name.
  package func app(_ name: String) throws -> InstalledApp {
    do { return try installed.app(named: name, besides: documents) } catch let error as LabError {
      throw try naming(error, name)
    }
  }

  /// Returns the accounts of the broker.
  ///
  /// Without the broker app, no app can reach them.
  package func brokerAccounts() throws -> [BrokerAccount] {
    device.brokerVersion == nil ? [] : try storedBrokerAccounts
  }

  /// The accounts on the device, even without the broker app.
  var storedBrokerAccounts: [BrokerAccount] {
    get throws { try documents.readAll(BrokerAccount.self, .brokerAccount, keyPrefix: device.id + "/") }
  }

  /// The installed apps whose caches the lab simulates on the device's platform.
  var cachingApps: [InstalledApp] { device.simulationCheck == nil ? installed : [] }

  /// The sentence in place of the apps' accounts and tokens if the lab does not simulate their caches, or `nil`.
  package var cacheLimit: String? { device.simulationCheck.map { "\($0.reason)." } }

  /// Returns whether the items of an access group are shown.
  ///
  /// On a platform whose caches are not simulated, only external clients and imported caches have items.
  func shows(accessGroup: String) -> Bool {
    device.simulationCheck == nil
      || [ExternalClient.teamID + ".", ImportCache.accessGroup("")].contains { accessGroup.hasPrefix($0) }
  }

  /// Returns every access group that contains items or that an app is entitled to, sorted by name.
  package func accessGroups() throws -> [String] {
    Set(try items.accessGroups().filter(shows) + cachingApps.flatMap(\.entitledGroups)).sorted()
  }

  /// Returns every external client that has sent a request, sorted by client ID.
  func externalClients() throws -> [ExternalClient] {
    try documents.readAll(ExternalClient.self, .externalClient)
  }

  /// Returns the apps of the device and every external client.
  func allApps() throws -> [InstalledApp] { try installed + externalClients().map(\.asApp) }

  /// Returns the apps whose caches the lab has: the installed apps whose platform it simulates, and every
  /// external client.
  func appsWithCache() throws -> [InstalledApp] { try cachingApps + externalClients().map(\.asApp) }

  /// Returns the state of a refresh token from the provider's records, because a device cannot know it.
  ///
  /// The state of a token that the provider did not issue, such as an imported one, is unknown. The test
  /// app's `bad-refresh-token` counts as invalid.
  package func status(ofRefreshToken secret: String) throws -> TokenStatus {
    if secret == CredentialItem.invalidSecret { return TokenStatus(.invalid) }
    guard let record = try documents.refreshToken(secret: secret) else {
      return TokenStatus(.unknown)
    }
    if let revokedAt = record.revokedAt {
      let left = now.seconds(until: record.expiresAt)
      return record.revocation == nil || revokedAt > now || left <= 0
        ? TokenStatus(.invalid) : TokenStatus(.revoked, secondsLeft: left)
    }
    return TokenStatus(until: record.expiresAt, at: now)
  }

  /// Returns the state of an account's primary refresh token: its dates, unless the provider has revoked it.
  package func status(of account: BrokerAccount) throws -> TokenStatus {
    let issued = try status(ofRefreshToken: account.primaryRefreshToken)
    return [.revoked, .invalid].contains(issued.state)
      ? issued : TokenStatus(until: account.expiresOn, at: now)
  }

  /// Returns the state of an access or ID token by its dates and any later revocation.
  func status(of token: CredentialItem) throws -> TokenStatus {
    let byDates = TokenStatus(token, at: now)
    guard token.type == .accessToken, byDates.state.isUsable,
      try documents.hasRevocations(),
      let claims = PersonalTicket.claims(in: token.secret),
      try documents.revocation(ofAccessToken: claims) != nil
    else { return byDates }
    return TokenStatus(.revoked, secondsLeft: byDates.secondsLeft)
  }

  // MARK: Apps and their SDKs

  /// Returns the app's SDK for queries and dry runs.
  ///
  /// Its writes and requests change nothing.
  ///
  /// `trace` records the hops. If it is `nil`, they are not recorded.
  package func sdk(of app: InstalledApp, trace: TraceRecorder? = nil) -> any IdentitySDK {
    context(of: app, trace: trace).sdk
  }

  /// Returns the unified cache of the app's access group, whichever SDK the app uses, for queries.
  func cache(of app: InstalledApp) -> TokenCache { MSALClient(context(of: app, trace: nil)).cache }

  /// Returns the account in that cache with this username or home account ID, whether or not it is signed in
  /// to the app.
  func cachedAccount(_ name: String, of app: InstalledApp) throws -> SDKAccount? {
    try MSALClient(context(of: app, trace: nil)).listing.anyAccount(name)
  }

  private func context(of app: InstalledApp, trace: TraceRecorder?) -> AppContext {
    let trace = trace ?? TraceRecorder(isDisabled: true)
    let random = RandomSource(randomness)
    let documents = ScratchDocuments(over: documents)
    func provider(_ caller: Party) -> Provider {
      Provider(
        documents: documents, now: now, random: random, trace: trace, caller: caller, actor: app.bundleID,
        keyReader: keyReader)
    }
    let scratch = ScratchCredentials(over: credentials)
    let broker = Broker(
      context: BrokerContext(
        device: device, documents: documents, now: now, random: random, trace: trace,
        deviceKeychain: DeviceKeychain(scratch, of: device, now: now, trace),
        system: DryRunServices(
          app: app, device: device, provider: provider(.broker), broker: nil)),
      version: device.brokerVersion ?? "")
    return AppContext(
      app: app, device: device, installed: installed, now: now, random: random, trace: trace,
      keychain: Keychain(
        store: scratch, app: KeychainCaller(app), now: now, trace: trace, isLocked: device.locksKeychain,
        party: app.sdk.party),
      lastMetadata: lastMetadata,
      defaults: AppDefaults(documents: documents, key: device.id + "/" + app.bundleID),
      process: ProcessMemory(
        memories[app.bundleID]?.process ?? device.processes?[app.bundleID] ?? AppProcess()),
      system: DryRunServices(app: app, device: device, provider: provider(app.sdk.party), broker: broker))
  }
}

extension KeychainCaller {
  init(_ app: InstalledApp) {
    self.init(bundleID: app.bundleID, entitledGroups: app.entitledGroups)
    storage = app.builtDefaults.storage
  }
}

/// The services of a dry run.
///
/// The provider works on scratch documents, without a user or other apps.
private struct DryRunServices: SystemServices {
  let app: InstalledApp
  let device: Device
  let provider: Provider
  /// The broker, or `nil` for the services of the broker itself.
  let broker: Broker?

  func send(_ request: HTTPRequest) throws -> HTTPResponse { try provider.respond(to: request).received }
  func browse(_ request: HTTPRequest, in browser: WebBrowser) -> WebResult { .cancelled(page: nil) }
  func open(_ url: String, by call: BrokerCall) -> BrokerReturn { .empty(late: nil) }
  func leaveOnPasteboard(_ text: String) {}
  func deviceAccounts(knownTo bundleID: String?) throws -> [SDKAccount] {
    try broker?.accounts().sdkAccounts(knownTo: bundleID) ?? []
  }
  func askBrokerSilently(_ request: String) throws -> [NameValue] {
    guard let broker else { return [] }
    let call = device.brokerCall(for: app, isSilent: true) ?? .url
    return try broker.answerCall(request, from: app, by: call, isSilent: true)
  }
  func signOutOfBroker(homeAccountID: String, action: String, sent: [NameValue]) {}
  func choose(_ picker: AccountPicker) -> PickedAccount? { nil }
}

extension [InstalledApp] {
  /// Returns the app with a bundle ID, a display name, or an unambiguous part of one.
  ///
  /// `documents` are the lab's. An external client has a name too, but it is not an app that the lab can make
  /// calls for.
  ///
  /// - Throws: `LabError` with the most similar name.
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
      throw LabError.ambiguous(.ambiguousApp, "app", name, in: matches.map(\.bundleID))
    }
    return match
  }
}

extension CredentialItem {
  /// The value with which the SDK's test app replaces a refresh token to invalidate it
  /// (docs/behaviour/msal-cache.md §12).
  static let invalidSecret = "bad-refresh-token"
}

/// The lists of the lab, by subject.
extension LabReader {
  package var apps: AppQueries { AppQueries(reader: self) }
  package var accounts: AccountQueries { AccountQueries(reader: self) }
  package var tokens: TokenQueries { TokenQueries(reader: self) }
  package var branches: TokenBranches { TokenBranches(reader: self) }
  package var keychain: KeychainQueries { KeychainQueries(reader: self) }
  package var records: RecordQueries { RecordQueries(reader: self) }
  package var status: DeviceQueries { DeviceQueries(reader: self) }
  package var cache: CacheQueries { CacheQueries(reader: self) }
  package var names: KnownAccounts { KnownAccounts(reader: self) }
  package var provider: ProviderQueries { ProviderQueries(reader: self) }
  package var why: WhyQueries { WhyQueries(reader: self) }
}

extension LabReader {
  /// Returns the devices of the lab, sorted by ID.
  package func devices() throws -> [Device] { try documents.readAll(Device.self, .device, keyPrefix: "") }

  /// Returns the apps of the other devices, with their device.
  package func appsElsewhere() throws -> [(app: InstalledApp, device: Device)] {
    try devices().filter { $0.id != device.id }.flatMap { other in
      try documents.readAll(InstalledApp.self, .app, keyPrefix: other.id + "/").map {
        ($0.asInstalled(on: other.platform), other)
      }
    }
  }

  /// Whether the lab has more than one device.
  var hasSeveralDevices: Bool { get throws { try documentKeys(.device).count > 1 } }

  /// Returns whether another device also has an app with the ID.
  func isElsewhere(_ bundleID: String) throws -> Bool {
    guard try hasSeveralDevices else { return false }
    return try documentKeys(.app).contains { !$0.hasPrefix(device.id + "/") && $0.hasSuffix("/" + bundleID) }
  }

  /// Replaces the error about an unknown app by an error that names the app's device, if there is such a device.
  func naming(_ error: LabError, _ name: String) throws -> LabError {
    guard error.kind == .unknownApp, try hasSeveralDevices else { return error }
    let wanted = name.lowercased()
    let found = try appsElsewhere().first { app, _ in
      app.bundleID.lowercased().contains(wanted) || app.displayName.lowercased().contains(wanted)
    }
    guard let (app, other) = found else { return error }
    return LabError(
      .unknownApp, "\(app.displayName) is on \(other.title).",
      why: "The lab's calls are made on \(device.title).", next: "\(.useDevice, other.id)")
  }
}
