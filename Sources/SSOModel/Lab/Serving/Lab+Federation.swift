extension Lab {
  /// Issues a token of the lab's own issuer, which a workload presents instead of a secret.
  ///
  /// `lifetime` is in seconds.
  ///
  /// - Throws: `LabError` if the lab is read-only; `StoreError`.
  package func federationToken(
    issuer: String, subject: String, audience: String, lifetime: Int
  ) throws -> String {
    try checkWritable()
    return try store.write(nil) { transaction in
      let now = try LabReader(transaction, realTime: clock()).now
      return try ForeignIssuer(documents: transaction, random: RandomSource(SystemClock.randomness()))
        .token(issuer: issuer, subject: subject, audience: audience, at: now, lifetime: lifetime)
    }
  }
}
