import Essentials

/// The unified cache of the device, for export to a file.
package struct CacheQueries {
  let reader: LabReader

  /// Returns the cache file of the current device, for one account or all.
  ///
  /// - Parameters:
  ///   - account: A username or home account ID, or `nil` for all.
  ///   - environment: The host to write instead of each entry's own, for clients with another authority
  ///     (`localhost` for clients that sign in at `ssoterm serve`).
  /// - Returns: The records, with their secrets.
  /// - Throws: `LabError` for an account that no app has.
  package func file(account: String?, environment: String?) throws -> CacheFile {
    var file = CacheFile()
    try forEachItem { item in
      switch item.type ?? 0 {
      case 1000..<2000: if let account = AccountItem(data: item.data) { file.accounts.append(account) }
      case 2001, 2002, 2003, 2007, 2008:
        if let token = CredentialItem(data: item.data), token.isComplete { file.credentials.append(token) }
      case 3001: if let entry = AppMetadata(data: item.data) { file.appMetadata.append(entry) }
      default: break
      }
    }
    if let account {
      let wanted = account.lowercased()
      let owners = Set(
        file.accounts.filter { $0.username.lowercased() == wanted || $0.homeAccountID.lowercased() == wanted }
          .map(\.homeAccountID))
      guard !owners.isEmpty else {
        throw LabError.unknown(
          .unknownAccount, "account", account, among: Array(Set(file.accounts.map(\.username))).sorted(),
          list: "\(.accounts)")
      }
      file.accounts.removeAll { !owners.contains($0.homeAccountID) }
      file.credentials.removeAll { !owners.contains($0.homeAccountID) }
      let clients = Set(file.credentials.map { $0.clientID.lowercased() })
      file.appMetadata.removeAll { !clients.contains($0.clientID.lowercased()) }
    }
    if let environment {
      for index in file.credentials.indices { file.credentials[index][.environment] = environment }
      for index in file.accounts.indices { file.accounts[index][.environment] = environment }
      for index in file.appMetadata.indices {
        file.appMetadata[index].fields["environment"] = .string(environment)
      }
    }
    return file
  }

  /// Passes every generic password of the current device, with its data, to `body`.
  private func forEachItem(_ body: (KeychainItem) throws -> Void) throws {
    for group in try reader.accessGroups() {
      try reader.credentials.items(
        matching: KeychainQuery(accessGroups: [group], itemClass: .genericPassword)
      )
      .forEach(body)
    }
  }
}
