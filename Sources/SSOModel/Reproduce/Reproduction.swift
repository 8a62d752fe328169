import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReference
import SSOScenarios

/// The result of reproducing a failure: the facts, the assumptions, the lab's call, and the changes that fix it.
package struct Reproduction: Sendable {
  package enum Verdict: String, Sendable {
    /// The same number at the same endpoint, and the same code of the SDK.
    case reproduced
    /// The lab fails in another, similar way.
    case nearest
    /// No world that the lab knows fails in this way.
    case notReproduced
    /// The sources show nothing that could be reproduced.
    case nothingRead
  }

  /// Another cause that would show the same.
  package struct Alternative: Hashable, Sendable {
    package var name: String
    package var text: String
    package var question: String
  }

  /// A change that lets the call succeed.
  package struct Change: Sendable {
    var kind: Cause.Mend.Kind
    package var text: String
    /// The place in the project's files, or `nil` if no file has it.
    package var place: String?
    /// The failure behind the first one, which the next change fixes.
    package var failsThen: Failure?
    package var next: [Change] = []
    var attempt: Attempt
    /// The values of `do` that make the change.
    var steps: [YAMLValue]

    /// The thing that is changed: `call`, `registration`, `plist`.
    package var kindName: String { kind.rawValue }
  }

  struct Lab {
    var caller: Caller
    var attempt: Attempt
    var failure: Failure
    var trace: Trace
    var comparison: FailureComparison
    /// The difference between the call or its caller and the source's, or `nil` if no source shows one.
    var difference: String?
    var cause: String?
    var causeText: String?
    var check: Check?
    var alternatives: [Alternative] = []
    var changes: [Change] = []
  }

  package let verdict: Verdict
  /// The difference from the source, or `nil` if they agree.
  package let difference: String?
  /// The clause about the caller of a reproduced failure, which is assumed, or `nil` if it is known.
  package let assumedCaller: String?
  package let facts: [EvidenceFact]
  package let assumptions: [Assumption]
  /// The name of the cause in the table, or `nil` if the project itself fails in this way.
  package let cause: String?
  package let alternatives: [Alternative]
  package let changes: [Change]
  /// The failure that the sources show, and the lab's, which is `nil` if the lab's call succeeds.
  package let shown: Failure
  package let failure: Failure?
  /// The other calls of the logs that failed.
  package let otherFailures: [Evidence.OtherFailure]
  /// The failing call of the lab, such as `silent call of com.example.app`.
  package let call: String?
  package let steps: StepComparison?
  /// The check that decided the lab's call.
  package let check: Check?
  let attempt: Attempt?
  /// The trace of the lab's call, or `nil` without a failure in the lab.
  package let trace: Trace?
}

extension Reproduction {
  init(_ evidence: Evidence, _ setting: LabSetting, keepsIDs: Bool, _ lab: Lab?) {
    let mask: (String) -> String = { text in
      keepsIDs ? text : evidence.privateTexts.reduce(text) { $0.replacing($1, with: "…") }
    }
    facts = evidence.facts.map { fact in
      var fact = fact
      let isPrivate = fact.name == .account || fact.name == .tenant
      if isPrivate, !keepsIDs { fact.value = "shown there, and replaced" }
      return fact
    }
    assumptions = Self.assumptions(evidence, setting, lab).map { assumption in
      var assumption = assumption
      assumption.choices = evidence.choices(for: assumption, setting).map {
        Assumption.Choice(value: mask($0.value), detail: mask($0.detail))
      }
      // A value that the user chose does not come from the sources.
      if assumption.why != Assumption.chosen { assumption.value = mask(assumption.value) }
      return assumption
    }
    cause = lab?.cause
    alternatives = lab?.alternatives ?? []
    shown = evidence.failure
    otherFailures = evidence.otherFailures
    failure = lab?.failure
    call = lab?.attempt.steps.last.map { $0.callText(of: setting.app.bundleID) }
    check = lab?.check
    attempt = lab?.attempt
    trace = lab?.trace
    steps = lab.map { StepComparison(evidence.steps, $0.trace.hops) }
    // Files for another system do not belong to the app that failed.
    let files = evidence.diagnosis.flatMap {
      evidence.app(in: $0) == nil && !$0.projectApps.isEmpty ? nil : $0
    }
    changes = (lab?.changes ?? []).map { $0.placed(in: files) }
    (verdict, difference) = Self.verdict(evidence, lab)
    assumedCaller =
      verdict == .reproduced && !setting.isProject
      ? evidence.openCaller ?? evidence.grantClause(lab?.attempt.steps.last) : nil
  }

