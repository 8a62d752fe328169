import Essentials
import SSOCore
import SSODevice
import SSOKeychain
import SSOProvider
import SSOReference
import SSOStore

/// The open transaction of one intent: the store, the clock, the random source, the answers given so far, and the trace.
///
/// It is the only place where the device's side (keychain, apps, SDK, broker: ``DeviceRuntime``) and the provider's side meet;
/// neither names the other.
package final class IntentTransaction {
  let store: StoreTransaction
  var state: LabState
  /// Written with ``saveDevice()``.
  var device: Device
  let installed: [InstalledApp]
  let now: Instant
  /// The source of this intent's random numbers.
  var random: RandomSource
  /// The lab's own generator.
  private let labRandom: RandomSource
  let trace: TraceRecorder
  let keyReader: SigningKeyReader
  /// Whether it is a request of an external client.
  private let isServed: Bool
  /// Whether its client needs values in discovery that Entra lacks.
  var isGeneric = false
  private(set) var correlationID = ""
  private var answers: [Answer]
  /// The approver that answers every prompt in the user's place, if set.
  var automaticApprover: AutomaticApprover?
  /// Prompts that were shown, in order.
  private(set) var prompts: [Prompt] = []
  /// The memories of the apps that ran in this intent, by bundle ID.
  private(set) var memories: [String: ProcessMemory] = [:]

  /// Prepares an intent, which the caller then runs.
  ///
  /// If `random` is `nil`, the lab's own generator is used. `isServed` marks a request of an external client, which
  /// undo does not revert.
  /// - Throws: `LabError` if the store does not contain a lab.
  init(
    _ store: StoreTransaction, realTime: Instant, answers: [Answer] = [], random: RandomSource? = nil,
    trace: TraceRecorder = TraceRecorder(), keyReader: SigningKeyReader = SigningKeyReader(),
    isServed: Bool = false
  ) throws {
    let start = try LabReader(store, realTime: realTime)
    self.store = store
    state = start.state
    device = start.device
    installed = start.installed
    now = start.now
    labRandom = RandomSource(start.randomness)
    self.random = random ?? labRandom
    self.answers = answers
    self.trace = trace
    self.keyReader = keyReader
    self.isServed = isServed
  }

  /// Saves the generator's state, which undo does not restore.
  func saveRandom() throws {
    try store.putOutsideJournal(encodeJSON(LabRandom(source: labRandom.source)), .lab, LabRandom.key)
  }

  func saveDevice() throws { try store.write(device, .device, device.id) }

  var credentials: any CredentialStore { store.credentials(device: device.id) }
  var directory: Directory { Directory(documents: store) }
  /// A read-only view of the lab's current state.
  var reader: LabReader { LabReader(self) }
  var runtime: DeviceRuntime { DeviceRuntime(transaction: self) }

  func provider(_ caller: Party, actor: String, machine: ManagedIdentityHost? = nil) -> Provider {
    Provider(
      documents: store, now: now, random: random, trace: trace, caller: caller, actor: actor,
      keyReader: keyReader, isServed: isServed, isGeneric: isGeneric, machine: machine)
  }

  /// The app with a bundle ID, a display name, or an unambiguous part of one.
  /// - Throws: `LabError`, with the nearest name.
  func app(_ name: String) throws -> InstalledApp { try reader.app(name) }

  /// Returns the next answer if it fits the prompt; otherwise, the flow stops here, and nothing is written.
  /// - Throws: `NeedsAnswer` if no answer fits.
  func ask(_ prompt: Prompt) throws -> Answer {
    prompts.append(prompt)
    if let answer = automaticApprover?.answer(prompt) { return answer }
    guard let answer = answers.first, prompt.takes(answer) else { throw NeedsAnswer(prompt: prompt) }
    answers.removeFirst()
    return answer
  }

  /// Whether user interaction was required.
  var hasPrompted: Bool { !prompts.isEmpty }
  var lastFailedCheck: Check? { trace.hops.flatMap(\.checks).last { $0.verdict == .failed } }

  /// The memory of the app's process, which everything in this intent shares.
  func memory(of app: InstalledApp) -> ProcessMemory {
    if let known = memories[app.bundleID] { return known }
    // The transaction retains the memory, so the memory must not retain the transaction.
    let (store, deviceID, bundleID) = (store, device.id, app.bundleID)
    let memory = ProcessMemory(device.processes?[bundleID] ?? AppProcess()) { process in
      try store.setProcess(process, of: bundleID, device: deviceID)
    }
    memories[bundleID] = memory
    return memory
  }

  /// Runs the intent.
  ///
  /// A refusal by an SDK or the keychain is an outcome; an unknown name throws.
  func run(_ intent: any Intent) throws -> Outcome {
    correlationID = random.upperUUID()
    do {
      return try intent.run(in: self)
    } catch let error as SDKError {
      return failure(error, of: nil)
    } catch let error as KeychainError {
      return Outcome(
        .failed, "The keychain returned: \(error.name).", errorDomain: MSALError.keychainDomain,
        errorCode: error.number, error: ReportedError(code: error.number), failedCheck: lastFailedCheck,
        prompted: hasPrompted)
    }
  }

  /// An SDK's refusal as an outcome, with its hop in the trace.
  ///
  /// `app` is `nil` if it is not known which app's call failed.
  func failure(_ error: SDKError, of app: InstalledApp?) -> Outcome {
    let actor = app?.bundleID ?? ""
    trace.add(app?.sdk.party ?? .sdk, .app, actor: actor, "error", result: error.printed)
    return Outcome(
      error, of: actor, prompted: hasPrompted, failedCheck: error.failedCheck ?? lastFailedCheck)
  }
}

