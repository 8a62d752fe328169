import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReference

/// A search for the world in which the lab's call fails as the sources show.
///
/// Each candidate is tried with the real engine. The one whose failure, sentence and steps are nearest is made minimal,
/// and the changes that let its call succeed are proved by running them.
package struct Reproducer {
  let evidence: Evidence
  private let keepsIDs: Bool
  private var setting: LabSetting

  /// The number of candidates that are shown if several remain.
  private static let mostShown = 4
  /// The number of causes that may stand behind one another.
  private static let deepest = 3

  package init(_ evidence: Evidence, keepsIDs: Bool = false) {
    (self.evidence, self.keepsIDs) = (evidence, keepsIDs)
    setting = LabSetting(evidence, keepsIDs: keepsIDs)
  }

  /// A world that was tried.
  struct Candidate {
    /// The cause, or `nil` for the project as it is.
    var cause: Cause?
    var attempt: Attempt
    var failure: Failure
    var trace: Trace
    var comparison: FailureComparison
    /// Whether the SDK's sentence is in the source.
    var hasSentence = false
    var sharedSteps = 0

    /// The rank; of two candidates the higher one is nearer.
    var rank: [Int] { [comparison.level.rawValue, hasSentence ? 1 : 0, sharedSteps] }
  }

  /// Searches, and returns what was found.
  package consuming func reproduce() -> Reproduction {
    guard setting.isProject || !evidence.failure.isEmpty else {
      return Reproduction(evidence, setting, keepsIDs: keepsIDs, nil)
    }
    var found = search()
    if setting.isProject, (found.first?.comparison.level ?? .different) < .number, !evidence.failure.isEmpty {
      // The project's own mistake, if it has one, is another: the cause is searched with an app that has none.
      let project = (setting, found)
      setting = LabSetting(evidence, keepsIDs: keepsIDs, usesProject: false)
      found = search()
      if (found.first?.comparison.level ?? .different) < .number { (setting, found) = project }
    }
    guard let best = found.first, best.cause == nil || best.comparison.level > .different else {
      return Reproduction(evidence, setting, keepsIDs: keepsIDs, nil)
    }
    let minimal = minimised(best)
    var result = Reproduction.Lab(
      attempt: minimal.attempt, failure: minimal.failure, trace: minimal.trace, comparison: minimal.comparison
    )
    result.cause = best.cause?.name
    result.causeText = best.cause.map { setting.filled($0.text, evidence) }
    result.check = minimal.trace.outcome?.failedCheck
    let equals = found.prefix(Self.mostShown).filter { $0.rank == best.rank }
    if equals.count > 1 {
      result.alternatives = equals.compactMap(\.cause).map { cause in
        Reproduction.Alternative(
          name: cause.name, text: setting.filled(cause.text, evidence),
          question: setting.filled(cause.question, evidence))
      }
    }
    result.changes = changes(for: minimal)
    return Reproduction(evidence, setting, keepsIDs: keepsIDs, result)
  }

  // MARK: - Candidates

  /// Returns the candidates that fail, the nearest first.
  private func search() -> [Candidate] {
    var found: [Candidate] = []
    if setting.isProject {
      found = projectAttempts.compactMap { attempt in
        candidate(nil, attempt).map { candidate in
          var candidate = candidate
          // Without an error of a source, the project's first failure is the one to reproduce.
          if evidence.failure.isEmpty { candidate.comparison = .ofProject }
          return candidate
        }
      }
      if let best = found.first(where: { $0.comparison.level == .same }) { return [best] }
      if evidence.failure.isEmpty { return found }
    }
    for cause in Cause.candidates(for: evidence.failure) {
      guard let attempt = attempt(for: cause), let candidate = candidate(cause, attempt) else { continue }
      found.append(candidate)
    }
    // A stable order: the table's rows are in the order of how often they are met.
    return found.enumerated().sorted { one, other in
      one.element.rank == other.element.rank
        ? one.offset < other.offset : other.element.rank.lexicographicallyPrecedes(one.element.rank)
    }.map(\.element)
  }

  /// The attempts with the project as it is: without the broker, and with it.
  private var projectAttempts: [Attempt] {
    let steps = [step(.interactive), step(.silent)]
    let broker = setting.world(with: [.broker], evidence)
    let plain = Attempt(world: setting.world, steps: steps)
    let all = [plain] + (broker.map { [Attempt(world: $0, steps: steps)] } ?? [])
    return evidence.isSilent == false ? all.map { Attempt(world: $0.world, steps: [steps[0]]) } : all
  }

  func attempt(for cause: Cause) -> Attempt? {
    guard let world = setting.world(with: cause.changes, evidence) else { return nil }
    let before = cause.before.map { before in
      switch before {
      case .signIn: step(.interactive)
      case .action(let title, let action): Attempt.Step(title, setting.filled(action, evidence))
      }
    }
    return Attempt(world: world, steps: before + [step(cause.call)])
  }

  /// The answers of a person who makes no mistake; what is not asked for is not used.
  private static let answers: YAMLValue = [
    "choose": "$user", "username": "$user", "password": "$password", "consent": "accept",
  ]

  private func step(_ call: Cause.Call) -> Attempt.Step {
    let isSilent = call.verb == "silent"
    let fixed: [YAMLValue.Entry] = [.init("app", "$app")] + (isSilent ? [.init("account", "$user")] : [])
    let action = YAMLValue.map([.init(call.verb, .map(fixed + call.fields))])
    return Attempt.Step(
      isSilent ? "The app asks silently" : "The person signs in", setting.filled(action, evidence),
      answers: isSilent ? nil : setting.filled(call.answers ?? Self.answers, evidence))
  }

  /// Runs an attempt, and returns it if a call fails.
  func candidate(_ cause: Cause?, _ attempt: Attempt) -> Candidate? {
    let result = attempt.run()
    guard let failure = result.failure, let trace = result.trace else { return nil }
    var attempt = attempt
    attempt.steps = Array(attempt.steps.prefix(result.step))
    let sentence = (trace.outcome?.summary ?? "").split(separator: " ").prefix(4).joined(separator: " ")
    return Candidate(
      cause: cause, attempt: attempt, failure: failure, trace: trace,
      comparison: FailureComparison(failure, with: evidence.failure),
      hasSentence: sentence.count > 12 && evidence.sentences.contains { $0.contains(sentence) },
      sharedSteps: evidence.showsSteps ? StepComparison(evidence.steps, trace.hops).shared : 0)
  }

  // MARK: - The least world

  /// Drops what is not needed for the same failure.
  private func minimised(_ candidate: Candidate) -> Candidate {
    var best = candidate
    func keep(_ attempt: Attempt) {
      let result = attempt.run()
      guard result.step == attempt.steps.count, result.failure == best.failure, let trace = result.trace,
        trace.outcome?.failedCheck?.name == best.trace.outcome?.failedCheck?.name
      else { return }
      (best.attempt, best.trace) = (attempt, trace)
    }
    // A sign-in before the call stays, or no change alone would mend the call.
    for index in best.attempt.steps.indices.reversed() where !best.attempt.steps[index].isCall {
      var attempt = best.attempt
      attempt.steps.remove(at: index)
      keep(attempt)
    }
    if best.attempt.world.device.brokerVersion != nil {
      var attempt = best.attempt
      (attempt.world.device.brokerVersion, attempt.world.brokerAccounts) = (nil, [])
      keep(attempt)
    }
    guard setting.isProject else { return best }
    for reduced in reducedApps(of: best.attempt.world.apps[0]) {
      var attempt = best.attempt
      var app = attempt.world.apps[0]
      guard let field = InstalledApp.fields.first(where: { $0.description.name == reduced.name }),
        field.assign(&app, reduced.value)
      else { continue }
      attempt.world.apps[0] = app
      keep(attempt)
    }
    return best
  }

  /// The fields of an app that differ from the defaults, each with its default.
  private func reducedApps(of app: InstalledApp) -> [(name: String, value: JSONValue)] {
    let defaults = PlatformDefaults(app.platform ?? setting.device.platform, app.sdk).app(
      bundleID: app.bundleID, teamID: app.teamID, clientID: app.clientID, vendor: app.vendor)
    let kept: Set = ["bundleID", "clientID", "vendor", "teamID", "authority"]
    return app.fieldNames(differingFrom: defaults).filter { !kept.contains($0) }
      .compactMap { name in defaults.value(of: name).map { (name, $0) } }
  }

  // MARK: - The change that mends it

  /// Returns the changes that let the call succeed, each proved by a run.
  func changes(for candidate: Candidate) -> [Reproduction.Change] {
    let mends = mends(candidate.cause, candidate.failure, candidate.trace)
    var proved: [Reproduction.Change] = []
    for mend in mends where proved.count < 2 {
      guard !proved.contains(where: { $0.kind == mend.kind }) else { continue }
      if let change = prove(mend, in: candidate.attempt, after: candidate.failure, depth: 1) {
        proved.append(change)
      }
    }
    // The change that needs no second one comes first.
    return proved.filter { $0.failsThen == nil } + proved.filter { $0.failsThen != nil }
  }

  /// Returns the change if the call succeeds after it, or after it and the changes for what fails then.
  private func prove(
    _ mend: Cause.Mend, in attempt: Attempt, after failure: Failure, depth: Int
  ) -> Reproduction.Change? {
    let mended = applying(mend, to: attempt)
    let result = mended.run()
    guard result.problem == nil, let trace = result.trace else { return nil }
    var change = Reproduction.Change(
      kind: mend.kind, text: setting.filled(mend.text, evidence), attempt: mended, mend: mend)
    guard let next = result.failure else { return change }
    guard next != failure, depth < Self.deepest else { return nil }
    for mend in mends(nil, next, trace) {
      if let second = prove(mend, in: mended, after: next, depth: depth + 1) {
        (change.failsThen, change.attempt) = (next, second.attempt)
        change.next = [second]
        return change
      }
    }
    return nil
  }

  /// Returns the changes to try, from the cause, from the failed check, and from the other causes of the codes.
  private func mends(_ cause: Cause?, _ failure: Failure, _ trace: Trace) -> [Cause.Mend] {
    let remedy = trace.outcome?.failedCheck?.remedy.flatMap { Cause.Mend($0) }
    let others = Cause.candidates(for: failure)
    // The check knows the values of this project; a row knows those of its own world.
    let all =
      (setting.isProject ? [remedy].compactMap(\.self) : []) + (cause?.mends ?? [])
      + (setting.isProject ? [] : [remedy].compactMap(\.self)) + others.flatMap(\.mends)
    return all.reduce(into: []) { list, mend in if !list.contains(mend) { list.append(mend) } }
  }

  private func applying(_ mend: Cause.Mend, to attempt: Attempt) -> Attempt {
    var attempt = attempt
    let steps = mend.steps.map { action in
      var step = Attempt.Step("The change", setting.filled(action, evidence))
      step.isChange = true
      return step
    }
    let place = mend.moment == .start ? 0 : attempt.steps.count - 1
    attempt.steps.insert(contentsOf: steps, at: place)
    if let call = mend.call {
      attempt.steps.removeLast()
      attempt.steps.append(step(call))
    }
    return attempt
  }
}

