/// How often a secret may be guessed.
///
/// After `most` wrong guesses every guess is refused for a minute, the right one too, and again after each further wrong
/// one; a wrong guess that is repeated counts once (Entra: smart lockout).
struct GuessLimit {
  /// Wrong guesses since the last right one.
  ///
  /// Kept under the hash of what is guessed.
  struct Failures: Codable, Hashable {
    var count = 0
    var last: Instant
    /// SHA-256 of the last three.
    var guesses: [String] = []

    /// Seconds after the last wrong guess after which all are forgotten.
    static let lifetime = 3600
  }

  let documents: any DocumentStore
  let now: Instant
  /// What is guessed: `password/ada@contoso.com`.
  let subject: String
  let most: Int
  let refusal: OAuthError

  /// Seconds.
  static let pause = 60
  private static let remembered = 3

  private var key: String { "guess/" + sha256Hex(subject) }

  /// Requires that guesses are not refused at the moment, then what the guess is judged by.
  ///
  /// A wrong one is counted.
  func require(_ result: RuleResult, guess: String, _ context: inout RequestContext) throws {
    let failures = try failures()
    try context.require(checkNotLocked(failures))
    if result.check.verdict == .failed { try note(guess, failures) }
    try context.require(result)
  }

  /// After a right guess.
  func forget() throws {
    if try documents.document(.authorizationCode, key) != nil {
      try documents.delete(.authorizationCode, key)
    }
  }

  private func failures() throws -> Failures? {
    let kept = try documents.read(Failures.self, .authorizationCode, key)
    return kept.flatMap { isWithin(Failures.lifetime, since: $0.last) ? $0 : nil }
  }

  /// After the clock was put back nothing counts as recent.
  private func isWithin(_ seconds: Int, since last: Instant) -> Bool {
    (0..<seconds).contains(last.seconds(until: now))
  }

  private func note(_ guess: String, _ failures: Failures?) throws {
    var failures = failures ?? Failures(last: now)
    let hash = sha256Hex(guess)
    guard !failures.guesses.contains(hash) else { return }
    failures.count += 1
    failures.last = now
    failures.guesses = Array(([hash] + failures.guesses).prefix(Self.remembered))
    try documents.write(failures, .authorizationCode, key)
    try ExpiryPurge(documents: documents, now: now).purge(after: key, in: .authorizationCode)
  }

  private func checkNotLocked(_ failures: Failures?) -> RuleResult {
    let count = failures?.count ?? 0
    let isLocked = count >= most && failures.map { isWithin(Self.pause, since: $0.last) } ?? false
    return RuleResult(
      "wrong guesses", expected: "fewer than \(most), or a minute since the last", found: "\(count)",
      !isLocked,
      source: "Entra, smart lockout", else: refusal)
  }
}

extension ProviderResources {
  /// Passwords and second factors of one account.
  func guesses(of person: Person) -> GuessLimit {
    GuessLimit(
      documents: documents, now: now, subject: "password/" + person.username.lowercased(), most: 10,
      refusal: OAuthError(
        .invalidGrant,
        "The account is locked, you've tried to sign in too many times with an incorrect user ID or password.",
        aadsts: .accountLocked))
  }

  /// User codes of all devices together: who guesses has as many browsers as needed (RFC 8628 §5.1).
  var userCodeGuesses: GuessLimit {
    GuessLimit(
      documents: documents, now: now, subject: "user code", most: 50,
      refusal: OAuthError(
        .badVerificationCode, "Too many wrong codes were entered. Wait a minute, then try again."))
  }
}
