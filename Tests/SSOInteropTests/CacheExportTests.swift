import Foundation
import SSODevice
import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOScenarios
@testable import TestSamples

@Suite struct CacheExportTests {
  private static let now = Instant(1_795_256_000)

  private func sections(_ data: Data) throws -> [String: JSONValue] { try CacheReader.sections(data) }

  private func export(_ file: CacheFile, over present: Data? = nil) throws -> CacheExport {
    try CacheExport(file, over: present)
  }

  /// MSAL Python's entries, imported and exported again, are the same entries under the same keys.
  @Test func msalPythonsOwnCacheComesBackUnderItsKeys() throws {
    let data = try cacheSample("msal_python_cache.json")
    let written = try export(try CacheReader.read(data)).file
    let (before, after) = (try sections(data), try sections(written))
    #expect(Set(after.keys) == Set(before.keys))
    for (name, section) in before {
      let keys = Set((section.object ?? [:]).keys)
      #expect(Set((after[name]?.object ?? [:]).keys) == keys, "\(name)")
    }
    #expect(try CacheCheck(written, now: Self.now).findings.allSatisfy { $0.kind == .expired })
  }

  @Test(arguments: [
    "synth_go_style_cache.json", "synth_node_style_cache.json", "synth_java_style_cache.json",
  ])
  func entriesOfAnotherSDKGiveWayByIdentityNotByKey(_ name: String) throws {
    let data = try cacheSample(name)
    let file = try CacheReader.read(data)
    let export = try export(file, over: data)
    #expect(export.counts.replaced == file.credentials.count)
    #expect(try CacheCheck(export.file, now: Self.now).findings.allSatisfy { $0.kind == .expired })
  }

  @Test func whatIsNotReplacedStaysUnknownSectionsToo() throws {
    let present = Data(
      #"{"Mine":{"a":[1]},"RefreshToken":{"odd":{"secret":"x","junk":true}},"AccessToken":{}}"#.utf8)
    let export = try export(
      try CacheReader.read(try cacheSample("msal_python_cache.json")), over: present)
    let after = try sections(export.file)
    #expect(after["Mine"] == ["a": .array([.integer(1)])])
    #expect(after["RefreshToken"]?["odd"] == ["secret": "x", "junk": .bool(true)])
    #expect(export.counts.kept == 1)
  }

  @Test func aFileThatIsNoCacheIsNotWrittenOver() {
    #expect(throws: CacheFileError.self) { try export(CacheFile(), over: Data("#!/bin/sh".utf8)) }
  }

  /// A sibling app that uses MSAL Python looks for `family_id`, and both of the lab's tokens have the same key there.
  @Test(arguments: [CredentialType.familyRefreshToken, .refreshToken])
  func anAppsFamilyTokenIsKeptAndNotThePlainOneBesideIt(_ type: CredentialType) throws {
    let fields: [CredentialField: String] = [
      .clientID: "c", .secret: "s", .homeAccountID: "u.t", .environment: "localhost", .familyID: "1",
    ]
    var plain = CredentialItem(type: .refreshToken, fields)
    plain[.familyID] = nil
    let both = [CredentialItem(type: type, fields), plain]
    var file = CacheFile()
    file.credentials = both
    let export = try export(file)
    let kept = try #require(try sections(export.file)["RefreshToken"]?.object)
    #expect(kept.count == 1 && kept.values.first?["family_id"] == "1")
    #expect(export.counts.credentials == 1)
  }

  /// Two programs of a family each received a token, but a cache has room for only one.
  @Test(arguments: [["10", "20"], ["20", "10"]])
  func aFamilyHasTheTokenThatWasChangedLast(_ times: [String]) throws {
    let tokens = zip(["c", "d"], times).map { client, time in
      CredentialItem(
        type: .familyRefreshToken,
        [
          .clientID: client, .secret: "at " + time, .homeAccountID: "u.t", .environment: "localhost",
          .familyID: "1", .lastModificationTime: time,
        ])
    }
    var file = CacheFile()
    file.credentials = tokens
    file.accounts = [AccountItem([.homeAccountID: "u.t", .environment: "localhost"])]
    let export = try export(file)
    let kept = try #require(try sections(export.file)["RefreshToken"]?.object)
    #expect(kept.values.map { $0["secret"] } == ["at 20"])
    #expect(try CacheCheck(export.file, now: Self.now).findings.isEmpty)
  }

  @Test func aLabIsExportedForOneAccountAndHost() throws {
    let lab = try Lab.temporary(try ScenarioLibrary().scenario("contoso-suite"))
    _ = try lab.perform(
      SignIn(app: "com.contoso.mytestapp1", account: nil, scopes: [], prompt: .whenRequired),
      answers: [.accept, .username("ada@contoso.com"), .password("analytical-engine"), .accept])
    let export = try export(
      try lab.read { try $0.cache.file(account: "ADA@contoso.com", environment: "localhost") })
    let file = try CacheReader.read(export.file)
    #expect(file.problems.isEmpty && file.accounts.map(\.username) == ["ada@contoso.com"])
    #expect(Set(file.credentials.map(\.environment)) == ["localhost"])
    #expect(Set(file.credentials.map(\.type)) == [.accessToken, .refreshToken, .idToken])
    #expect(throws: LabError.self) {
      try lab.read { try $0.cache.file(account: "grace@contoso.com", environment: nil) }
    }
  }
}