  private static func assumptions(_ evidence: Evidence, _ setting: LabSetting, _ lab: Lab?) -> [Assumption] {
    var assumed = setting.assumptions
    let chosen = evidence.chosen
    if lab?.caller.isProgram == false, evidence.shown(.call) == nil,
      evidence.isSilent == nil || chosen[.call] != nil
    {
      let kind = CallKind(isSilent: lab?.attempt.steps.last?.action["silent"] != nil)
      let why = chosen[.call] == nil ? Assumption.unshown : Assumption.chosen
      assumed.insert(Assumption(name: .call, value: kind.rawValue, why: why), at: 0)
    }
    if let cause = lab?.causeText {
      let why = chosen[.cause] == nil ? "it fails so in the lab" : Assumption.chosen
      assumed.insert(Assumption(name: .cause, value: cause, why: why), at: 0)
    }
    if let lab, let text = evidence.grantClause(lab.attempt.steps.last) {
      assumed.insert(
        Assumption(name: .grant, value: CallProgram.Grant.refreshToken.displayText, why: text), at: 0)
    }
    // A program that signed a user in may fail when it redeems the refresh token.
    if let lab, case .program(let kind, _) = lab.caller, let grant = lab.attempt.steps.last?.grant,
      let index = assumed.firstIndex(where: { $0.name == .caller && $0.why != Assumption.chosen })
    {
      assumed[index].value = Caller.program(kind, grant).displayText
    }
    // The entire answer depends on the caller.
    if lab != nil, let index = assumed.firstIndex(where: { $0.name == .caller }) {
      assumed.insert(assumed.remove(at: index), at: 0)
    }
    // A chosen value stays visible even if no world fails with it, so that it can be changed back.
    let missing = chosen.filter { choice in !assumed.contains { $0.name == choice.key } }
    return missing.sorted { $0.key.rawValue < $1.key.rawValue }.map {
      Assumption(name: $0.key, value: $0.value, why: Assumption.chosen)
    } + assumed
  }

  private static func verdict(_ evidence: Evidence, _ lab: Lab?) -> (Verdict, String?) {
    guard let lab else {
      if evidence.failure.isEmpty, evidence.diagnosis?.isEmpty ?? true {
        guard let code = evidence.foreignCode else {
          if let refusal = evidence.refusalWithoutCode { return (.notReproduced, refusal) }
          guard evidence.successes > 0 else { return (.nothingRead, nil) }
          let calls =
            evidence.successes == 1
            ? "the call that was read" : "each of the \(evidence.successes) calls that were read"
          return (.notReproduced, "\(calls) succeeded: the source does not show a failure")
        }
        return (.notReproduced, "the lab does not simulate what reports \(code.code): \(code.meaning)")
      }
      guard evidence.failure.isEmpty else { return (.notReproduced, evidence.failure.missingWorld) }
      if let text = evidence.diagnosis?.unreadText { return (.notReproduced, text) }
      return evidence.diagnosis.flatMap(evidence.app) == nil
        ? (.notReproduced, "no app of the project could be read" + evidence.diagnosis.firstMistake)
        : (.notReproduced, "every call of the app succeeds in the lab" + evidence.diagnosis.notSimulated)
    }
    if evidence.failure.isEmpty, let text = evidence.diagnosis?.unreadText {
      return (.nearest, text + ", so the app may have what the lab's lacks")
    }
    guard lab.comparison.level == .same else { return (.nearest, lab.comparison.difference) }
    if evidence.failure.isEmpty, let text = lab.difference { return (.nearest, text) }
    // Do not say that a project without such a mistake in its files fails so in the SDK, because the lab may lack what its
    // code does.
    if evidence.failure.isEmpty,
      evidence.diagnosis.map({
        evidence.isFree($0, of: lab.failure) || lab.failure.number == nil && $0.findings.isEmpty
      }) == true
    {
      return (
        .nearest,
        "doctor finds nothing in these files that is certain to fail so, and the app may have what the lab's lacks"
      )
    }
    if let error = evidence.failure.vagueCode {
      return (.nearest, "the source shows only \(error), which has more causes than these")
    }
    return lab.difference.map { (.nearest, $0) } ?? (.reproduced, nil)
  }

