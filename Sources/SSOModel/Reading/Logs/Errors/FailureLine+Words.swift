import SSOCore

/// The words by which a line that is in no table is recognised as a failure.
extension FailureLine {
  /// Returns whether a part of a chain of sentences can stand alone.
  static func isWhole(_ part: String) -> Bool {
    let words = part.split(separator: " ").filter { word in
      word.count(where: \.isLetter) > 2 && !word.contains("://")
    }
    return words.count > 1 || isCode(part) || saysFailure(part)
  }

  /// Returns whether a program goes on after what a sentence says: `Token expired, refreshing`, or a success in a later line.
  static func isOvercome(_ text: String, _ later: ArraySlice<String>) -> Bool {
    let lower = text.lowercased()
    return recoveries.contains { lower.contains($0) } || later.contains { OrdinaryLine.isSuccess($0) }
  }

  private static let recoveries = [
    ", refreshing", ", reloading", ", retrying", ", renewing", ", ignoring", ", skipping", "; retrying",
    "will retry", "falling back", "initiating login", "starting login", "redirecting to login",
    "redirecting to the login",
  ]

  /// Returns whether a code is not an everyday word, such as the `unauthorized` of a table of devices.
  static func isNotWord(_ code: String) -> Bool {
    !code.allSatisfy { $0.isLowercase }
  }

  /// Words with which people report what they saw.
  static let ofPersons = [
    "not work", "n't work", "works fine", "work fine", "worked", "working", "the error", "error message",
    "this error", "same error", "following error", "the issue", "an issue", "this issue", "the problem",
    "this project", "seems", "however", "looks like", "should be able", " trying ", "as expected", "any idea",
    "any help", "sometimes", ", but ", "not clear", "not sure", "fails as well", "fail as well",
    " our ", "when using device code",
  ]

  /// The beginnings of what people write around an error, and of a program's advice.
  static let beginnings = [
    "i ", "i'm ", "i’m ", "i've ", "we ", "my ", "hi", "hello", "thank", "please ", "when ", "after ", "how ",
    "can ",
    "is ", "does ", "but ", "and ", "so ", "if ", "note", "warn", "see ", "visit ", "make sure", "ensure ",
    "for more ",
    "//", "import ", "const ", "let ", "var ", "await ", "return ", "what ", "why ", "this ", "only ", "you ",
  ]

  static let failures = [
    "fail", "unable", "cannot", "can't", "can’t", "could not", "couldn't", "couldn’t", "not found", "invalid",
    "denied",
    "unauthori", "forbidden", "expired", "missing", "required", "mismatch", "does not", "do not", "doesn't",
    "is null",
    "be null", "refused", "rejected", "unsupported", "no such", "not set", "not properly", "timed out",
    "unexpected",
    "malformed", "blocked", "not been", "was not", "were not", "is not", "are not", "not authenticated",
    "not logged in",
    "no profiles", "illegal", "misbehaving", "not contain", "not implemented", "not_implemented", "undefined",
    "no access token", "revoked", "not valid", "not allowed", "not supported", "no data", "no valid",
    "needed",
    "incorrect", "nicht gefunden", "not available", "unavailable", "not enabled", "not recognized",
    "unrecognized",
    "impossible", "null given", "must be of type", "no matching", "not match", "bad request", "with an error",
    "error code:",
    "must have", "wrong number", "exceeded", "i/o timeout", "corrupt", "unreachable", "unknown host",
    "no response",
    "error has occurred", "error occurred", "unknown argument", "unknown option",
  ]

  static let beginningWords: Set<Substring> = [
    "a", "an", "the", "to", "of", "from", "for", "with", "and", "or", "in", "on", "at", "by", "is", "are",
    "was",
    "not", "be", "your", "this", "that",
  ]
}