extension DocumentStore {
  /// Saves an app's process, or terminates it.
  ///
  /// Reads the device again, because this intent may have changed it.
  func setProcess(_ process: AppProcess?, of bundleID: String, device id: String) throws {
    guard var device = try read(Device.self, .device, id) else { return }
    device.processes = device.processes ?? [:]
    device.processes?[bundleID] = process
    try write(device, .device, id)
  }
}

/// Stops a flow that needs one more answer.
struct NeedsAnswer: Error {
  var prompt: Prompt
}

extension IntentTransaction {
  /// Revokes tokens if the change of a record requires it: a new password, a disabled account, or a new
  /// policy.
  func revokeTokens(after change: (before: Data, after: Data), of kind: RecordKind) throws {
    switch kind {
    case .person:
      let before = try decodeJSON(DirectoryUser.self, from: change.before)
      let after = try decodeJSON(DirectoryUser.self, from: change.after)
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

/// The effects of a configuration change on the apps' next silent calls.
struct ChangeEffects {
  private let before: [AppRow]

  /// Records the state before the change.
  init(before transaction: IntentTransaction) throws {
    let apps = AppQueries(reader: transaction.reader)
    before = try transaction.installed.flatMap { try apps.rows(of: $0) }
  }

  /// Returns a line for each app whose next silent call, broker use, or sharing has changed.
  func lines(after transaction: IntentTransaction) throws -> [Advice] {
    let offset = transaction.state.clockOffset ?? 0
    let reader = try LabReader(transaction.store, realTime: transaction.now.adding(seconds: -offset))
    let apps = AppQueries(reader: reader)
    let after = try reader.installed.flatMap { try apps.rows(of: $0) }
    // An app has a row for each account; the first one names its broker and its group.
    var told: Set<String> = []
    return before.compactMap { old -> Advice? in
      guard
        let new = after.first(where: { $0.id == old.id })
          ?? after.first(where: { $0.bundleID == old.bundleID })
      else { return nil }
      var parts: [String] = []
      if old.next.sentence != new.next.sentence {
        let whose = old.account == nil ? "" : "for \(old.accounts.joined()) "
        parts.append("next call \(whose)\(new.next.predicate) (before: \(old.next.sentence))")
      }
      guard told.insert(old.bundleID).inserted || !parts.isEmpty else { return nil }
      if old.broker != new.broker { parts.append("broker \(new.broker) (before: \(old.broker))") }
      if old.sharesGroupWith != new.sharesGroupWith {
        parts.append("shares its group with \(otherApps(of: new)) (before: \(otherApps(of: old)))")
      }
      return parts.isEmpty ? nil : "\(old.displayName): \(parts.joined(separator: "; "))"
    }
  }

  private func otherApps(of row: AppRow) -> String {
    row.sharesGroupWith.isEmpty ? "no app" : row.sharesGroupWith.joined(separator: ", ")
  }
}

extension IntentTransaction {
  /// Makes a configuration change and reports its effects on the apps in the outcome.
  func reportingEffects(_ change: () throws -> Outcome) throws -> Outcome {
    let effects = try ChangeEffects(before: self)
    var outcome = try change()
    outcome.effects = try effects.lines(after: self)
    return outcome
  }
}

extension IntentTransaction {
  /// Returns the outcome of a call of an app that another device also has, with the platform of the call.
  func namingPlatform(_ outcome: Outcome, of intent: any Intent) throws -> Outcome {
    // The cast costs more than the question, whose answer is “no” for nearly every lab.
    guard try reader.hasSeveralDevices, let app = (intent as? any AppIntent)?.app,
      try reader.isElsewhere(app)
    else { return outcome }
    var outcome = outcome
    outcome.summary = "On \(device.platform.rawValue): \(outcome.summary)"
    return outcome
  }
}
