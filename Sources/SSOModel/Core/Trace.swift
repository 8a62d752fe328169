/// A participant in a sign-in; the cases are in the order of the trace's columns.
package enum Party: String, Codable, CaseIterable, Sendable {
  case person, app
  /// MSAL.
  case sdk
  case adal
  case system, broker, provider, keychain
  /// The storage of an app's own token cache, on systems without a keychain.
  case cache
  /// A library about which a log says only that it is neither MSAL nor ADAL.
  case library
}

extension Party {
  /// The short name that traces and diagrams use.
  package var label: String {
    switch self {
    case .person: "User"
    case .app: "App"
    case .sdk: "MSAL"
    case .adal: "ADAL"
    case .system: "System"
    case .broker: "Broker"
    case .provider: "Provider"
    case .keychain: "Keychain"
    case .cache: "Cache"
    case .library: "Library"
    }
  }

  /// Whether it is Microsoft's library in an app.
  package var isSDK: Bool { self == .sdk || self == .adal }
  /// Whether it stores an app's tokens.
  package var isStorage: Bool { self == .keychain || self == .cache }
}

/// A name and its value, as sent in a message.
///
/// Secrets in a trace are already masked (`masked(_:)`), so the trace can be displayed and exported unchanged.
package struct NameValue: Codable, Hashable, Sendable {
  package var name: String
  package var value: String
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A step of a trace: its sender and receiver, the action, the fields that were sent, and the checks that ran.
package struct Hop: Codable, Hashable, Sendable {
  package var from: Party
  package var to: Party
  /// The bundle ID or name of the acting app, if there may be several.
  package var actor: String
  /// A short description, such as `GET /common/oauth2/v2.0/authorize`, `read access token`, or `openURL
  /// msauthv2://broker`.
  package var action: String
  /// A short description of the result, such as `found`, `no item`, `200`, or `AADSTS50011`.
  package var result: String
  package var sent: [NameValue]
  package var checks: [Check]
  /// The provider's refusal, value by value, or `nil` if it did not refuse this request.
  package var refusal: Refusal?

  package init(
    from: Party, to: Party, actor: String = "", action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = [], refusal: Refusal? = nil
  ) {
    self.refusal = refusal
    self.from = from
    self.to = to
    self.actor = actor
    self.action = action
    self.result = result
    self.sent = sent
    self.checks = checks
  }
}

/// A refusal of the identity provider.
package struct Refusal: Codable, Hashable, Sendable {
  /// The place where a call was refused, as scenarios name it.
  package enum Place: String, Codable, CaseIterable, Sendable {
    /// The SDK's own checks, before anything is sent.
    case start = "init"
    /// A page in front of the user: a message on the sign-in page, or an error page.
    case page
    /// The redirect from the authorization endpoint to the app.
    case authorize
    case token, deviceCode, keychain, broker
  }

  /// `error` of the response.
  package var error: String
  package var suberror: String?
  /// The number with its prefix, such as `AADSTS700082`.
  package var number: String?
  /// The place, or `nil` for an endpoint that does not issue tokens.
  package var place: Place?

  package init(error: String, suberror: String?, number: String?, place: Place?) {
    self.error = error
    self.suberror = suberror
    self.number = number
    self.place = place
  }
}

extension Hop {
  /// The prefix of the name of a sent value that is a header of the request, and not a field.
  package static let headerMark = "header "
}

extension [Hop] {
  /// The steps that the provider refused, but whose refusal a later code or tokens overcame, as a consent does.
  package var overcomeRefusals: Set<Int> {
    guard let last = lastIndex(where: \.grants) else { return [] }
    return Set(indices.filter { $0 < last && self[$0].refusal != nil })
  }

  /// The step in which the provider refused the call for good, or `nil` if it did not.
  ///
  /// A refusal is overcome if a code or tokens follow it, as after a consent.
  package var finalRefusal: Hop? {
    guard let index = lastIndex(where: { $0.refusal != nil }) else { return nil }
    return self[index...].dropFirst().contains(where: \.grants) ? nil : self[index]
  }
}

extension Hop {
  /// Whether a library finds no usable access token and goes on with a refresh token or the broker, as it should.
  package var goesOn: Bool {
    [.sdk, .adal].contains(to) && (result.hasPrefix("redeem the ") || result == "ask the broker")
  }

  /// Whether the provider's response contains a code or tokens.
  fileprivate var grants: Bool {
    to == .provider
      && (result.hasPrefix("302 code") || action.lowercased().contains("/token") && result.hasPrefix("200"))
  }
}

/// The progress of a call: the hops so far, and the hop that has begun but does not have a result yet.
package struct CallProgress: Hashable, Sendable {
  package var hops: [Hop]
  package var running: Hop?

  /// All hops, with the running one last.
  package var steps: [Hop] { hops + (running.map { [$0] } ?? []) }
}

/// A recorder that collects the hops of one intent while it runs.
///
/// It is a class because the keychain, the provider, the broker, and the SDK all add to the same trace.
package final class TraceRecorder {
  package private(set) var hops: [Hop] = []
  /// Whether tracing is disabled, in which case callers need not create hops.
  package let isDisabled: Bool
  private let listener: ((CallProgress) -> Void)?

  /// Creates a recorder that calls `listener` for each hop that is added, and when a hop begins that has to wait.
  package init(isDisabled: Bool = false, listener: ((CallProgress) -> Void)? = nil) {
    self.isDisabled = isDisabled
    self.listener = listener
  }

  /// Adds a hop, unless tracing is disabled.
  package func add(_ hop: Hop) {
    guard !isDisabled else { return }
    hops.append(hop)
    listener?(CallProgress(hops: hops))
  }

  /// Reports that a request or a call into the store has begun; `add` follows when its result is known.
  package func begin(_ from: Party, _ to: Party, actor: String, _ action: @autoclosure () -> String) {
    guard let listener else { return }
    listener(CallProgress(hops: hops, running: Hop(from: from, to: to, actor: actor, action: action())))
  }

  /// Merges the last two hops: a user's answer and its result, if they follow each other directly.
  package func joinLastTwo() {
    guard hops.count > 1 else { return }
    let last = hops.removeLast()
    var answer = hops.removeLast()
    answer.result = [answer.result, last.result].filter { !$0.isEmpty }.joined(separator: ", ")
    answer.checks += last.checks
    answer.refusal = last.refusal ?? answer.refusal
    hops.append(answer)
  }

  /// Adds a hop from one party to another.
  ///
  /// `sent` contains the fields that were sent, with secrets masked; `checks` contains the checks that decided it, in
  /// order.
  package func add(
    _ from: Party, _ to: Party, actor: String = "", _ action: String, result: String = "",
    sent: [NameValue] = [], checks: [Check] = [], refusal: Refusal? = nil
  ) {
    add(
      Hop(
        from: from, to: to, actor: actor, action: action, result: result, sent: sent, checks: checks,
        refusal: refusal))
  }
}

/// A trace in a list.
package struct TraceSummary: Codable, Hashable, Sendable, Identifiable {
  package var id: Int64
  package var title: String
  package var correlationID: String
  package var at: Instant
  package var verdict: String
  package var summary: String
  /// The clause that says which check failed, or `nil` if no check failed or a server's response says it.
  package var reason: String?
  package var hopCount: Int
  /// Whether the changes have been undone since.
  package var isUndone = false
  /// The author, or `nil` if unknown.
  package var author: Author?
  /// Whether the author is not the user of this process.
  package var isOfOthers = false

  package init(
    id: Int64, title: String, correlationID: String, at: Instant, verdict: String, summary: String,
    hopCount: Int, isUndone: Bool = false
  ) {
    self.id = id
    self.title = title
    self.correlationID = correlationID
    self.at = at
    self.verdict = verdict
    self.summary = summary
    self.hopCount = hopCount
    self.isUndone = isUndone
  }

  /// The outcome in a list: the reason, or else the summary, which for a failed call may be the SDK's sentence.
  package var outcomeText: String { reason.map { $0.sentenceCased + "." } ?? summary }
}

/// A complete trace.
package struct Trace: Codable, Hashable, Sendable {
  package var summary: TraceSummary
  package var hops: [Hop]
  package var outcome: Outcome?
  /// The users' notes on steps, by zero-based index.
  package var notes: [Int: String] = [:]

  package init(summary: TraceSummary, hops: [Hop], outcome: Outcome?, notes: [Int: String] = [:]) {
    self.summary = summary
    self.hops = hops
    self.outcome = outcome
    self.notes = notes
  }
}

/// The user who performed an intent, and the machine.
package struct Author: Codable, Hashable, Sendable {
  package var person: String
  package var machine: String

  /// Creates an author.
  ///
  /// Each name is cut to 64 characters, because it may come from the environment.
  package init(person: String, machine: String) {
    self.person = String(person.prefix(64))
    self.machine = String(machine.prefix(64))
  }

  /// The text of the author, such as `anna on qa-3`.
  package var displayText: String { "\(person) on \(machine)" }
}