  /// The zero-based number of the step in the lab's trace at which the call fails.
  package var failedStep: Int? {
    trace?.hops.lastIndex { hop in
      hop.checks.contains { $0.verdict == .failed } || hop.refusal != nil
    }
  }

  /// The scenario file, or `nil` without a failure in the lab.
  ///
  /// Its last step expects each code of the failure, and its `fix` is the first change.
  package var scenario: String? {
    guard var attempt, var last = attempt.steps.popLast(), let trace,
      let outcome = trace.outcome
    else { return nil }
    let error = ExpectedError(of: outcome, trace.hops)
    last.expectation = ["verdict": .text(outcome.verdict.rawValue), "error": error.yaml]
    attempt.steps.append(last)
    let title = "\(call ?? "a call"): \(failure?.displayText ?? "")"
    return attempt.document(
      name: "reproduction", title: title,
      note: verdict == .reproduced ? "Fails as the sources show." : "The nearest failure that the lab knows.",
      fix: changes.first.map { attempt.fix($0.attempt, title: $0.titles.joined(separator: " And then: ")) })
  }
}

extension Evidence {
  /// Returns whether the files show no mistake of the app that is certain to fail as the lab does, and no registration
  /// with which it is compared.
  fileprivate func isFree(_ diagnosis: Diagnosis, of failure: Failure) -> Bool {
    let own = app(in: diagnosis)?.subject
    let others = Set(diagnosis.projectApps.map(\.subject).filter { $0 != own })
    return diagnosis.registrations.isEmpty
      && !diagnosis.findings.contains { finding in
        finding.severity == .fails && !others.contains(finding.subject) && failure.isRefusal(of: finding)
      }
  }
}

extension Failure {
  /// Returns whether the SDK or the provider may report a finding as this failure.
  fileprivate func isRefusal(of finding: DoctorCheck) -> Bool {
    guard let code = finding.refusal?.code else { return true }
    switch finding.rule {
    // MSAL.NET has a word for the keychain's status.
    case .keychainGroup where keychainStatus != nil: return true
    // The same redirect URI is compared with the manifest before it is compared with the signature.
    case .androidRedirect where symbol == "app_manifest_validation_error": return true
    // The class of an exception without a code.
    default: return codes.contains(code) || domain == code
    }
  }

  /// The sentence for a failure that no world of the lab has, with the tables' text about its code.
  fileprivate var missingWorld: String {
    let reason = OutsideLab.reason(for: codes)
    let text =
      reason.map { "no lab can show \(displayText), because \($0)" }
      ?? "no world that the lab knows fails with \(displayText)"
    let families: [Explanation.Family] = [
      .aadsts, .b2c, .keychain, .msalInternal, .msal, .identityCore, .library, .windows, .message, .oauth,
    ]
    let known = codes.lazy.compactMap { code in families.lazy.compactMap { $0.explanation(of: code) }.first }
    guard let row = known.first?.outside else { return text }
    func open(_ sentence: String) -> String {
      sentence.last == "." ? String(sentence.dropLast()) : sentence
    }
    let link = reason == nil ? ", which means: " : ". The code means: "
    let meaning = "\(text)\(link)\(open(row.meaning)). \(row.cause)"
    // The command line or the screen, and not the model, words what the reader does next in the lab.
    guard row.remedy.actions.isEmpty else { return open(meaning) }
    return "\(meaning) Not tried: \(open(row.remedy.description))"
  }
}

