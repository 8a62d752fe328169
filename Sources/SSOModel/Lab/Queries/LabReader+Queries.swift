/// The lists of the lab, by subject.
extension LabReader {
  package var apps: AppQueries { AppQueries(reader: self) }
  package var accounts: AccountQueries { AccountQueries(reader: self) }
  package var tokens: TokenQueries { TokenQueries(reader: self) }
  package var branches: TokenBranches { TokenBranches(reader: self) }
  package var keychain: KeychainQueries { KeychainQueries(reader: self) }
  package var records: RecordQueries { RecordQueries(reader: self) }
  package var status: DeviceQueries { DeviceQueries(reader: self) }
  package var cache: CacheQueries { CacheQueries(reader: self) }
  package var names: KnownAccounts { KnownAccounts(reader: self) }
  package var why: WhyQueries { WhyQueries(reader: self) }

  /// What the next silent call of an app (bundle ID) for one account would do; nil: the call names none.
  /// - Parameter account: a username or home account ID.
  package func prediction(app bundleID: String, account: String?) throws -> Prediction {
    let app = try app(bundleID)
    return try account.map { try Predictor(reader: self).prediction(app, accountNamed: $0) }
      ?? apps.row(of: app).next
  }
}
