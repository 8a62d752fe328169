import Foundation
import Testing

@testable import SSOCore
@testable import SSOKeychain

/// The sign-in state of a client over time (docs/behaviour/msal-cache.md §5).
///
/// The facts are from `CCT/MSIDAccountMetadataTests.m`, `MSIDAccountMetadataCacheItemTests.m`, and
/// `MSIDAccountMetadataCacheAccessorTests.m`.
struct AccountMetadataTests {
  private static let common = "https://login.microsoftonline.com/common"
  private static let contoso = "https://contoso.com"

  enum Step: Sendable {
    case signIn(String?)
    case signInAware(String?)
    case signOut
  }

  struct Story: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var steps: [Step]
    var state: AccountMetadata.SignInState
    /// The URL that a request for `common` resolves to, and the same for an instance-aware request.
    var resolved: String?
    var aware: String?
  }

  @Test(arguments: [
    Story(testDescription: "nothing is known", steps: [], state: .unknown),
    Story(testDescription: "a new entry is signed in", steps: [.signIn(nil)], state: .signedIn),
    Story(
      testDescription: "an authority is noted", steps: [.signIn(contoso)], state: .signedIn, resolved: contoso
    ),
    Story(
      testDescription: "the same authority needs no note", steps: [.signIn(common)], state: .signedIn),
    Story(
      testDescription: "a later one takes its place",
      steps: [.signIn(contoso), .signIn("https://fabrikam.com")], state: .signedIn,
      resolved: "https://fabrikam.com"),
    Story(
      testDescription: "instance-aware requests have a map of their own",
      steps: [.signIn(contoso), .signInAware("https://contoso.us")], state: .signedIn, resolved: contoso,
      aware: "https://contoso.us"),
    Story(
      testDescription: "a sign-out empties the maps", steps: [.signIn(contoso), .signOut], state: .signedOut),
    Story(
      testDescription: "a sign-out of somebody unknown", steps: [.signOut], state: .signedOut),
    Story(
      testDescription: "signing in again begins anew", steps: [.signIn(contoso), .signOut, .signIn(nil)],
      state: .signedIn),
    Story(
      testDescription: "signing in again leaves the map alone", steps: [.signIn(contoso), .signIn(nil)],
      state: .signedIn, resolved: contoso),
  ])
  func overTime(_ story: Story) throws {
    var metadata = AccountMetadata(clientID: "Client")
    for step in story.steps {
      switch step {
      case .signIn(let url): metadata.signIn("uid.utid", requestedURL: Self.common, resolvedURL: url)
      case .signInAware(let url):
        metadata.signIn("uid.utid", requestedURL: Self.common, resolvedURL: url, instanceAware: true)
      case .signOut: metadata.signOut("uid.utid")
      }
    }
    let read = try #require(AccountMetadata(data: metadata.data))
    #expect(read == metadata)
    #expect((read.entries["uid.utid"]?.signInState ?? .unknown) == story.state)
    #expect(read.resolvedURL(for: Self.common, homeAccountID: "uid.utid") == story.resolved)
    #expect(
      read.resolvedURL(for: Self.common, homeAccountID: "uid.utid", instanceAware: true) == story.aware)
    #expect(read.resolvedURL(for: Self.common, homeAccountID: "another") == nil)
    #expect(read.resolvedURL(for: "https://login.microsoftonline.com/x", homeAccountID: "uid.utid") == nil)
  }

  @Test(arguments: [
    ("signed_in", AccountMetadata.SignInState.signedIn), ("signed_out", .signedOut), ("unknown", .unknown),
    ("SIGNED_IN", .unknown), ("", .unknown),
  ])
  func aStateIsReadFromItsWord(_ word: String, _ state: AccountMetadata.SignInState) {
    let json =
      #"{"client_id":"c","account_metadata_map":{"a":{"home_account_id":"a","sign_in_state":"\#(word)"}}}"#
    #expect(AccountMetadata(data: Data(json.utf8))?.entries["a"]?.signInState == state)
  }

  @Test func thePrincipalIsKeptBesideTheEntries() throws {
    var metadata = AccountMetadata(clientID: "Client")
    metadata.signIn("uid.utid")
    metadata.principalHomeAccountID = "uid.utid"
    metadata.principalUsername = "user@contoso.com"
    metadata.principalEnvironment = "login.windows.net"
    let json = try JSONParser.parse(metadata.data)
    #expect(json["principal_home_account_id"]?.string == "uid.utid")
    #expect(json["principal_username"]?.string == "user@contoso.com")
    #expect(json["principal_account_environment"]?.string == "login.windows.net")
    metadata.signOut("uid.utid")
    #expect(AccountMetadata(data: metadata.data)?.principalHomeAccountID == "uid.utid")
    metadata.principalHomeAccountID = nil
    #expect(try JSONParser.parse(metadata.data)["principal_home_account_id"] == nil)
  }

  private func cache() -> TokenCache {
    let caller = KeychainCaller(bundleID: "app", entitledGroups: ["T.shared"])
    return TokenCache(
      keychain: Keychain(
        store: MemoryCredentialStore(), app: caller, now: Instant(1000), trace: TraceRecorder()),
      accessGroup: "T.shared")
  }

  @Test func anAccountThatIsDeletedIsForgottenForEveryClient() throws {
    let cache = cache()
    for client in ["one", "two"] {
      var metadata = AccountMetadata(clientID: client)
      metadata.signIn("uid.utid")
      metadata.signIn("other.utid")
      try cache.write(metadata)
    }
    try cache.removeMetadata(homeAccountID: "uid.utid")
    for client in ["one", "two"] {
      #expect(try cache.accountMetadata(clientID: client)?.entries.keys.sorted() == ["other.utid"])
    }
    #expect(try cache.isSignedOut(homeAccountID: "uid.utid", clientID: "one") == false)
  }

  /// `client_mismatch` (`updateAppMetadataWithFamilyId:` in `CC/cache/accessor/MSIDDefaultTokenCacheAccessor.m`).
  @Test(
    arguments: [
      ([], ["login.windows.net": ""]), (["login.windows.net"], ["login.windows.net": ""]),
      (["login.microsoftonline.com"], ["login.microsoftonline.com": ""]),
      (
        ["login.windows.net", "login.microsoftonline.com", "login.microsoftonline.us"],
        ["login.windows.net": "", "login.microsoftonline.com": "", "login.microsoftonline.us": "1"]
      ),
      (["login.microsoftonline.us"], ["login.microsoftonline.us": "1", "login.windows.net": ""]),
    ] as [([String], [String: String])])
  func leavingAFamilyIsNotedUnderEachAlias(_ before: [String], _ after: [String: String]) throws {
    let cache = cache()
    for host in before { try cache.write(AppMetadata(clientID: "c", environment: host, familyID: "1")) }
    try cache.write(AppMetadata(clientID: "other", environment: "login.windows.net", familyID: "1"))
    let aliases = EnvironmentAliases.publicCloud.candidates(for: "login.microsoftonline.com")
    try cache.leaveFamily(clientID: "c", environments: aliases)
    let items = try cache.keychain.items(
      matching: KeychainQuery(accessGroups: ["T.shared"], service: "appmetadata-c")
    ).compactMap { AppMetadata(data: $0.data) }
    #expect(
      Dictionary(uniqueKeysWithValues: items.map { ($0.environment, $0.familyID) }) == after)
    #expect(try cache.familyID(clientID: "c", environments: aliases) == nil)
    #expect(try cache.familyID(clientID: "other", environments: aliases) == "1")
  }
}
