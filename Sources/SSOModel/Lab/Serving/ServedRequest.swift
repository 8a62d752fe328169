/// The lab's response to an external client's request.
package struct ServedAnswer: Sendable {
  package var answer: ProviderResponse
  /// The client's registered name.
  ///
  /// Empty if the request does not contain a client.
  package var client: String
  /// The result for the log, such as `302 code` or `400 invalid_grant AADSTS70000`.
  package var result: String
  /// The page that waits for the terminal, if this is one.
  package var waiting: WaitingPage?
  /// Whether a user at a terminal is now prompted or may answer.
  package var startsWaiting = false
  /// The copy of the tokens for lists.
  var copy: TokenCopy?
}

/// The page that a browser displays while the user answers in a terminal.
package struct WaitingPage: Hashable, Sendable {
  /// The path that the page polls, with `id` in the query.
  package static let path = "/lab/waiting"

  package var client: String
  /// The number, which the terminal displays too.
  package var number: String
}

/// An external client's request, with everything besides the store that its response depends on.
///
/// Its random numbers come from 256 bits of the system, so that a scenario with a seed stays the same while
/// external clients sign in, and codes cannot be predicted.
package struct ServedRequest: Sendable {
  var http: HTTPRequest
  var cookies: [NameValue]
  var approval: Approval
  var moment: Instant
  /// The machine with managed identities whose endpoint received the request.
  var machine: ManagedIdentityHost?
  /// Whether discovery also lists what Entra lacks, which some clients require.
  var isGeneric = false
  /// The machine of the browser and this server, or `nil` if a load balancer may separate them.
  var browserMachine: Machine?
  var random = SystemClock.randomness()
}
