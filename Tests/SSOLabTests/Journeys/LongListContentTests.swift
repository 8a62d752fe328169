import Foundation
import SSODevice
import Testing

@testable import LabTestSupport
@testable import SSOInterop
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore
@testable import TestSamples

/// The lists for very many entries contain the same as the ordinary lists, row by row.
struct LongListContentTests {
  private func lab(_ engine: TestEngine, _ scenario: String = "two-vendors") throws -> Lab {
    let lab = try engine.lab(try ScenarioLibrary().scenario(scenario))
    let answers: [Answer] = [.accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept]
    let app = try #require(try lab.read { try $0.apps.rows() }.first).bundleID
    if scenario == "contoso-suite" {
      _ = try lab.perform(
        SignIn(app: app, account: nil, scopes: [], prompt: .whenRequired), answers: answers)
    }
    for name in ["az_msal_token_cache", "msal_python_cache"] {
      let file = try CacheReader.read(try cacheSample(name + ".json"))
      _ = try lab.perform(ImportCache(name: name, file))
    }
    return lab
  }

  /// Returns a lab in which Ada signs in to an app with ADAL 2.7, and Grace to an app with an older version.
  ///
  /// From 2.7 on, ADAL stores an account of the unified cache.
  private func labOfADAL(_ engine: TestEngine) throws -> Lab {
    let old = SuiteApp.adal("old", "2.6.6")
    let new = SuiteApp.adal("new", "2.7.0", client: "c2")
    let lab = try suiteLab(on: engine, [old, new])
    try lab.signIn(old, "grace@contoso.com")
    try lab.signIn(new)
    try lab.signIn(old)
    return lab
  }

  @Test(arguments: TestEngine.allCases, ["contoso-suite", "two-vendors"])
  func everyAccountIsInTheListOnceAndReadsAsItsRow(_ engine: TestEngine, _ scenario: String) throws {
    try expectSameAccounts(lab(engine, scenario))
  }

