import SSOReference

/// The result of a diagnosis or a reading in one line: what is wrong, how sure that is, where, and the one thing to do.
package struct Verdict: Hashable, Sendable {
  /// The grounds on which a verdict rests.
  package enum Certainty: String, CaseIterable, Hashable, Sendable {
    /// The files or the text show it.
    case seen
    /// They show only a part of it, a sentence that represents it, or something that the account or the build decides.
    case inferred
    /// They show a code or a sentence that represents any failure.
    case general
    /// They show an error, but no known code.
    case unknown
    /// A value of a sample has not been replaced yet.
    case notFilledIn = "not filled in"
    /// They do not show a mistake.
    case nothingFound = "nothing found"
    /// They show nothing that can be checked.
    case notVisible = "not visible"

    package var displayText: String {
      switch self {
      case .seen: "seen here"
      case .inferred: "inferred from what is here"
      case .general: "only that something failed is seen here, not the cause"
      case .unknown: "no known code is here"
      case .notFilledIn: "not filled in yet"
      case .nothingFound: ""
      case .notVisible: "not visible here"
      }
    }
  }

  package var certainty: Certainty
  /// The code of the cause or the name of the broken rule, or `nil` if there is neither.
  package var cause: String?
  /// A sentence that says what is wrong.
  package var meaning: String
  package var remedy: Advice?
  /// The place of the cause, such as `line 7` or `Info.plist:12`, or an empty string if it is not known.
  package var place: String
  /// The ID of the trace that failed, or `nil` if no trace did.
  package var call: Int64?

  package init(
    _ certainty: Certainty, cause: String? = nil, meaning: String, remedy: Advice? = nil, place: String = "",
    call: Int64? = nil
  ) {
    self.certainty = certainty
    self.cause = cause
    self.meaning = meaning
    self.remedy = remedy
    self.place = place
    self.call = call
  }
}
