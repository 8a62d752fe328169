import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOStore

/// One intent while it runs: the open transaction, the clock, the generator, the trace, and the answers given so far.
///
/// It joins the two sides, which never name each other: the device's (keychain, apps, SDK, broker) and the provider's.
final class Stage {
  let transaction: StoreTransaction
  var state: LabState
  var device: Device
  let installed: [InstalledApp]
  let now: Instant
  /// Where this intent's chance comes from.
  var chance: Chance
  /// The lab's own generator.
  private let labChance: Chance
  let trace = TraceRecorder()
  private var answers: [Answer]
  let keyReader: SigningKeyReader
  /// Answers every prompt in a person's place, if somebody does.
  var standIn: AutomaticPerson?
  private var memories: [String: ProcessMemory] = [:]
  /// Prompts that were shown, in order.
  private(set) var prompts: [Prompt] = []

  /// - Throws: `LabError` if the store holds no lab.
  init(
    _ transaction: StoreTransaction, realTime: Instant, answers: [Answer] = [], chance: Chance? = nil,
    keyReader: SigningKeyReader = SigningKeyReader()
  ) throws {
    guard let state = try transaction.read(LabState.self, .lab, LabState.key),
      let kept = try transaction.read(LabChance.self, .lab, LabChance.key),
      let device = try transaction.read(Device.self, .device, state.deviceID)
    else {
      throw LabError(
        .badInput, "The store holds no lab.", why: "Expected a lab with a device, found none.",
        next: "Start another store: ssoterm --store OTHER.sqlite")
    }
    self.transaction = transaction
    self.state = state
    self.device = device
    installed = try transaction.readAll(InstalledApp.self, .app, keyPrefix: device.id + "/")
      .map(\.withDefaultRedirectURI)
    now = realTime.adding(seconds: state.clockOffset ?? 0)
    labChance = Chance(kept.source)
    self.chance = chance ?? labChance
    self.answers = answers
    self.keyReader = keyReader
  }

  /// Keeps the generator's place; not part of what undo takes back.
  func saveChance() throws {
    try transaction.putOutsideJournal(encodeJSON(LabChance(source: labChance.source)), .lab, LabChance.key)
  }

  var credentials: any CredentialStore { transaction.credentials(device: device.id) }
  /// The keychain items of the device, for lists and counts.
  var deviceItems: DeviceItems { transaction.items(ofDevice: device.id) }

  /// The next answer if it fits the prompt; else the flow stops here, and nothing of it is written.
  func ask(_ prompt: Prompt) throws -> Answer {
    prompts.append(prompt)
    if let standIn { return standIn.answer(prompt) }
    guard let answer = answers.first, prompt.takes(answer) else { throw NeedsAnswer(prompt: prompt) }
    answers.removeFirst()
    return answer
  }

  func keychain(of app: InstalledApp) -> Keychain {
    Keychain(
      store: credentials,
      app: KeychainCaller(
        bundleID: app.bundleID, displayName: app.displayName, entitledGroups: app.entitledGroups),
      now: now, trace: trace, isLocked: device.isLocked)
  }

  func client(_ app: InstalledApp) -> MSALClient { MSALClient(surroundings(of: app)) }

  func surroundings(of app: InstalledApp) -> AppSurroundings {
    AppSurroundings(
      app: app, device: device, installed: installed, now: now, chance: chance, trace: trace,
      keychain: keychain(of: app),
      defaults: AppDefaults(documents: transaction, key: device.id + "/" + app.bundleID),
      process: memory(of: app),
      send: { try self.provider(.sdk, actor: app.bundleID).respond(to: $0).received },
      browse: { request in
        try self.browse(request, jar: self.device.cookieJar(of: app), by: .sdk, actor: app.bundleID)
      },
      open: { try self.open($0, from: app) },
      pasteboard: { try self.transaction.write($0, .pasteboard, self.device.id + "/WPJ") },
      deviceAccounts: {
        try self.brokerAccounts().map {
          MSALAccount(
            identifier: $0.homeAccountID, username: $0.username,
            environment: EnvironmentAliases.publicCloud.preferredCache(for: "login.microsoftonline.com"))
        }
      })
  }

  /// What the app's process remembers, one for all that happens in this intent.
  func memory(of app: InstalledApp) -> ProcessMemory {
    if let known = memories[app.bundleID] { return known }
    // The stage keeps the memory, so the memory must not keep the stage.
    let (transaction, deviceID, bundleID) = (transaction, device.id, app.bundleID)
    let memory = ProcessMemory(device.processes?[bundleID] ?? AppProcess()) { process in
      try transaction.setProcess(process, of: bundleID, device: deviceID)
    }
    memories[bundleID] = memory
    return memory
  }

  func provider(_ caller: Party, actor: String) -> Provider {
    Provider(
      documents: transaction, now: now, chance: chance, trace: trace, caller: caller, actor: actor,
      keyReader: keyReader)
  }
}

extension DocumentStore {
  /// Keeps an app's process, or ends it. The device is read again: somebody else may have changed it in this intent.
  func setProcess(_ process: AppProcess?, of bundleID: String, device id: String) throws {
    guard var device = try read(Device.self, .device, id) else { return }
    device.processes = device.processes ?? [:]
    device.processes?[bundleID] = process
    try write(device, .device, id)
  }
}

/// Stops a flow that needs an answer it was not given.
struct NeedsAnswer: Error {
  var prompt: Prompt
}

extension Prompt {
  /// Whether the answer is one to this prompt; Esc is one to every.
  func takes(_ answer: Answer) -> Bool {
    switch (self, answer) {
    case (_, .cancel), (.chooseAccount, .account), (.chooseAccount, .useAnotherAccount), (.consent, .accept):
      true
    case (.signIn(let page), .username): page.asks == .username
    case (.signIn(let page), .password): page.asks == .password
    case (.signIn(let page), .verification):
      if case .verification = page.asks { true } else { false }
    default: false
    }
  }
}
