import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReference

/// A search for the world in which the lab's call fails as the sources show.
///
/// Each candidate is tried with the real engine. The candidate whose failure, sentence, and steps are nearest is made
/// minimal, and the changes that let its call succeed are proved by running them.
package struct Reproducer {
  let evidence: Evidence
  private let keepsIDs: Bool
  /// The setting of the app; programs have others.
  private var appSetting: LabSetting

  /// The number of candidates that are shown if several remain.
  private static let mostShown = 4
  /// The maximum number of causes that may follow one another.
  private static let deepest = 3
  /// The number of callers that are tried for one cause.
  private static let mostCallers = 2

  /// - Parameters:
  ///   - evidence: The facts that the sources show.
  ///   - chosen: The values that the user has set in place of assumptions.
  ///   - keepsIDs: Whether tenant and username are those of the sources.
  package init(_ evidence: Evidence, _ chosen: [EvidenceFact.Name: String] = [:], keepsIDs: Bool = false) {
    var evidence = keepsIDs ? evidence : evidence.withoutNames
    for (name, value) in chosen { evidence.assume(value, as: name) }
    (self.evidence, self.keepsIDs) = (evidence, keepsIDs)
    appSetting = LabSetting(evidence, keepsIDs: keepsIDs)
  }

  /// Returns the setting in which a caller makes its calls.
  func setting(of caller: Caller) -> LabSetting {
    caller == appSetting.caller ? appSetting : LabSetting(evidence, keepsIDs: keepsIDs, caller: caller)
  }

  /// A world that was tried.
  struct Candidate {
    /// The cause, or `nil` for the project as it is.
    var cause: Cause?
    var setting: LabSetting
    var attempt: Attempt
    var failure: Failure
    var trace: Trace
    var comparison: FailureComparison
    /// The difference between the call or its caller and the source's, or `nil` if no source shows one.
    var difference: String?
    /// The degree to which the caller is that of the source.
    var fit = 0
    /// Whether the SDK's sentence is in the source.
    var hasSentence = false
    var sharedSteps = 0

    /// The rank; of two candidates the higher one is nearer.
    var rank: [Int] {
      [comparison.level.rawValue, difference == nil ? 1 : 0, fit, hasSentence ? 1 : 0, sharedSteps]
    }
    /// Whether everything that the sources show is the same.
    var isSame: Bool { comparison.level == .same && difference == nil }
  }

  /// Searches for the world, and returns the result.
  package consuming func reproduce() -> Reproduction {
    guard appSetting.isProject || !evidence.failure.isEmpty else {
      return Reproduction(evidence, appSetting, keepsIDs: keepsIDs, nil)
    }
    var found = search()
    if appSetting.isProject, (found.first?.comparison.level ?? .different) < .number,
      !evidence.failure.isEmpty
    {
      // The project's own mistake, if any, is a different one, so search for the cause with an app that has no mistake.
      let project = (appSetting, found)
      appSetting = LabSetting(evidence, keepsIDs: keepsIDs, usesProject: false)
      found = search()
      if (found.first?.comparison.level ?? .different) < .number { (appSetting, found) = project }
    }
    guard let best = found.first, best.cause == nil || best.comparison.level > .different else {
      let usual = appSetting.isProject ? nil : evidence.caller.programs.first ?? evidence.caller.apps.first
      return Reproduction(evidence, setting(of: usual ?? appSetting.caller), keepsIDs: keepsIDs, nil)
    }
    let minimal = minimised(best)
    var result = Reproduction.Lab(
      caller: best.setting.caller, attempt: minimal.attempt, failure: minimal.failure, trace: minimal.trace,
      comparison: minimal.comparison, difference: minimal.difference)
    result.cause = best.cause?.name
    result.causeText = best.cause.map { best.setting.filled($0.text, evidence) }
    result.check = minimal.trace.outcome?.failedCheck
    let equals = found.prefix(Self.mostShown).filter {
      $0.rank == best.rank || $0.comparison.mayBeOnClosedPage
    }
    if equals.count > 1 {
      for equal in equals {
        guard let cause = equal.cause else { continue }
        let other = Reproduction.Alternative(
          name: cause.name, text: equal.setting.filled(cause.text, evidence),
          question: equal.setting.filled(cause.question, evidence))
        // One cause may affect a user at the sign-in and later.
        if !result.alternatives.contains(where: { $0.text == other.text }) {
          result.alternatives.append(other)
        }
      }
    }
    result.changes = changes(for: minimal)
    return Reproduction(evidence, best.setting, keepsIDs: keepsIDs, result)
  }

  // MARK: - Candidates

  /// Returns the candidates that fail, the nearest first.
  private func search() -> [Candidate] {
    var found: [Candidate] = []
    if appSetting.isProject {
      found = projectCandidates
      if let best = found.first(where: \.isSame) { return [best] }
      if evidence.failure.isEmpty { return found }
    }
    found += Cause.candidates(for: evidence.failure).filter(evidence.allows).compactMap(nearest)
    // A stable order: the table's rows are in order of frequency.
    return found.enumerated().sorted { one, other in
      one.element.rank == other.element.rank
        ? one.offset < other.offset : other.element.rank.lexicographicallyPrecedes(one.element.rank)
    }.map(\.element)
  }

  private static let illegalArgument = "IllegalArgumentException"

  /// The failures of the project as it is, beginning with the failures that do not depend on an unread value.
  private var projectCandidates: [Candidate] {
    let setting = appSetting.taking(appSetting.unread)
    var known = failures(of: setting)
    if known.isEmpty {
      // Values that were not read do not excuse what the doctor saw in the files.
      let seen = evidence.codesOfFindings
      known = failures(of: appSetting).filter { !seen.isDisjoint(with: $0.failure.codes) }
    }
    // What only the doctor checks in a configuration fails as the doctor says, and before MSAL looks at the manifest.
    let isFirst =
      evidence.failure.isEmpty && evidence.configurationFinding?.refusal?.code == Self.illegalArgument
      && !known.contains { $0.failure.domain == Self.illegalArgument }
    if known.isEmpty || isFirst, let refused = setting.refusingConfiguration(evidence) {
      known = failures(of: refused)
    }
    if known.isEmpty, let (signed, place) = setting.signedByProject(evidence) {
      known = failures(of: signed) { _ in
        "only builds that are signed with the keystore in \(place) fail so, and others may have the hash"
      }
    }
    if known.isEmpty, let (unsigned, place) = setting.withoutTeam(evidence) {
      known = failures(of: unsigned) { _ in
        "\(place) does not name a team: only a build that is signed without one fails so, and yours may have one"
      }
    }
    guard !appSetting.unread.isEmpty, known.isEmpty || !evidence.failure.isEmpty else { return known }
    return known + failures(of: appSetting, differingBy: unreadDifference)
  }

  /// Returns the failures with the difference that the files leave open, if no error of a source settles it.
  private func failures(
    of setting: LabSetting, differingBy difference: (Failure) -> String?
  ) -> [Candidate] {
    failures(of: setting).map { candidate in
      var candidate = candidate
      if evidence.failure.isEmpty {
        candidate.difference = difference(candidate.failure) ?? candidate.difference
      }
      return candidate
    }
  }

  private func failures(of setting: LabSetting) -> [Candidate] {
    projectAttempts(setting).compactMap { candidate(nil, $0, setting) }.map { candidate in
      var candidate = candidate
      // Without an error of a source, the project's first failure is the one to reproduce.
      if evidence.failure.isEmpty {
        candidate.comparison = .ofProject
        if evidence.hasUnreadSource {
          candidate.difference =
            "no error was found in the other source: this is the project's own first failure"
        }
      }
      return candidate
    }
  }

  /// Returns the possible difference between a failure and the app's, which depends on an unread value.
  private func unreadDifference(_ failure: Failure) -> String? {
    let all = appSetting.unread
    let decides = all.filter { value in
      !projectAttempts(appSetting.taking([value])).contains { $0.run().failure == failure }
    }
    guard let first = (decides.isEmpty ? all : decides).first else { return nil }
    let names = (decides.isEmpty ? all : decides).map(\.kind.rawValue).joined(separator: " or the ")
    return "code that is not read (\(first.place)) sets the \(names), "
      + "and with another value the call may succeed"
  }

  /// Returns the candidate of a cause, or, if it is nearer, the candidate of its form for the kind of call in the
  /// source.
  private func nearest(_ cause: Cause) -> Candidate? {
    let first = candidate(of: cause)
    guard first?.isSame != true else { return first }
    let isSilent = evidence.isSilent ?? evidence.caller.asksPerson.map { !$0 }
    // The endpoint that a source shows may also tell the form.
    let isElsewhere = first?.comparison.level == .numberElsewhere
    let form =
      isSilent.flatMap { $0 ? cause.onRefresh : cause.onSignIn }
      ?? (isElsewhere ? cause.call.isSilent ? cause.onSignIn : cause.onRefresh : nil)
    guard let other = form.flatMap(candidate(of:)) else { return first }
    return first.map { $0.rank.lexicographicallyPrecedes(other.rank) ? other : $0 } ?? other
  }

  /// Returns the nearest candidate of a cause's callers, or `nil` if no call fails.
  private func candidate(of cause: Cause) -> Candidate? {
    var best: Candidate?
    for caller in callers(of: cause) {
      let setting = setting(of: caller).adapted(to: cause, evidence)
      guard let attempt = attempt(for: cause, setting), let found = candidate(cause, attempt, setting) else {
        continue
      }
      if best.map({ $0.rank.lexicographicallyPrecedes(found.rank) }) ?? true { best = found }
      if found.isSame { break }
    }
    return best
  }

  /// The callers to try for a cause, the likeliest first.
  func callers(of cause: Cause) -> [Caller] {
    guard !appSetting.isProject else {
      return cause.callers.isEmpty || cause.callers.contains(appSetting.caller) ? [appSetting.caller] : []
    }
    if let chosen = evidence.chosenCaller {
      return cause.callers.isEmpty || cause.callers.contains(chosen) ? [chosen] : []
    }
    guard !cause.callers.isEmpty else {
      return evidence.caller.programs.filter { !cause.isOfRedirectURI || $0.sendsRedirectURI }
        + evidence.caller.apps
    }
    let fits = cause.callers.map { (caller: $0, fit: evidence.caller.fit(of: $0)) }
    let best = fits.map(\.fit).max()
    return Array(
      (fits.filter { $0.fit == best } + fits.filter { $0.fit != best }).map(\.caller).prefix(Self.mostCallers)
    )
  }

  /// Returns the attempts with the project as it is: without the broker, and with it.
  private func projectAttempts(_ setting: LabSetting) -> [Attempt] {
    let steps = [step(.interactive, setting), step(.silent, setting)]
    let broker = setting.world(with: [.broker], evidence)
    let plain = Attempt(world: setting.world, steps: steps)
    let all = [plain] + (broker.map { [Attempt(world: $0, steps: steps)] } ?? [])
    return evidence.isSilent == false ? all.map { Attempt(world: $0.world, steps: [steps[0]]) } : all
  }

  func attempt(for cause: Cause, _ setting: LabSetting) -> Attempt? {
    guard let world = setting.world(with: cause.changes, evidence) else { return nil }
    let isOnBehalf = if case .program(_, .onBehalfOf) = setting.caller { true } else { false }
    let signInToClient = action(
      "The user signs in to a page that calls the server",
      Cause.clientCall("api://$client/access_as_user"), setting)
    var before = cause.before.map { before -> Attempt.Step in
      switch before {
      case .signIn: return isOnBehalf ? signInToClient : step(.interactive, setting)
      case .action(let title, let action): return self.action(title, action, setting)
      case .failing(let title, let action):
        var step = self.action(title, action, setting)
        step.mayFail = true
        return step
      case .answered(let title, let action, let answers):
        var step = self.action(title, action, setting)
        step.answers = setting.filled(answers, evidence)
        return step
      }
    }
    if isOnBehalf, !before.contains(where: \.isCall) { before.insert(signInToClient, at: 0) }
    return Attempt(world: world, steps: before + [step(cause.call, setting)])
  }

  /// The answers of a user who makes no mistake; answers that are not asked for are not used.
  private static let answers: YAMLValue = [
    "choose": "$user", "username": "$user", "password": "$password", "consent": "accept",
  ]

  private func step(_ call: Cause.Call, _ setting: LabSetting) -> Attempt.Step {
    if case .program(_, let grant) = setting.caller {
      let own = call.fields.first { $0.key == "grant" }?.value.asText
      return programStep(
        call, own.flatMap(CallProgram.Grant.init) ?? grant.standingIn(forSilent: call.isSilent), setting)
    }
    // An account of a user flow has no username by which to name it.
    let isOfUserFlow = call.isOfUserFlow || LabSetting.isUserFlow(setting.app.authority)
    let fixed: [YAMLValue.Entry] =
      [.init("app", "$app")]
      + (call.isSilent && !call.looksUpAccount && !isOfUserFlow ? [.init("account", "$user")] : [])
    let action = YAMLValue.map([.init(call.verb, .map(fixed + call.fields))])
    return Attempt.Step(
      call.isSilent ? "The app asks silently" : "The user signs in", setting.filled(action, evidence),
      answers: call.isSilent ? nil : setting.filled(call.answers ?? Self.answers, evidence))
  }

  /// Returns the call as the program makes it with a grant.
  private func programStep(_ call: Cause.Call, _ grant: CallProgram.Grant, _ setting: LabSetting)
    -> Attempt.Step
  {
    var fields: [YAMLValue.Entry] = [
      .init("program", "program"), .init("grant", .text(grant.rawValue)),
      .init("scopes", .list(scopes(of: call, grant, setting).map(YAMLValue.text))),
    ]
    switch grant {
    case .password: fields.append(.init("account", "$user"))
    case .onBehalfOf where !call.fields.contains { $0.key == "assertion" }:
      fields.append(.init("assertion", "page"))
    case .authorizationCode, .refreshToken, .clientCredentials, .deviceCode, .onBehalfOf, .managedIdentity:
      break
    }
    fields += call.fields.filter { !["scopes", "forceRefresh", "grant"].contains($0.key) }
    let hasPages = grant == .authorizationCode || grant == .deviceCode
    return Attempt.Step(
      hasPages ? "The user signs in to the program" : "The program asks for a token",
      setting.filled(.map([.init(CallProgram.verb, .map(fields))]), evidence),
      answers: hasPages ? setting.filled(call.answers ?? Self.answers, evidence) : nil)
  }

  /// The scopes of a call, as a program asks for them with a grant.
  private func scopes(of call: Cause.Call, _ grant: CallProgram.Grant, _ setting: LabSetting) -> [String] {
    let given = call.fields.first { $0.key == "scopes" }?.value.texts ?? []
    if [.clientCredentials, .managedIdentity].contains(grant), !call.sendsScopesAsGiven {
      let resource = given.first.flatMap { $0 == "$unknownScope" ? "$resource" : nil }
      return [(resource ?? "https://graph.microsoft.com") + "/.default"]
    }
    let usual = setting.isAtUserFlow ? ["$client"] : evidence.usableScopes
    let asked = given.isEmpty ? usual : given
    return [.authorizationCode, .deviceCode, .password].contains(grant) && !call.sendsScopesAsGiven
      ? asked.filter { !Self.reserved.contains($0) } + Self.reserved : asked
  }

  private static let reserved = ["openid", "profile", "offline_access"]

  /// Returns a step of a cause or of a change; a call is answered by a user who makes no mistake.
  private func action(_ title: String, _ action: YAMLValue, _ setting: LabSetting) -> Attempt.Step {
    var step = Attempt.Step(title, setting.filled(action, evidence))
    if step.isCall { step.answers = setting.filled(Self.answers, evidence) }
    return step
  }

  /// Runs an attempt, and returns it if a call fails.
  func candidate(_ cause: Cause?, _ attempt: Attempt, _ setting: LabSetting) -> Candidate? {
    let result = attempt.run()
    guard var failure = result.failure, let trace = result.trace else { return nil }
    if case .program(let kind, let grant) = setting.caller {
      failure.symbol = symbol(of: failure, trace, kind, grant)
    }
    var attempt = attempt
    attempt.steps = Array(attempt.steps.prefix(result.step))
    // The beginning of the summary, and the end of the SDK's description, which begins with a list of values.
    let words = (trace.outcome?.summary ?? "").split(separator: " ").prefix(4)
    let printed = trace.outcome?.errorText?.split(separator: "MSALErrorDescriptionKey=").dropFirst().first
    let end = (printed?.split(separator: ", MSAL").first ?? "").split(separator: " ").suffix(6)
    let sentences = [words, end].map { $0.joined(separator: " ") }.filter { $0.count > 12 }
    return Candidate(
      cause: cause, setting: setting, attempt: attempt, failure: failure, trace: trace,
      comparison: FailureComparison(failure, with: evidence.failure),
      difference: attempt.steps.last.flatMap {
        evidence.signs.difference(from: $0, in: attempt.world, at: failure.place)
          ?? evidence.difference(from: $0, by: setting.caller)
      }
        ?? evidence.redirectDifference(in: attempt) ?? evidence.parameterDifference(in: trace)
        ?? evidence.sentenceDifference(in: trace) ?? evidence.descriptionDifference(in: trace)
        ?? cause.flatMap(evidence.projectDifference),
      fit: setting.isProject ? 0 : evidence.caller.fit(of: setting.caller),
      hasSentence: sentences.contains { sentence in evidence.sentences.contains { $0.contains(sentence) } },
      sharedSteps: evidence.showsSteps ? StepComparison(evidence.steps, trace.hops).shared : 0)
  }

  /// Returns the word with which the program's SDK reports a failure, or `nil` if it passes on the provider's error.
  private func symbol(
    of failure: Failure, _ trace: Trace, _ kind: Program.Kind, _ grant: CallProgram.Grant
  ) -> String? {
    if let own = failure.symbol { return own }
    if evidence.failure.symbol.flatMap(WindowsResult.init(code:)) != nil {
      return failure.oauthError.flatMap(WindowsResult.init(oauthError:))?.code
    }
    let asked = trace.hops.last { $0.to == .provider }
    if grant == .managedIdentity, failure.number == nil {
      return evidence.caller.refusal(
        byMachine: trace.outcome?.summary ?? "", at: asked?.action ?? "", shown: evidence.failure.symbol)
    }
    let isCancelled =
      trace.outcome?.verdict == .cancelled || failure.oauthError == OAuthErrorCode.accessDenied.text
    if isCancelled, failure.number == nil {
      return evidence.caller.cancellation(of: kind)
    }
    if asked?.providerPlace == .discovery { return evidence.caller.unreadableAuthority(of: kind) }
    if kind == .page, failure.number == nil, asked?.providerPlace == .token,
      failure.oauthError == OAuthErrorCode.serverError.text
    {
      return "network_error"
    }
    return failure.oauthError == OAuthErrorCode.expiredToken.text ? evidence.caller.expiredDeviceCode : nil
  }

  // MARK: - The least world

  /// Removes everything that the same failure does not need.
  private func minimised(_ candidate: Candidate) -> Candidate {
    var best = candidate
    func keep(_ attempt: Attempt) {
      let result = attempt.run()
      let failure = result.failure.map { failure in
        var failure = failure
        if case .program(let kind, let grant) = best.setting.caller, let trace = result.trace {
          failure.symbol = symbol(of: failure, trace, kind, grant)
        }
        return failure
      }
      guard result.step == attempt.steps.count, failure == best.failure, let trace = result.trace,
        trace.outcome?.failedCheck?.name == best.trace.outcome?.failedCheck?.name,
        trace.outcome?.failedCheck?.remedy == best.trace.outcome?.failedCheck?.remedy
      else { return }
      (best.attempt, best.trace) = (attempt, trace)
    }
    // Keep a sign-in before the call, because otherwise no single change would fix the call.
    for index in best.attempt.steps.indices.reversed()
    where !best.attempt.steps[index].isCall || best.attempt.steps[index].mayFail {
      var attempt = best.attempt
      attempt.steps.remove(at: index)
      keep(attempt)
    }
    if best.attempt.world.device.brokerVersion != nil {
      var attempt = best.attempt
      (attempt.world.device.brokerVersion, attempt.world.brokerAccounts) = (nil, [])
      keep(attempt)
    }
    guard appSetting.isProject, best.setting.isProject else { return best }
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
    let defaults = PlatformDefaults(app.platform ?? appSetting.device.platform, app.sdk).app(
      bundleID: app.bundleID, teamID: app.teamID, clientID: app.clientID, vendor: app.vendor)
    // With scenes, the system calls another delegate, so without them the change would be another one.
    var kept: Set = ["bundleID", "clientID", "vendor", "teamID", "authority", "usesScenes"]
    // On Android, the filter belongs to the redirect URI, so changing only one would be another mistake.
    if app.platform == .android { kept.insert("redirectURI") }
    return app.fieldNames(differingFrom: defaults).filter { !kept.contains($0) }
      .compactMap { name in defaults.value(of: name).map { (name, $0) } }
  }

  // MARK: - The change that fixes it

  /// Returns at most as many changes that let the call succeed as are asked for, each proved by a run.
  func changes(for candidate: Candidate, atMost most: Int = 2) -> [Reproduction.Change] {
    let setting = candidate.setting
    let mends = mends(candidate.cause, candidate.failure, candidate.trace, setting)
    var proved: [Reproduction.Change] = []
    for mend in mends where proved.count < most {
      guard !proved.contains(where: { $0.kind == mend.kind }) else { continue }
      if let change = prove(mend, in: candidate.attempt, after: candidate.failure, setting, depth: 1) {
        proved.append(change)
      }
    }
    // A change that suffices on its own comes first.
    return proved.filter { $0.failsThen == nil } + proved.filter { $0.failsThen != nil }
  }

  /// Returns the change if the call succeeds after it, or after it and the changes for the failures that follow.
  private func prove(
    _ mend: Cause.Mend, in attempt: Attempt, after failure: Failure, _ setting: LabSetting, depth: Int
  ) -> Reproduction.Change? {
    guard let mended = applying(mend, to: attempt, setting) else { return nil }
    let result = mended.run()
    guard result.problem == nil, let trace = result.trace else { return nil }
    var change = Reproduction.Change(
      kind: mend.kind, text: setting.filled(mend.text, evidence), attempt: mended,
      steps: mend.steps.map { setting.filled($0, evidence) })
    guard let next = result.failure else { return change }
    // The same number at another place means that nothing is fixed.
    guard next != failure, next.number == nil || next.number != failure.number, depth < Self.deepest else {
      return nil
    }
    for mend in mends(nil, next, trace, setting) {
      if let second = prove(mend, in: mended, after: next, setting, depth: depth + 1) {
        (change.failsThen, change.attempt) = (next, second.attempt)
        change.next = [second]
        return change
      }
    }
    return nil
  }

  /// Returns the changes to try, from the cause, from the failed check, and from the other causes of the codes.
  private func mends(
    _ cause: Cause?, _ failure: Failure, _ trace: Trace, _ setting: LabSetting
  ) -> [Cause.Mend] {
    let remedy = trace.outcome?.failedCheck?.remedy
      // A user flow does not issue tokens for Microsoft's own APIs, whatever the registration lists.
      .flatMap { failure.b2c != nil && $0.change.hasPrefix("requiredAPIs") ? nil : $0 }
      .flatMap { Cause.Mend($0, on: setting.device.platform) }
    let others = Cause.candidates(for: failure)
    // The check knows the values of this project, but a row knows only those of its own world.
    let all =
      (setting.isProject ? setting.mendsOfValues + [remedy].compactMap(\.self) : []) + (cause?.mends ?? [])
      + (setting.isProject ? [] : [remedy].compactMap(\.self)) + others.flatMap(\.mends)
    return all.filter(setting.admits).reduce(into: []) { list, mend in
      if !list.contains(mend) { list.append(mend) }
    }
  }

  /// Returns the attempt with a change, or `nil` if the change is to an app and a program makes the call.
  private func applying(_ mend: Cause.Mend, to attempt: Attempt, _ setting: LabSetting) -> Attempt? {
    var attempt = attempt
    if setting.program != nil, let change = mend.changeOfApp {
      guard let authority = LabSetting.authority(inChange: change), var last = attempt.steps.popLast(),
        let call = last.action[CallProgram.verb]
      else { return nil }
      let value = YAMLValue.text(setting.filled(authority, evidence))
      last.action = [CallProgram.verb: call.setting("authority", value)]
      attempt.steps.append(last)
      return attempt
    }
    let steps = mend.steps.map { action in
      var step = self.action("The change", action, setting)
      step.isChange = true
      return step
    }
    let place = mend.moment == .start ? 0 : attempt.steps.count - 1
    attempt.steps.insert(contentsOf: steps, at: place)
    if let call = mend.call {
      attempt.steps.removeLast()
      attempt.steps.append(step(call, setting))
    }
    return attempt
  }
}

extension Cause.Call {
  /// Whether the scopes are the mistake, so that nothing is added to them.
  fileprivate var sendsScopesAsGiven: Bool {
    fields.contains { $0.key == "scopes" } && verb == CallProgram.verb
  }
}