extension Diagnosis? {
  /// The doctor's first finding, with its place, or an empty text if it has no findings.
  fileprivate var firstMistake: String {
    self?.findings.first.map { ": doctor finds at \($0.place): \($0.title)" } ?? ""
  }

  /// The doctor's first mistake that the lab does not simulate, with its place, or an empty text.
  fileprivate var notSimulated: String {
    guard let finding = self?.findings.first(where: { $0.severity == .fails }) else {
      let other = self?.findings.first { $0.rule == .androidRedirect }
      return other.map { ", without the broker: doctor finds at \($0.place): \($0.title)" } ?? ""
    }
    let code = finding.refusal.map { ", for which the SDK reports \($0.code)" } ?? ""
    return ", which does not simulate what doctor finds at \(finding.place): \(finding.title)\(code)"
  }
}

extension Reproduction: Equatable {
  /// Returns whether a reader sees the same, because everything else follows from that.
  package static func == (one: Reproduction, other: Reproduction) -> Bool {
    one.verdict == other.verdict && one.facts == other.facts && one.assumptions == other.assumptions
      && one.scenario == other.scenario
  }
}

extension ExpectedError {
  fileprivate var yaml: YAMLValue {
    let fields: [(String, YAMLValue?)] = [
      ("domain", domain.map(YAMLValue.text)), ("code", code.map { .plain(String($0)) }),
      ("internal", internalCode.map { .plain(String($0)) }), ("symbol", symbol.map(YAMLValue.text)),
      ("oauth", oauth.map(YAMLValue.text)), ("suberror", suberror.map(YAMLValue.text)),
      ("aadsts", digits(after: Failure.numberPrefix)), ("b2c", digits(after: "AADB2C")),
      ("at", place.map { .text($0.rawValue) }),
    ]
    return .map(fields.compactMap { key, value in value.map { YAMLValue.Entry(key, $0) } })
  }

  private func digits(after prefix: String) -> YAMLValue? {
    number.flatMap { $0.hasPrefix(prefix) ? .plain(String($0.dropFirst(prefix.count))) : nil }
  }
}

extension Reproduction.Change {
  /// The change and the changes that follow it, as sentences.
  fileprivate var titles: [String] { [text] + next.flatMap(\.titles) }
}

extension Attempt.Step {
  fileprivate func callText(of app: String) -> String {
    let isSilent = action["silent"] != nil
    let scopes = (action[CallProgram.verb] ?? action["silent"] ?? action["signIn"])?["scopes"]?.texts ?? []
    var words = "\(isSilent ? "silent" : "interactive") call of \(app)"
    if case .text(let grant)? = action[CallProgram.verb]?["grant"] {
      words = "call of the program with the grant \(grant)"
    }
    return words + (scopes.isEmpty ? "" : " for " + scopes.joined(separator: " "))
  }
}

extension Reproduction.Change {
  /// Returns the change, and the following ones, with the places of the values in the project's files.
  fileprivate func placed(in diagnosis: Diagnosis?) -> Self {
    guard let diagnosis else { return self }
    var change = self
    change.next = next.map { $0.placed(in: diagnosis) }
    if let finding = diagnosis.filterFinding(for: steps.lazy.compactMap(\.remedy).first) {
      let check = finding.check
      change.kind = Cause.Mend.Kind(ofFile: finding.place.path) ?? kind
      (change.text, change.place) = (
        "\(finding.title): set \(check.expected) in place of \(check.found).", finding.place.description
      )
      return change
    }
    if let (text, place) = diagnosis.lines(for: steps.lazy.compactMap(\.remedy).first) {
      (change.text, change.place) = (text, place.description)
      if kind == .configuration { change.kind = Cause.Mend.Kind(ofFile: place.path) ?? kind }
      return change
    }
    let place = steps.lazy.compactMap { $0.remedy }.compactMap { diagnosis.place(of: $0) }.first
    change.place = place?.description
    if let file = place.map({ fileName($0.path) }), file.hasSuffix(".json") {
      change.text = change.text.replacing("msal_config.json", with: file)
    }
    return change
  }
}

