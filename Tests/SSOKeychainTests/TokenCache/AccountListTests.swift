import Foundation
import Testing

@testable import SSOCore
@testable import SSOKeychain

/// The accounts that an app lists (docs/behaviour/msal-cache.md §10), and the account metadata behind them
/// (msal-cache.md §5).
@Suite struct AccountListTests {
  let cache: TokenCache

  init() {
    let caller = KeychainCaller(bundleID: "app", entitledGroups: ["T.g"])
    cache = TokenCache(
      keychain: Keychain(
        store: MemoryCredentialStore(), app: caller, now: Instant(1000), trace: TraceRecorder()),
      accessGroup: "T.g")
  }

  func signIn(_ client: String, _ home: String, family: String?) throws {
    let account = AccountItem([
      .homeAccountID: home, .username: "\(home)@contoso.com", .environment: "login.windows.net",
      .realm: "utid",
    ])
    try cache.save(
      CachedTokenResponse(
        account: account, clientID: client,
        accessToken: "at", target: "User.Read", expiresOn: Instant(4600), refreshToken: "rt",
        familyID: family, idToken: "id-" + client))
  }

  func listed(_ client: String, onlySignedIn: Bool = true) throws -> [String] {
    try cache.listedAccounts(clientID: client, onlySignedIn: onlySignedIn).map(\.account.homeAccountID)
  }

  @Test func memberOfTheFamilySeesWhoSignedInElsewhere() throws {
    try signIn("word", "a.utid", family: "1")
    try signIn("notes", "b.utid", family: nil)
    #expect(try listed("excel") == ["a.utid"])
    #expect(try listed("excel", onlySignedIn: false) == ["a.utid", "b.utid"])
    #expect(try listed("notes") == ["b.utid"])
  }

  @Test func appListsFamilyAccountsUntilItLearnsThatItIsNoMember() throws {
    try signIn("word", "a.utid", family: "1")
    #expect(try listed("stranger") == ["a.utid"])
    try cache.write(AppMetadata(clientID: "stranger", environment: "login.windows.net", familyID: ""))
    #expect(try listed("stranger").isEmpty)
  }

  @Test func signedOutHidesTheAccountFromThisClientOnly() throws {
    try signIn("word", "a.utid", family: "1")
    try cache.markSignedOut(homeAccountID: "a.utid", clientID: "word")
    #expect(try listed("word").isEmpty)
    #expect(try cache.isSignedOut(homeAccountID: "a.utid", clientID: "word"))
    #expect(try listed("excel") == ["a.utid"])
    let all = try cache.listedAccounts(clientID: "word", onlySignedIn: false)
    #expect(all.map(\.isSignedIn) == [false])
  }

  @Test func signedInOverridesAMissingRefreshToken() throws {
    try signIn("notes", "b.utid", family: nil)
    let token = try #require(
      try cache.refreshToken(homeAccountID: "b.utid", environments: [], clientID: "notes"))
    try cache.remove(token)
    #expect(try listed("notes") == ["b.utid"])
  }

  @Test func accountIsFoundByNameAndByIdentifierWithThisClientsIDToken() throws {
    try signIn("word", "a.utid", family: "1")
    try signIn("word", "b.utid", family: "1")
    let byName = try cache.listedAccounts(clientID: "word", username: " B.UTID@contoso.com")
    let byIdentifier = try cache.listedAccounts(
      clientID: "word", homeAccountID: "B.utid", environments: ["login.windows.net"])
    #expect(byName == byIdentifier)
    #expect(byName.map(\.idToken?.secret) == ["id-word"])
    #expect(try cache.listedAccounts(clientID: "word", username: "nobody").isEmpty)
  }

  @Test func accountMetadataHasTheProductsSpelling() throws {
    var metadata = AccountMetadata(clientID: "Client")
    metadata.signIn(
      "uid.utid", requestedURL: "https://login.microsoftonline.com/contoso.onmicrosoft.com",
      resolvedURL: "https://login.microsoftonline.com/f645ad92")
    metadata.signIn("uid.utid", requestedURL: "https://same/x", resolvedURL: "https://same/x")
    let expected =
      #"{"account_metadata_map":{"uid.utid":{"athority_map":{"URLMap-":{"#
      + #""https:\/\/login.microsoftonline.com\/contoso.onmicrosoft.com":"#
      + #""https:\/\/login.microsoftonline.com\/f645ad92"}},"client_id":"Client","#
      + #""home_account_id":"uid.utid","sign_in_state":"signed_in"}},"client_id":"Client"}"#
    #expect(String(decoding: metadata.data, as: UTF8.self) == expected)
    #expect(AccountMetadata(data: metadata.data) == metadata)
    metadata.signOut("uid.utid")
    #expect(metadata.entries["uid.utid"]?.urlMaps == [:])
  }

  @Test func unknownSignInStateReadsAsUnknownAndUnknownKeysAreDropped() throws {
    let text = #"{"client_id":"c","x":1,"account_metadata_map":{"h":{"sign_in_state":"asleep","y":2}}}"#
    let metadata = try #require(AccountMetadata(data: Data(text.utf8)))
    #expect(metadata.entries["h"]?.signInState == .unknown)
    let rewritten = String(decoding: metadata.data, as: UTF8.self)
    #expect(!rewritten.contains("\"x\"") && !rewritten.contains("\"y\""))
  }

  @Test(arguments: [
    (#"{"client_id":"c"}"#, AccountMetadata(clientID: "c")),
    (#"{"client_id":"b","client_id":"c","account_metadata_map":7}"#, AccountMetadata(clientID: "c")),
    (
      #"{"account_metadata_map":{"h":{}, "i":[], "h":{"home_account_id":null}},"client_id":"c"}"#,
      AccountMetadata(
        clientID: "c",
        entries: [
          "h": AccountMetadata.Entry(homeAccountID: "h", signInState: .unknown),
          "i": AccountMetadata.Entry(homeAccountID: "i", signInState: .unknown),
        ])
    ),
    (#"{"client_id":null}"#, nil), (#"{"client_id":"c","client_id":1}"#, nil), (#"{"x":"c"}"#, nil),
    (#"["client_id"]"#, nil), (#"{"client_id":"c"} x"#, nil),
    (#"{"client_id":"c","account_metadata_map":{"#, nil),
  ])
  func metadataOfAnotherShapeIsReadAsFarAsItGoes(_ text: String, _ expected: AccountMetadata?) {
    #expect(AccountMetadata(data: Data(text.utf8)) == expected)
  }
}
