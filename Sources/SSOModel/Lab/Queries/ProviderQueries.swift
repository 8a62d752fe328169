import Essentials
import SSOCore
import SSODevice
import SSOInterop
import SSOKeychain
import SSOProvider
import SSOReference

/// The waiting sign-ins and the faults of the identity provider.
///
/// Throws `LabError` for an unknown name, and `StoreError`.
package struct ProviderQueries {
  let reader: LabReader

  package func faults() throws -> [Fault] { try reader.documents.faults() }

  /// Returns the sign-ins of external clients that wait for a user at a terminal, oldest first.
  package func waitingSignIns() throws -> [WaitingSignIn] {
    try PendingSignIns(documents: reader.documents, now: reader.now).waiting().compactMap { key, pending in
      var waiting = WaitingSignIn(pending, key: key, now: reader.now)
      let device = try pending.userCode.flatMap { try reader.documents.device(showing: $0) }
      // It was answered in a browser.
      if pending.isUntyped, device?.state != .pending { return nil }
      if pending.userCode != nil, device?.isAsking(at: reader.now) != true {
        waiting.ended = "its program has not asked for the tokens of this device code for over a minute"
      }
      return waiting
    }
  }

  /// Returns the port of the server that started last on this machine, or else on any machine.
  package func notedServerPort() throws -> Int? { try notedServer()?.port }

  private func notedServer() throws -> ServerNote? {
    try reader.documents.read(ServerNotes.self, .server, ServerNotes.key)?.note(on: .own)
  }

  /// Returns the keys that verify the provider's tokens.
  package func publishedKeys() throws -> [TokenVerificationKey] {
    try reader.documents.publishedSigningKeys()
  }

  /// Returns the tenants for which the provider issues tokens.
  package func tenantIDs() throws -> Set<String> {
    Set(try reader.documents.readAll(Tenant.self, .tenant).map(\.id))
  }

  /// Returns the machine with managed identities that this server simulates.
  package func notedMachine() throws -> ServedMachine? {
    try notedServer()?.machine
  }

  /// Returns the options of the server that started last on this machine, or `nil` if none has started.
  package func notedStart() throws -> ServedStart? {
    try notedServer()?.start
  }

  /// Returns the options of this user's own server on this machine, or `nil` if the last server was another user's.
  ///
  /// The options name files, which are opened with this user's rights.
  package func ownStart() throws -> ServedStart? {
    let server = try notedServer()
    return server?.runsOn == .own && server?.start?.user == getuid() ? server?.start : nil
  }
}

/// The unified cache of the device, for export to a file.
package struct CacheQueries {
  let reader: LabReader

  /// Returns the cache file of the current device, for one account or all.
  ///
  /// - Parameters:
  ///   - account: A username or home account ID, or `nil` for all.
  ///   - app: An app whose cache to return, or `nil` for the caches of all.
  ///   - environment: The host to write instead of each entry's own, for clients with another authority
  ///     (`localhost` for clients that sign in at `ssoterm serve`).
  /// - Returns: The records, with their secrets.
  /// - Throws: `LabError` for an account that the apps do not have.
  package func file(account: String?, app: String? = nil, environment: String?) throws -> CacheFile {
    var file = CacheFile()
    let groups = try app.map { [try reader.app($0).sharedAccessGroup] } ?? reader.accessGroups()
    try forEachItem(in: groups) { item in
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

  /// Passes every generic password of some access groups, with its data, to `body`.
  private func forEachItem(in groups: [String], _ body: (KeychainItem) throws -> Void) throws {
    for group in groups {
      try reader.credentials.items(
        matching: KeychainQuery(accessGroups: [group], itemClass: .genericPassword)
      )
      .forEach(body)
    }
  }
}
