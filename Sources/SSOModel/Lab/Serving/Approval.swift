/// The way to answer the pages of an external client's sign-in.
package enum Approval: Hashable, Sendable {
  /// A user answers at a terminal while the browser's page waits.
  case terminal
  /// A user answers in the browser, on HTML pages.
  case browser
  /// The lab signs this user in without any prompt, for scripts.
  case automatic(username: String)

  var isAutomatic: Bool { if case .automatic = self { true } else { false } }
}
