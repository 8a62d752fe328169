import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOScenarios

/// A world and its steps, of which the last is the call in question.
///
/// It is written as a scenario file, read back, and run, so that the attempt is exactly what the file says.
struct Attempt: Sendable {
  /// A step of the scenario file.
  struct Step: Hashable, Sendable {
    var title: String
    /// The value of `do`.
    var action: YAMLValue
    var answers: YAMLValue?
    var expectation: YAMLValue?
    /// Whether the step is a call whose failure leads to the state before the call in question.
    var mayFail = false
    /// Whether the step makes the change that fixes the call.
    var isChange = false

    init(_ title: String, _ action: YAMLValue, answers: YAMLValue? = nil) {
      (self.title, self.action, self.answers) = (title, action, answers)
    }

    /// Whether the step is a call of the app or the program, which may fail.
    var isCall: Bool { ["signIn", "silent", CallProgram.verb].contains { action[$0] != nil } }
  }

  var world: LabWorld
  var steps: [Step]

  /// The result of running the steps up to the first call that fails.
  struct Result: Sendable {
    /// The one-based number of the last step that ran.
    var step: Int
    /// The failure of that step, or `nil` if all calls succeeded.
    var failure: Failure?
    var trace: Trace?
    /// The reason that the steps could not be run, or `nil` if they were.
    var problem: String?
  }

  /// Runs the steps in memory.
  func run() -> Result {
    do {
      let file = try ScenarioFile(
        ScenarioSource(path: "reproduction", text: document(name: "try", title: "try")))
      let lab = try Lab.temporary(file)
      var trace: Trace?
      for (index, step) in file.steps.enumerated() {
        let report = step.run(on: lab, index: index + 1)
        // Undo leaves no trace.
        if report.traceID == nil, !report.passed {
          return Result(step: index + 1, problem: report.mismatches.first?.found ?? "it was not run")
        }
        guard let id = report.traceID, steps[index].isCall, !steps[index].mayFail else { continue }
        trace = try lab.read { try $0.traces.trace(id) }
        if let failure = trace.flatMap(Failure.init) {
          return Result(step: index + 1, failure: failure, trace: trace)
        }
      }
      return Result(step: steps.count, trace: trace)
    } catch {
      return Result(step: 0, problem: "\(error)")
    }
  }

  /// The scenario file.
  ///
  /// `fix` is the value of its key `fix`.
  func document(name: String, title: String, note: String = "", fix: YAMLValue? = nil) -> String {
    var entries: [YAMLValue.Entry] = [.init("name", .text(name)), .init("title", .text(title))]
    if !note.isEmpty { entries.append(.init("note", .text(note))) }
    entries += [
      .init("seed", .plain("1")), .init("clock", .plain(Self.clock)), .init("world", world.yaml),
      .init("steps", .list(steps.map(\.yaml))),
    ]
    if let fix { entries.append(.init("fix", fix)) }
    return YAMLValue.map(entries).document
  }

  /// Returns the value of `fix` that turns this attempt into a fixed one: the steps of the change, and the last step if
  /// it differs.
  func fix(_ mended: Attempt, title: String) -> YAMLValue {
    var (before, changes) = (1, [YAMLValue]())
    for step in mended.steps {
      guard step.isChange else {
        before += 1
        continue
      }
      changes.append(
        before == 1 ? ["do": step.action] : ["before": .plain(String(before)), "do": step.action])
    }
    var entries: [YAMLValue.Entry] = [.init("title", .text(title))]
    if !changes.isEmpty { entries.append(.init("steps", .list(changes))) }
    if let last = steps.last, let call = mended.steps.last,
      call.action != last.action || call.answers != last.answers
    {
      entries.append(.init("call", call.yaml))
    }
    return .map(entries)
  }

  /// The lab's time, which is fixed so that each run is the same.
  private static let clock = "2026-03-02T09:00:00Z"
}

extension Attempt.Step {
  fileprivate var yaml: YAMLValue {
    var entries: [YAMLValue.Entry] = [.init("title", .text(title)), .init("do", action)]
    if let answers { entries.append(.init("answers", answers)) }
    if let expectation { entries.append(.init("expect", expectation)) }
    return .map(entries)
  }
}

