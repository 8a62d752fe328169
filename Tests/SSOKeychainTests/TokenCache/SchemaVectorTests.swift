import Foundation
import Testing

@testable import SSOCore
@testable import SSOKeychain
@testable import TestSamples

/// The vectors of the cross-SDK schema: an entity's fields produce the text of its key, and the entity is written back
/// unchanged.
@Suite struct SchemaVectorTests {
  static let credentials = ["AAD", "Foci", "MSA"].flatMap { kind in
    ["at", "rt", "id_token"].map { "\(kind)_cache_data__\($0)_cache_entity" }
  }

  static let times: [String: JSONValue] = [
    "expires_on": "7200", "extended_expires_on": "9000", "cached_at": "3600",
  ]

  func fields(_ name: String) throws -> [String: JSONValue] {
    let json = try JSONParser.parse(cacheSample("schema-vectors/\(name).json"))
    return try #require(json.object)
  }

  func key(_ name: String) throws -> String {
    let data = try cacheSample("schema-vectors/\(name)_key.txt")
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: credentials)
  func credentialHasTheKeyOfTheSchema(name: String) throws {
    let found = CacheKey(CredentialItem(fields: try fields(name)))
    #expect(found.account + "-" + found.service == (try key(name)))
  }

  @Test(arguments: ["AAD", "Foci", "MSA"])
  func accountHasTheKeyOfTheSchema(kind: String) throws {
    let name = "\(kind)_cache_data__account_cache_entity"
    let found = CacheKey(AccountItem(fields: try fields(name)))
    #expect(found.account + "-" + found.service == (try key(name)))
    #expect(found.type == 1003)
  }

  @Test func appMetadataHasTheKeyOfTheSchema() throws {
    let name = "Foci_cache_data__app_metadata_cache_entity"
    let metadata = AppMetadata(fields: try fields(name))
    // The other SDKs write appmetadata-<environment>-<client>, whereas here the environment is the account attribute.
    let client = "b6c69a37-df96-4db0-9088-2ab96e1d8215"
    #expect(try key(name) == "appmetadata-\(metadata.environment)-\(client)")
    let expected = CacheKey(
      account: "login.microsoftonline.com", service: "appmetadata-\(client)", generic: Data("1".utf8),
      type: 3001)
    #expect(CacheKey(metadata) == expected)
  }

  @Test(arguments: credentials)
  func credentialIsWrittenBackUnchangedWithUnknownKeys(name: String) throws {
    var original = try fields(name)
    original["future_key"] = ["nested": [.integer(1), .null, .number(1.5), .bool(true), "a/b\u{1}\u{202E}"]]
    let data = CredentialItem(fields: original).data
    #expect(CredentialItem(data: data)?.fields == original)
    #expect(try JSONParser.parse(data) == .object(original))
  }

  @Test(arguments: ["AAD", "Foci", "MSA"])
  func accountIsWrittenBackUnchanged(kind: String) throws {
    let original = try fields("\(kind)_cache_data__account_cache_entity")
    #expect(AccountItem(data: AccountItem(fields: original).data)?.fields == original)
  }

  @Test(arguments: ["AAD", "Foci", "MSA"])
  func tokenResponseGivesTheEntitiesOfTheSchema(kind: String) throws {
    let response = try fields("\(kind)_cache_data__token_response")
    let account = AccountItem(fields: try fields("\(kind)_cache_data__account_cache_entity"))
    let cache = cache(on: MemoryCredentialStore())
    var save = CachedTokenResponse(
      account: account, clientID: "b6c69a37-df96-4db0-9088-2ab96e1d8215",
      accessToken: response["access_token"]?.string,
      target: response["scope"]?.string ?? "", expiresOn: Instant(7200),
      refreshToken: response["refresh_token"]?.string, familyID: response["foci"]?.string,
      idToken: response["id_token"]?.string)
    let hasExtension = response["ext_expires_in"]?.integer ?? 0 > 0
    save.extendedExpiresOn = hasExtension ? Instant(9000) : nil
    try cache.save(save)
    for name in ["at", "rt", "id_token"] {
      var expected = try fields("\(kind)_cache_data__\(name)_cache_entity")
      for key in ["expires_on", "extended_expires_on", "cached_at"] where expected[key] != nil {
        expected[key] = Self.times[key]
      }
      let wanted = CacheKey(CredentialItem(fields: expected)).query(in: cache.accessGroup)
      let found = try cache.keychain.items(matching: wanted)
      #expect(found.map { CredentialItem(data: $0.data)?.fields } == [expected])
    }
  }

  func cache(on store: MemoryCredentialStore) -> TokenCache {
    let caller = KeychainCaller(bundleID: "app", entitledGroups: ["T.g"])
    return TokenCache(
      keychain: Keychain(store: store, app: caller, now: Instant(3600), trace: TraceRecorder()),
      accessGroup: "T.g")
  }
}
