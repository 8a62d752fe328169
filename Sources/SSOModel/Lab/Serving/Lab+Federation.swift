extension Lab {
  /// A token of the issuer that the lab plays: what a workload shows in place of a secret.
  /// - Parameter lifetime: seconds.
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
