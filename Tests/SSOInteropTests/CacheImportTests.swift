import Foundation
import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOKeychain
@testable import TestSamples

/// The contents of a sample, counted with Python's `json`.
struct SampleCounts: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var accessTokens = 1
  var refreshTokens = 1
  var idTokens = 1
  var accounts = 1
  var appMetadata = 1
}

@Suite struct CacheImportTests {
  @Test(arguments: [
    SampleCounts(testDescription: "az_msal_token_cache.json", accessTokens: 3, idTokens: 3),
    SampleCounts(
      testDescription: "msal_python_cache.json", accessTokens: 8, refreshTokens: 3, idTokens: 7, accounts: 3,
      appMetadata: 4),
    SampleCounts(testDescription: "synth_dotnet_style_cache.json"),
    SampleCounts(testDescription: "synth_go_style_cache.json"),
    SampleCounts(testDescription: "synth_java_style_cache.json"),
    SampleCounts(testDescription: "synth_node_style_cache.json"),
  ])
  func everySDKsFileIsImported(_ sample: SampleCounts) throws {
    let file = try CacheReader.read(cacheSample(sample.testDescription))
    #expect(file.problems.isEmpty && file.keptDocument == nil)
    let store = MemoryCredentialStore()
    var expected = CacheImport.Counts()
    expected.accessTokens = sample.accessTokens
    expected.refreshTokens = sample.refreshTokens
    expected.idTokens = sample.idTokens
    expected.accounts = sample.accounts
    expected.appMetadata = sample.appMetadata
    #expect(try file.writeImported(into: store, accessGroup: "T.g", now: Instant(5)) == expected)
    let total = sample.accessTokens + sample.refreshTokens + sample.idTokens + sample.accounts
    expected.replaced = total + sample.appMetadata
    #expect(try file.writeImported(into: store, accessGroup: "T.g", now: Instant(6)) == expected)
    #expect(try store.items(matching: KeychainQuery(accessGroups: ["T.g"])).count == expected.replaced)
  }

  @Test(arguments: [
    "az_msal_token", "synth_dotnet_style", "synth_go_style", "synth_java_style", "synth_node_style",
  ])
  func importedFamilyTokenIsFoundByAnotherAppOfTheFamily(name: String) throws {
    let store = MemoryCredentialStore()
    try CacheReader.read(cacheSample(name + "_cache.json")).writeImported(
      into: store, accessGroup: "T.g", now: Instant(5))
    let cache = TokenCache(
      keychain: Keychain(
        store: store, app: KeychainCaller(bundleID: "b", entitledGroups: ["T.g"]),
        now: Instant(5), trace: TraceRecorder()),
      accessGroup: "T.g")
    let home = "a11ce000-0000-4000-8000-000000000001.11111111-aaaa-4aaa-8aaa-111111111111"
    let token = try cache.familyRefreshToken(homeAccountID: home, environments: ["localhost"], familyID: "1")
    #expect(token?.clientID == "04b07795-8ddb-461a-bbee-02f9e1bf7b46")
    let listed = try cache.listedAccounts(clientID: "another-member")
    #expect(listed.map(\.account.homeAccountID) == [home])
  }

  @Test(arguments: [("10", "20", "b"), ("20", "10", "a"), ("20.500", "20.499", "a"), ("10", "10", "b")])
  func ofTheSameIdentityTheOneModifiedLastWins(first: String, second: String, winner: String) throws {
    var file = CacheFile()
    for (client, time) in [("a", first), ("b", second)] {
      file.credentials.append(
        CredentialItem(
          type: .refreshToken,
          [
            .clientID: client, .familyID: "1", .secret: "s", .homeAccountID: "h", .environment: "e",
            .lastModificationTime: time,
          ]))
    }
    let imported = CacheImport(file, accessGroup: "T.g", now: Instant(5))
    #expect(imported.items.map { CredentialItem(data: $0.data)?.clientID } == [winner])
    #expect(imported.counts.duplicates == 1)
    #expect(imported.counts.refreshTokens == 1)
  }
}
