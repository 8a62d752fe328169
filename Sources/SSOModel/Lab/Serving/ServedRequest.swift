/// What the lab says to a real client's request.
package struct ServedAnswer: Sendable {
  package var answer: ProviderResponse
  /// The registered name of who asked; empty if the request names no client.
  package var client: String
  /// How it went, for the log: `302 code`, `400 invalid_grant AADSTS70000`.
  package var result: String
  /// The page that waits for the terminal, if this is one.
  package var waiting: WaitingPage?
  /// From now on a person at a terminal is asked, or may answer.
  package var startsWaiting = false
  /// What the lists are to show of it.
  var copy: TokenCopy?
}

/// What the browser shows while the person answers in a terminal.
package struct WaitingPage: Hashable, Sendable {
  /// Where it asks for the answer, with `id` in the query.
  package static let path = "/lab/waiting"

  package var client: String
  /// Also in the terminal.
  package var number: String
}

/// A request of a program that is not simulated, with all that its answer depends on besides the store.
///
/// Random numbers come from 256 bits of the system: a story with a seed stays the same while real programs sign in, and
/// no code can be predicted.
package struct ServedRequest: Sendable {
  var http: HTTPRequest
  var cookies: [NameValue]
  var approval: Approval
  var moment: Instant
  /// It came to the endpoint of a machine with managed identities.
  var machine: ManagedIdentityHost?
  /// Its client needs more of discovery than Entra has.
  var isGeneric = false
  /// Where the browser and this server run; nil: a balancer between them may be elsewhere.
  var browserMachine: Machine?
  var random = SystemClock.randomness()
}
