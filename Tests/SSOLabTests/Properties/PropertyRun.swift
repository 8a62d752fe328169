import Foundation

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider
@testable import SSOScenarios
@testable import SSOStore

/// One generated lab while things happen in it, and the problems that were found.
struct PropertyRun {
  let lab: Lab
  var intents: GeneratedIntents
  var failures: [String] = []
  /// The results of the silent calls whose predictions were compared.
  private(set) var met: Set<Prediction.Kind> = []
  private var count = 0
  private var known: [KeychainKey: Data] = [:]
  private var story: [String] = []

  init(seed: UInt64, on engine: TestEngine = .sqlite, platform: Platform? = nil) throws {
    var world = GeneratedWorld(seed: seed, on: platform)
    let file = world.file()
    lab = try engine.lab(file)
    intents = GeneratedIntents(random: world.random, apps: file.world.apps, people: file.world.people)
    known = try items()
  }

  /// Performs one intent, with the answers that it needs.
  mutating func takeAStep() throws {
    let intent = try intents.next(lab.read { try $0.tokens.rows() })
    count += 1
    story.append(intent.displayText)
    let predicted = try prediction(of: intent)
    let apps = try lab.read { $0.installed }
    let outcome = try perform(intent)
    let after = try items()
    checkGroups(intent, apps, before: known, after: after)
    known = after
    if let predicted, let outcome { compare(predicted, outcome, intent) }
  }

  /// Compares the prediction of `acquireSilently` for every app and account with the call, which is undone at once.
  mutating func compareEveryPrediction() throws {
    for app in intents.apps.map(\.bundleID) {
      for account in [nil] + intents.people.map(\.username) {
        let intent = AcquireSilently(app: app, account: account, scopes: [], forceRefresh: false)
        let predicted = try lab.read { try $0.apps.prediction(app: app, account: account) }
        let why = try lab.read { try $0.why.app(app) }
        let journal = try lab.store.journal(limit: 1).first?.id
        guard let outcome = try perform(intent) else { continue }
        compare(predicted, outcome, intent)
        if account == nil, why.holds != (outcome.verdict == .succeeded) {
          fail("\(intent.displayText): why says \(why.answer), came \(outcome.summary)")
        }
        if account == nil, let reason = outcome.failedCheck?.reason, !why.answer.contains(reason) {
          fail("\(intent.displayText): why says \(why.answer), the outcome \(reason)")
        }
        // Only this call: the lab's undo also takes back the change before a call that only read.
        if try lab.store.journal(limit: 1).first?.id != journal { _ = try lab.store.undo(at: lab.realTime()) }
      }
    }
  }

  /// Undoes what a user would, and then the calls before it that a user would not think of.
  mutating func undoAll() throws -> Dump {
    while try lab.undo() != nil {}
    while try lab.store.undo(at: lab.clock()).entry != nil {}
    return try dump()
  }

  func traces() throws -> [TraceRecord] {
    try lab.store.read { reading in
      try reading.traces(limit: 1000).compactMap { try reading.trace(id: $0.id) }
    }
  }

  func dump() throws -> Dump {
    let groups = try lab.read { stage in try stage.accessGroups() }
    var dump = try Dump(lab.store, devices: ["device-1"], groups: groups)
    dump.items += try lab.read {
      try $0.credentials.items(matching: KeychainQuery(accessGroups: groups, itemClass: .key))
    }
    // The generator's position is not restored, because a repeated intent must not generate the same secrets. Neither
    // are signing keys, because what they signed was issued.
    dump.documents = dump.documents.filter {
      !$0.key.hasPrefix("lab \(LabRandom.key)") && !$0.key.hasPrefix("\(DocumentKind.signingKey) ")
    }
    return dump
  }

  // MARK: - Checks

  private func prediction(of intent: any Intent) throws -> Prediction? {
    guard let call = intent as? AcquireSilently, call.scopes.isEmpty, !call.forceRefresh else { return nil }
    return try lab.read { try $0.apps.prediction(app: call.app, account: call.account) }
  }

  private mutating func compare(_ predicted: Prediction, _ outcome: Outcome, _ intent: any Intent) {
    let found = Prediction.Kind(outcome)
    met.insert(found)
    if predicted.kind != found {
      fail(
        "\(intent.displayText): predicted \(predicted.kind) (\(predicted.sentence)), came \(found): \(outcome.summary)"
      )
    } else if outcome.failedCheck != predicted.checks.firstFailure {
      let failed = outcome.failedCheck
      fail(
        "\(intent.displayText): predicted \(predicted.sentence) for \(predicted.checks.firstFailure?.name ?? "nothing"), but \(failed?.name ?? "nothing") failed: \(failed?.found ?? "")"
      )
    } else if let reason = outcome.failedCheck?.reason,
      predicted.reason != reason || !predicted.sentence.contains(reason)
    {
      fail("\(intent.displayText): predicted \(predicted.sentence), but the outcome says \(reason)")
    }
  }

  /// Checks that nothing is written outside the groups that the acting app is entitled to.
  ///
  /// The device's own groups belong to the broker.
  private mutating func checkGroups(
    _ intent: any Intent, _ apps: [InstalledApp], before: [KeychainKey: Data], after: [KeychainKey: Data]
  ) {
    let actor: String? =
      switch intent {
      case is SignIn, is AcquireSilently, is SignOut, is TransferAccount: (intent as? any AppIntent)?.app
      default: nil
      }
    let entitled = apps.filter { actor == nil || $0.bundleID == actor }.flatMap(\.entitledGroups)
    let ofBrokers = Platform.allCases.flatMap { [$0.workplaceJoinGroup, $0.secondWorkplaceJoinGroup] }
    let allowed = Set(entitled + ofBrokers)
    for (key, data) in after where before[key] != data && !allowed.contains(key.accessGroup) {
      // An edit by hand changes any item in place.
      if actor == nil, before[key] != nil { continue }
      fail("\(intent.displayText) wrote \(key.service) into \(key.accessGroup)")
    }
  }

  private mutating func fail(_ what: String) {
    failures.append("\(what)\n  after: \(story.suffix(12).joined(separator: " · ")) (\(count))")
  }

  private func items() throws -> [KeychainKey: Data] {
    try lab.read { stage in
      let found = try [KeychainClass.genericPassword, .key].flatMap {
        try stage.credentials.items(
          matching: KeychainQuery(accessGroups: try stage.accessGroups(), itemClass: $0))
      }
      return Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.data) })
    }
  }

  /// Performs the intent, or returns `nil` if the lab does not know a name in it, or if the prompts never end.
  private mutating func perform(_ intent: any Intent) throws -> Outcome? {
    do {
      return try intents.perform(intent, on: lab)?.outcome
    } catch {
      fail("\(intent.displayText) threw \(error)")
      return nil
    }
  }
}

extension Dump {
  /// Returns the documents and items that differ, for the message of a failure.
  func difference(from other: Dump) -> [String] {
    let keys = Set(documents.keys).union(other.documents.keys).filter { documents[$0] != other.documents[$0] }
    let mine = Set(items.map { "\($0)" })
    return keys.sorted()
      + mine.symmetricDifference(other.items.map { "\($0)" }).sorted().map { String($0.prefix(160)) }
  }
}
