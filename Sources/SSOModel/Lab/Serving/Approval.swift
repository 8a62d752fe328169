/// Who answers the pages that a real client's sign-in shows.
package enum Approval: Hashable, Sendable {
  /// The person at a terminal; the browser's page waits.
  case terminal
  /// The person in the browser, on HTML pages.
  case browser
  /// No person answers: the lab signs this one in, for scripts.
  case automatic(username: String)

  var isAutomatic: Bool { if case .automatic = self { true } else { false } }
}
