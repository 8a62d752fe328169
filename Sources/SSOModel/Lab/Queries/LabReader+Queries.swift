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
  package var provider: ProviderQueries { ProviderQueries(reader: self) }
  package var why: WhyQueries { WhyQueries(reader: self) }
}