extension Cause.Mend {
  /// The change that a failed check proposes.
  fileprivate init?(_ remedy: Remedy) {
    let field = String(remedy.change.prefix { $0.isLetter })
    let kind: Kind =
      switch (remedy.kind, field) {
      case (.registration, _): .registration
      case (.person, _): .account
      case (.device, _): .device
      case (.app, "urlSchemes"), (.app, "queriesSchemes"): .plist
      case (.app, "keychainAccessGroups"): .entitlement
      case (.app, _): .code
      }
    self.init(
      kind: kind, text: Self.words(field, remedy.change),
      steps: [
        [
          "set": .map([
            .init(remedy.kind.rawValue, .text(remedy.record)), .init("fields", [.text(remedy.change)]),
          ])
        ]
      ])
  }

  private static func words(_ field: String, _ change: String) -> String {
    let value = change.drop { $0 != "=" }.dropFirst()
    switch field {
    case "urlForwarding" where value == "sceneDelegate" || value == "both":
      return
        "Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:) of the scene delegate."
    case "urlForwarding":
      return
        "Call MSALPublicClientApplication.handleMSALResponse in application(_:open:options:) of the app delegate."
    case "urlSchemes": return "Info.plist: add \(value) to CFBundleURLTypes › CFBundleURLSchemes."
    case "queriesSchemes": return "Info.plist: add \(value) to LSApplicationQueriesSchemes."
    case "keychainAccessGroups": return "Entitlements: set keychain-access-groups to \(value)."
    case "redirectURI": return "Set the redirect URI in the code to \(value)."
    case "authority": return "Set the authority in the code to \(value)."
    case "redirectURIs": return "App registrations › Authentication: add the redirect URI \(value)."
    default: return "Change \(change)."
    }
  }
}