extension Diagnosis {
  /// The clause about the first file that cannot be read, or `nil` if all files can be read.
  fileprivate var unreadText: String? {
    unread.first.map { "\($0.path) cannot be read: \($0.error.description)" }
  }

  /// Returns the doctor's lines, with their place, for a change of an app that no field of the lab names, or `nil` for
  /// another change: the SwiftUI modifier, and the build setting with the entitlements.
  fileprivate func lines(for remedy: Remedy?) -> (text: String, place: FilePlace)? {
    guard let remedy, remedy.kind == .app else { return nil }
    func finding(_ rule: DoctorRule, _ field: String, _ start: String) -> DoctorCheck? {
      remedy.change.hasPrefix(field)
        ? findings.first { $0.rule == rule && $0.fix?.hasPrefix(start) == true } : nil
    }
    if let found = finding(.callback, "urlForwarding", ".onOpenURL") {
      let text = "Call MSALPublicClientApplication.handleMSALResponse in .onOpenURL of the SwiftUI scene."
      return (text, found.place)
    }
    if remedy.change.hasPrefix("configurationError"),
      let app = android.first(where: { $0.packageNames.contains(remedy.record) }),
      case let own = findings.filter({ $0.subject == app.name && $0.refusal != nil }),
      let found = own.first(where: { $0.severity == .fails }) ?? own.first
    {
      let lines = found.fix.map { ": write \($0.split(separator: "\n").joined(separator: " "))" } ?? ""
      return ("\(found.title)\(lines).", found.place)
    }
    if remedy.change.hasPrefix("clientID"),
      let app = android.first(where: { $0.packageNames.contains(remedy.record) }),
      let found = findings.first(where: { $0.subject == app.name && $0.misspelt?.key == "client_id" })
    {
      return ("\(found.title): write \(found.fix ?? "").", found.place)
    }
    // Without an entitlements file, the group is the change.
    if let found = finding(.keychainGroup, "keychainAccessGroups", "CODE_SIGN_ENTITLEMENTS"),
      found.title.hasSuffix("is not used"), let fix = found.fix
    {
      return ("\(found.title). Build Settings: \(fix)", found.place)
    }
    return nil
  }

  /// Returns the finding about the redirect URI or the filter of an app for Android that the lab knows only as a
  /// missing filter, or `nil` if a remedy is about something else.
  fileprivate func filterFinding(for remedy: Remedy?) -> DoctorCheck? {
    guard remedy?.kind == .app, remedy?.change.hasPrefix("urlForwarding") == true,
      let app = android.first(where: { $0.packageNames.contains(remedy?.record ?? "") })
    else { return nil }
    let own = findings.filter { $0.subject == app.name }
    return own.first { $0.rule == .androidRedirect }
      ?? own.first { $0.rule == .browserTabActivity && $0.severity == .fails }
  }
}

extension Cause.Mend.Kind {
  /// Creates the kind of a change of an Android project's file, or returns `nil` for another file.
  fileprivate init?(ofFile path: String) {
    switch path.split(separator: ".").last {
    case "xml": self = .manifest
    case "json": self = .configuration
    default: return nil
    }
  }
}

extension YAMLValue {
  /// The change of a record, as the value of `do` makes it, or `nil` for another step.
  fileprivate var remedy: Remedy? {
    guard case .map(let entries)? = self["set"], let record = entries.first, let name = record.value.asText,
      let kind = Remedy.Kind(rawValue: record.key), let text = self["set"]?["fields"]?.texts.last
    else { return nil }
    return Remedy(kind, name, text)
  }
}