extension LabWorld {
  /// The world as a scenario file describes it, without the values that the scenario reader assumes anyway.
  fileprivate var yaml: YAMLValue {
    var entries: [YAMLValue.Entry] = [
      .init("device", ["name": .text(device.name), "platform": .text(device.platform.rawValue)]),
      .init(
        "broker",
        device.brokerVersion == nil ? ["installed": false] : ["installed": true]),
      .init("tenants", .list(tenants.map(\.yaml))),
      .init(
        "people",
        .list(people.map(\.yaml))),
    ]
    if !registrations.isEmpty {
      entries.append(.init("registrations", .list(registrations.map(\.yaml))))
    }
    if !apps.isEmpty {
      entries.append(.init("apps", .list(apps.map { $0.yaml(on: device.platform) })))
    }
    if !programs.isEmpty {
      entries.append(.init("programs", .list(programs.map { $0.yaml(in: tenants) })))
    }
    if !brokerAccounts.isEmpty {
      entries.append(.init("brokerAccounts", .list(brokerAccounts.map { ["person": .text($0.username)] })))
    }
    return .map(entries)
  }
}

extension DescribedRecord {
  /// The record with these fields first, and then the other fields that differ from `base`.
  fileprivate func yaml(named first: [String], over base: Self) -> YAMLValue {
    var entries = first.compactMap { name in value(of: name).map { YAMLValue.Entry(name, YAMLValue($0)) } }
    // A structure has its own form in a scenario.
    let others = fieldNames(differingFrom: base)
    let forms = Dictionary(
      uniqueKeysWithValues: Self.fields.map { ($0.description.name, $0.description.form) })
    for name in others where !first.contains(name) && forms[name] != .structure {
      if let value = value(of: name) { entries.append(.init(name, YAMLValue(value))) }
    }
    return .map(entries)
  }
}

extension Tenant {
  fileprivate var yaml: YAMLValue {
    yaml(
      named: ["id", "displayName", "domains"],
      over: Tenant(id: id, displayName: displayName, domains: domains))
  }
}

extension DirectoryUser {
  fileprivate var yaml: YAMLValue {
    yaml(
      named: ["username", "password", "objectID", "homeTenantID"],
      over: DirectoryUser(
        objectID: objectID, homeTenantID: homeTenantID, username: username, displayName: displayName,
        password: password))
  }
}

extension Program {
  /// Returns the program without the values that the scenario reader assumes anyway.
  fileprivate func yaml(in tenants: [Tenant]) -> YAMLValue {
    let usual = tenants.first.map { "https://\(PublicCloud.preferredNetwork)/\($0.id)" }
    let fields: [(String, String?)] = [
      ("name", name), ("kind", kind.rawValue), ("clientID", clientID),
      ("authority", authority == usual ? nil : authority),
      ("redirectURI", redirectURI.isEmpty ? nil : redirectURI),
      ("origin", origin == URLParts(redirectURI)?.origin ? nil : origin), ("secret", secret), ("sdk", sdk),
      ("sdkVersion", sdkVersion),
    ]
    return .map(fields.compactMap { key, value in value.map { YAMLValue.Entry(key, .text($0)) } })
  }
}

extension ClientRegistration {
  fileprivate var yaml: YAMLValue {
    let fields = yaml(
      named: ["clientID", "displayName", "redirectURIs"],
      over: ClientRegistration(
        clientID: clientID, displayName: displayName, publisher: "", redirectURIs: [],
        allowedScopes: ["User.Read"]))
    let keys = publicKeys.compactMap { try? $0.pem }
    let all = keys.isEmpty ? fields : fields.setting("publicKeys", .list(keys.map(YAMLValue.text)))
    let structures = [
      ("federatedCredentials", federatedCredentials?.isEmpty == false),
      ("optionalClaims", optionalClaims != nil),
    ]
    return structures.reduce(all) { fields, structure in
      guard structure.1, let value = value(of: structure.0) else { return fields }
      return fields.setting(structure.0, YAMLValue(value))
    }
  }
}

extension InstalledApp {
  fileprivate func yaml(on platform: Platform) -> YAMLValue {
    let defaults = PlatformDefaults(self.platform ?? platform, sdk)
    var base = defaults.app(bundleID: bundleID, teamID: teamID, clientID: clientID, vendor: vendor)
    base.urlSchemes = defaults.urlSchemes(for: redirectURI)
    // The defaults are the SDK's, and the SDK itself is not one of them.
    let named = ["bundleID", "teamID", "clientID", "vendor"] + (sdk == .msal ? [] : ["sdk"])
    return yaml(named: named, over: base)
  }
}
