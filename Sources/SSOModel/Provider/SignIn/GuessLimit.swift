/// A limit on guesses of a secret.
///
/// After `most` wrong guesses, all guesses are rejected for a minute, even the right one, and again after
/// each further wrong guess. A repeated wrong guess counts once (Entra: smart lockout).
struct GuessLimit {
  /// The wrong guesses since the last right guess.
  ///
  /// They are stored under the hash of the subject.
  struct Failures: Codable, Hashable {
    var count = 0
    var last: Instant
    /// The SHA-256 of the last three guesses.
    var guesses: [String] = []

    /// The seconds after the last wrong guess at which the failures are discarded.
    static let lifetime = 3600
  }

  let documents: any DocumentStore
  let now: Instant
  /// The subject of the guesses, such as `password/ada@contoso.com`.
  let subject: String
  let most: Int
  let refusal: OAuthError

  /// The lockout time in seconds.
  static let pause = 60
  private static let remembered = 3

  private var key: String { "guess/" + sha256Hex(subject) }

  /// Requires that the subject is not locked, and then the result of a guess.
  ///
  /// A wrong guess is counted.
  func require(_ result: RuleResult, guess: String, _ context: inout RequestContext) throws {
    let failures = try failures()
    try context.require(checkNotLocked(failures))
    if result.check.verdict == .failed { try note(guess, failures) }
    try context.require(result)
  }

  /// Discards the failures after a right guess.
  func forget() throws {
    if try documents.document(.authorizationCode, key) != nil {
      try documents.delete(.authorizationCode, key)
    }
  }

  private func failures() throws -> Failures? {
    let kept = try documents.read(Failures.self, .authorizationCode, key)
    return kept.flatMap { isWithin(Failures.lifetime, since: $0.last) ? $0 : nil }
  }

  /// If the clock was set back, nothing counts as recent.
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
  /// The limit for passwords and MFA codes of one account.
  func guesses(of person: Person) -> GuessLimit {
    GuessLimit(
      documents: documents, now: now, subject: "password/" + person.username.lowercased(), most: 10,
      refusal: OAuthError(
        .invalidGrant,
        "The account is locked, you've tried to sign in too many times with an incorrect user ID or password.",
        aadsts: .accountLocked))
  }

  /// The limit for user codes of all devices together, because an attacker can use any number of browsers
  /// (RFC 8628 §5.1).
  var userCodeGuesses: GuessLimit {
    GuessLimit(
      documents: documents, now: now, subject: "user code", most: 50,
      refusal: OAuthError(
        .badVerificationCode, "Too many wrong codes were entered. Wait a minute, then try again."))
  }
}
