/// Who takes part in a sign-in, in the order of the columns of the trace.
package enum Party: String, Codable, CaseIterable, Sendable {
  case person, app, sdk, system, broker, provider, keychain
}

extension Party {
  /// The short names of traces and diagrams.
  package var label: String {
    switch self {
    case .person: "Person"
    case .app: "App"
    case .sdk: "MSAL"
    case .system: "System"
    case .broker: "Broker"
    case .provider: "IdP"
    case .keychain: "Keychain"
    }
  }
}

/// One check that was made, in the words that every place shows: which, what was expected, what was found.
///
/// Two checks are equal if they say the same; the table of traces keeps no remedy and no words for the failure.
package struct Check: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable { case passed, failed, skipped }
  package var name: String
  package var expected: String
  package var found: String
  package var verdict: Verdict
  /// Where the rule comes from, e.g.
  ///
  /// "broker.md §7" or "claim C1".
  package var source: String
  /// The change of a field after which it holds; nil if it holds, or if no field decides it.
  package private(set) var remedy: Remedy?
  /// That it failed, as a sentence goes on behind "because", where the rule knows better words than the check's name.
  package var failure: String?

  package init(
    _ name: String, expected: String, found: String, verdict: Verdict, source: String, remedy: Remedy? = nil,
    failure: String? = nil
  ) {
    self.name = name
    self.expected = expected
    self.found = found
    self.verdict = verdict
    self.source = source
    self.remedy = verdict == .failed ? remedy : nil
    self.failure = verdict == .failed ? failure : nil
  }

  /// A check that passes exactly if the condition holds.
  package init(
    _ name: String, expected: String, found: String, _ holds: Bool, source: String, remedy: Remedy? = nil,
    failure: String? = nil
  ) {
    self.init(
      name, expected: expected, found: found, verdict: holds ? .passed : .failed, source: source,
      remedy: remedy, failure: failure)
  }

  package static func == (one: Check, other: Check) -> Bool {
    one.verdict == other.verdict && one.name == other.name && one.found == other.found
      && one.expected == other.expected && one.source == other.source
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(found)
    hasher.combine(verdict)
  }
}

/// A failed check outside of a list of checks, where its name alone would say the opposite.
extension Check {
  /// As a sentence goes on behind "because".
  package var reason: String { failure ?? "“\(name)” does not hold: \(found)" }

  /// The same with both values: `its team differs from Mail's: expected A1B2C3D4E5, found K1L2M3N4O5`.
  package var reasonInFull: String {
    "\(failure ?? "“\(name)” does not hold"): expected \(expected), found \(found)"
  }
}

/// One name and value that was sent.
///
/// Secrets are masked before they get here (`masked(_:)`), so a trace can be shown and exported as it is.
package struct NameValue: Codable, Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// One hop of a story: who did what to whom, what was sent, which checks ran.
package struct Hop: Codable, Hashable, Sendable {
  package var from: Party
  package var to: Party
  /// Bundle ID or name of the acting app, where there may be several.
  package var actor: String
  /// A few words: `GET /common/oauth2/v2.0/authorize`, `read access token`, `openURL msauthv2://broker`.
  package var action: String
  /// A few words on the result: `found`, `no item`, `200`, `AADSTS50011`.
  package var result: String
  package var sent: [NameValue]
  package var checks: [Check]

  package init(
    from: Party, to: Party, actor: String = "", action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = []
  ) {
    self.from = from
    self.to = to
    self.actor = actor
    self.action = action
    self.result = result
    self.sent = sent
    self.checks = checks
  }
}

/// How far a call has come: the hops so far, and the one that has begun and has no result yet.
package struct CallProgress: Hashable, Sendable {
  package var hops: [Hop]
  package var running: Hop?

  package init(hops: [Hop], running: Hop? = nil) {
    self.hops = hops
    self.running = running
  }

  /// All of them, the one that runs last.
  package var steps: [Hop] { hops + (running.map { [$0] } ?? []) }
}

/// Collects the hops of one intent while it runs.
///
/// A reference, because the keychain, the provider, the broker and the SDK all add to the same story.
package final class TraceRecorder {
  package private(set) var hops: [Hop] = []
  /// No trace is kept: a hop need not even be made.
  package let isQuiet: Bool
  private let listener: ((CallProgress) -> Void)?

  /// `listener` is told of each hop at once, and of each that begins with a wait.
  package init(isQuiet: Bool = false, listener: ((CallProgress) -> Void)? = nil) {
    self.isQuiet = isQuiet
    self.listener = listener
  }

  /// Adds a hop, unless no trace is kept.
  package func add(_ hop: Hop) {
    guard !isQuiet else { return }
    hops.append(hop)
    listener?(CallProgress(hops: hops))
  }

  /// A request or a call into the store begins: `add` follows when its result is known.
  package func begin(_ from: Party, _ to: Party, actor: String, _ action: @autoclosure () -> String) {
    guard let listener else { return }
    listener(CallProgress(hops: hops, running: Hop(from: from, to: to, actor: actor, action: action())))
  }

  /// Makes one hop of the last two: a person's answer, and its result, where no request was between them.
  package func joinLastTwo() {
    guard hops.count > 1 else { return }
    let last = hops.removeLast()
    var answer = hops.removeLast()
    answer.result = [answer.result, last.result].filter { !$0.isEmpty }.joined(separator: ", ")
    answer.checks += last.checks
    hops.append(answer)
  }

  package func add(
    _ from: Party, _ to: Party, actor: String = "", _ action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = []
  ) {
    add(Hop(from: from, to: to, actor: actor, action: action, result: result, sent: sent, checks: checks))
  }
}

/// The one way a secret is shown: `eyJ0…[masked 1412 chars]`, or just `[masked 12 chars]` for short ones.
package func masked(_ secret: String) -> String {
  let count = secret.unicodeScalars.count
  guard count > 24 else { return "[masked \(count) chars]" }
  var head = ""
  for scalar in secret.unicodeScalars.prefix(4) where scalar.value > 0x20 && scalar.value < 0x7F {
    head.unicodeScalars.append(scalar)
  }
  return head + "…[masked \(count) chars]"
}

/// Whether a text is one that ``masked(_:)`` made.
package func isMasked(_ text: some StringProtocol) -> Bool {
  text.utf8.count < 48 && text.hasSuffix(" chars]") && text.contains("[masked ")
}