@Suite struct CacheExportSizeTests {
  /// When all entries were copied for each entry, 16,000 entries took 8 s; a linear export takes well under a second.
  @Test(.timeLimit(.minutes(1))) func aLargeCacheIsExportedInTimeInProportionToItsSize() throws {
    var file = CacheFile()
    file.credentials = (0..<20_000).map { number in
      CredentialItem(
        type: .refreshToken,
        [.clientID: "c", .secret: "s", .homeAccountID: "u\(number).t", .environment: "localhost"])
    }
    #expect(try CacheExport(file, over: nil).counts.credentials == 20_000)
  }
}

@Suite struct CacheCheckTests {
  @Test func aRefreshTokenWithoutAccountIsAnOrphan() throws {
    var top = try CacheReader.sections(try cacheSample("msal_python_cache.json"))
    top["Account"] = .object([:])
    let check = try CacheCheck(JSONValue.object(top).bytes(.keychain), now: Instant(0))
    let orphans = check.findings.filter { $0.kind == .orphan && $0.entry.hasPrefix("RefreshToken") }
    #expect(
      orphans.count == top["RefreshToken"]?.object?.values.count { $0["home_account_id"]?.string != "" })
    #expect(check.findings.allSatisfy { !$0.entry.contains("eyJ") && !$0.reason.contains("eyJ") })
  }

  @Test func theSameTokenUnderTwoKeysIsADuplicate() throws {
    var top = try CacheReader.sections(try cacheSample("synth_go_style_cache.json"))
    var tokens = try #require(top["RefreshToken"]?.object)
    let (_, value) = try #require(tokens.first)
    tokens["another key"] = value
    top["RefreshToken"] = .object(tokens)
    let check = try CacheCheck(JSONValue.object(top).bytes(.keychain), now: Instant(0))
    #expect(check.findings.count { $0.kind == .duplicate } == 1)
  }

  /// A file with very many similar entries is reported in a few lines.
  @Test func entriesAlikeAreSaidOnceWithTheirNumber() throws {
    var tokens: [String: JSONValue] = [:]
    for number in 0..<5000 {
      tokens["key \(number)"] = [
        "home_account_id": "u.t", "client_id": "c", "environment": "h", "credential_type": "RefreshToken",
        "secret": "s",
      ]
    }
    let check = try CacheCheck(
      JSONValue.object(["RefreshToken": .object(tokens)]).bytes(.keychain), now: Instant(0))
    #expect(check.findings.map(\.kind) == [.orphan, .duplicate, .foreignKey])
    #expect(check.findings[0].reason.hasSuffix(" 5000 entries are alike."))
    #expect(
      check.findings[1].reason
        == "The same credential is stored under 5000 keys: key 0 and key 1, and 4998 more.")
  }

  @Test(arguments: [
    ("msal_python_cache.json", CacheSDK.python), ("az_msal_token_cache.json", .python),
    ("synth_go_style_cache.json", .go), ("synth_node_style_cache.json", .node),
    ("synth_java_style_cache.json", .java), ("synth_dotnet_style_cache.json", .dotnet),
  ])
  func eachSampleLiesUnderItsWritersKeys(_ name: String, _ sdk: CacheSDK) throws {
    let check = try CacheCheck(try cacheSample(name), now: Instant(0))
    let view = try #require(check.views.first { $0.sdk == sdk })
    #expect(view.foreignKeys == 0 && view.ownKeys > 0)
  }

  @Test func anEmptyFileHasNothingToFind() throws {
    #expect(try CacheCheck(Data(), now: Instant(0)).findings.isEmpty)
  }
}