  @Test(arguments: TestEngine.allCases)
  func accountsInADALsFormatAreInTheListToo(_ engine: TestEngine) throws {
    let lab = try labOfADAL(engine)
    try expectSameAccounts(lab)
    #expect(
      try Set(lab.read { try $0.accounts.rows() }.map(\.username)) == [
        "ada@contoso.com", "grace@contoso.com",
      ])
  }

  private func expectSameAccounts(_ lab: Lab) throws {
    var summaries: [AccountSummary] = []
    try lab.read { reader in try reader.accounts.each { summaries.append($0) } }
    var details: [AccountDetails] = []
    try lab.read { reader in try reader.accounts.eachDetails { details.append($0) } }
    #expect(details.map(\.row) == summaries.map(\.row))
    let rows = try lab.read { try $0.accounts.rows() }
    let read = try lab.read { try $0.accounts.rows(summaries.map(\.row)) }
    #expect(summaries.count == rows.count)
    #expect(Set(summaries.map(\.row)).count == rows.count)
    for (summary, details) in zip(summaries, details) {
      let row = try #require(read[summary.row])
      #expect(rows.contains(row))
      #expect(summary.username == row.username.lowercased())
      #expect(details.username == row.username)
      #expect(details.name == row.displayName ?? "")
      #expect(summary.tenant.hasSuffix(row.homeTenantID))
      #expect(details.apps == row.apps.joined(separator: ", "))
      #expect(summary.identifier == row.identifier)
    }
    #expect(try Set(lab.read { try $0.accounts.first(1000) }.map(\.row)) == Set(summaries.map(\.row)))
  }

  /// Either part may contain hyphens, so the account attribute alone does not show where the first part ends.
  @Test(arguments: TestEngine.allCases)
  func anAccountOfAHostThatNobodyKnowsIsReadFromItsData(_ engine: TestEngine) throws {
    let lab = try lab(engine, "contoso-suite")
    try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: lab.clock())
      let account = AccountItem([
        .homeAccountID: "sub-ject.tenant", .environment: "fs-1.contoso.com", .realm: "tenant",
        .username: "Eve@Contoso.com", .localAccountID: "sub-ject",
      ])
      try intent.credentials.insert(
        CacheKey(account).item(
          in: try #require(intent.reader.accessGroups().first), data: account.data, at: intent.now))
    }
    var found: [AccountSummary] = []
    try lab.read { reader in
      try reader.accounts.each { if $0.username == "eve@contoso.com" { found.append($0) } }
    }
    #expect(found.map(\.identifier) == ["sub-ject.tenant"])
    #expect(found.map(\.tenant) == ["tenant"])
    try expectSameAccounts(lab)
  }

  @Test(arguments: TestEngine.allCases, ["login.windows.net", "fs-1.contoso.com"])
  func anAccountWhoseDataIsDamagedKeepsItsPlaceInBothPasses(_ engine: TestEngine, _ host: String) throws {
    let lab = try lab(engine, "contoso-suite")
    try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: lab.clock())
      let account = AccountItem([
        .homeAccountID: "eve.tenant", .environment: host, .realm: "tenant", .username: "Eve@Contoso.com",
      ])
      let group = try #require(intent.reader.accessGroups().first)
      try intent.credentials.insert(
        CacheKey(account).item(in: group, data: Data("{\"username\":".utf8), at: intent.now))
    }
    var summaries: [AccountSummary] = []
    try lab.read { reader in try reader.accounts.each { summaries.append($0) } }
    var details: [AccountDetails] = []
    try lab.read { reader in try reader.accounts.eachDetails { details.append($0) } }
    #expect(summaries.contains { $0.username == "eve@contoso.com" })
    #expect(details.map(\.row) == summaries.map(\.row))
    #expect(details.contains { $0.username == "ada@contoso.com" && !$0.apps.isEmpty })
  }

  @Test(arguments: TestEngine.allCases)
  func aGuestIsOneAccountWithAnItemForEachRealm(_ engine: TestEngine) throws {
    let lab = try lab(engine, "contoso-suite")
    let row = try #require(try lab.read { try $0.accounts.rows() }.first { $0.username == "ada@contoso.com" })
    let home = row.homeAccountID
    try lab.store.write(nil) { transaction in
      let intent = try IntentTransaction(transaction, realTime: lab.clock())
      let query = KeychainQuery(
        accessGroups: try intent.reader.accessGroups(), account: CacheKey.account(home, row.environment),
        type: AccountType.mssts.attributeType)
      let item = try #require(try intent.credentials.items(matching: query).first)
      var account = try #require(AccountItem(data: item.data))
      account[.realm] = "fabrikam"
      try intent.credentials.insert(
        CacheKey(account).item(in: item.key.accessGroup, data: account.data, at: intent.now))
    }
    var count = 0
    try lab.read { reader in try reader.accounts.each { if $0.identifier == home { count += 1 } } }
    #expect(count == 1)
    #expect(
      try lab.read { try $0.accounts.rows() }.first { $0.homeAccountID == home }?.guestRealms == ["fabrikam"])
  }

  @Test(arguments: TestEngine.allCases, ["contoso-suite", "two-vendors"])
  func aBranchHasTheCredentialsThatItsAppCanUse(_ engine: TestEngine, _ scenario: String) throws {
    try expectSameCredentials(lab(engine, scenario))
  }

  @Test(arguments: TestEngine.allCases)
  func aBranchHasTheCredentialsInADALsFormatToo(_ engine: TestEngine) throws {
    let lab = try labOfADAL(engine)
    try expectSameCredentials(lab)
    #expect(try lab.read { try $0.branches.all() }.map(\.clientID) == ["c1", "c2"])
  }

  private func expectSameCredentials(_ lab: Lab) throws {
    let tokens = try lab.read { try $0.tokens.rows() }
    let branches = try lab.read { try $0.branches.all() }
    #expect(!branches.isEmpty)
    for branch in branches {
      var rows: [Int64] = []
      try lab.read { reader in
        try reader.branches.each(clientID: branch.clientID, redirectURI: branch.redirectURI) {
          rows.append($0.row)
          return true
        }
      }
      let expected = tokens.filter { token in
        branch.redirectURI.map(token.redirectURIs.contains)
          ?? (token.clientID.lowercased() == branch.clientID.lowercased())
      }
      #expect(Set(rows.map { "t\($0)" }) == Set(expected.map(\.id)))
      #expect(branch.count == expected.count)
      #expect(try Set(lab.read { try $0.branches.rows(rows) }.values) == Set(expected))
    }
  }

  @Test(arguments: TestEngine.allCases)
  func everyItemOfAGroupIsInTheListOnceAndReadsAsItsRow(_ engine: TestEngine) throws {
    let lab = try lab(engine, "contoso-suite")
    for group in try lab.read({ try $0.keychain.groups() }) {
      var summaries: [KeychainItemSummary] = []
      try lab.read { reader in
        try reader.keychain.each(group: group.accessGroup) {
          summaries.append($0)
          return true
        }
      }
      let items = try lab.read { try $0.keychain.rows(group: group.accessGroup) }
      #expect(try Set(lab.read { try $0.keychain.rows(summaries.map(\.row)) }.values) == Set(items))
      #expect(summaries.count == group.itemCount && items.count == group.itemCount)
      #expect(try lab.read { try $0.keychain.itemCount(group: group.accessGroup) } == items.count)
      #expect(summaries.map(\.account) == summaries.map(\.account).sorted())
    }
  }

  @Test(arguments: TestEngine.allCases)
  func aListMayBeLeftAfterAPage(_ engine: TestEngine) throws {
    let lab = try lab(engine, "contoso-suite")
    let group = try #require(try lab.read { try $0.keychain.groups() }.first { $0.itemCount > 2 })
    var count = 0
    try lab.read {
      try $0.keychain.each(group: group.accessGroup) { _ in
        count += 1
        return count < 2
      }
    }
    #expect(count == 2)
  }
}
