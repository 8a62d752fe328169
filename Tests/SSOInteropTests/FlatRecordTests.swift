import Foundation
import SSOInterop
import SSOKeychain
import Testing

/// Stores that are not divided into sections, and files that only look like a cache.
@Suite struct FlatRecordTests {
  /// MSAL.js's records in `localStorage`, as `JSON.stringify(localStorage)` copies them.
  @Test func theBrowsersStorageIsReadAsACache() throws {
    let cache = try CacheReader.read(
      Data(
        #"""
        {
          "u1.t1-login.windows.net-accesstoken-c1-t1-user.read--": "{\"homeAccountId\":\"u1.t1\",\"credentialType\":\"AccessToken\",\"secret\":\"x\",\"cachedAt\":\"1000\",\"expiresOn\":\"5000\",\"extendedExpiresOn\":\"9000\",\"environment\":\"login.windows.net\",\"clientId\":\"c1\",\"realm\":\"t1\",\"target\":\"user.read\",\"tokenType\":\"Bearer\"}",
          "u1.t1-login.windows.net-t1": "{\"authorityType\":\"MSSTS\",\"homeAccountId\":\"u1.t1\",\"environment\":\"login.windows.net\",\"realm\":\"t1\",\"localAccountId\":\"u1\",\"username\":\"ada@contoso.com\"}",
          "msal.account.keys": "[\"u1.t1-login.windows.net-t1\"]", "msal.version": "4.13.1",
          "u1.t1-login.windows.net-refreshtoken-c1----": "{\"id\":\"1\",\"nonce\":\"AAAA\",\"data\":\"BBBB\"}",
          "theme": "dark"
        }
        """#.utf8))
    let token = try #require(cache.credentials.first)
    #expect((token.clientID, token.realm, token.scopes.map(\.self)) == ("c1", "t1", ["user.read"]))
    #expect(cache.accounts.map(\.username) == ["ada@contoso.com"] && cache.credentials.count == 1)
    #expect(
      cache.problems.map(\.reason) == [
        "Not a record of a token or an account, kept as it is.",
        "Encrypted by MSAL.js with a key of the browser's session.",
      ])
  }

  /// The state of a browser, as Playwright saves it for the next test, has the records of each origin.
  @Test func theStateThatPlaywrightSavesIsReadAsACache() throws {
    func account(_ name: String) -> String {
      #"{"name": "u1.t1-login.windows.net-t1", "value": "{\"authorityType\":\"MSSTS\",\"homeAccountId\":\"\#(name).t1\",\"environment\":\"login.windows.net\",\"realm\":\"t1\",\"localAccountId\":\"\#(name)\",\"username\":\"\#(name)@contoso.com\"}"}"#
    }
    let state = Data(
      """
      {
        "cookies": [{"name": "ESTSAUTH", "value": "0.AAAA", "domain": "login.microsoftonline.com"}],
        "origins": [
          {"origin": "http://localhost:3000", "localStorage": [\(account("ada")), {"name": "theme", "value": "dark"}]},
          {"origin": "https://board.contoso.com", "localStorage": [\(account("bob"))]}
        ]
      }
      """.utf8)
    let cache = try CacheReader.read(state)
    #expect(Set(cache.accounts.compactMap(\.username)) == ["ada@contoso.com", "bob@contoso.com"])
    #expect(cache.problems.map(\.reason) == ["Not a record of a token or an account, kept as it is."])
    // An export would lose the cookies and the other sites' values.
    #expect(throws: CacheFileError.self) { try CacheExport(cache, over: state) }
  }

  /// A later version 4 of MSAL.js begins the key of a record like the keys of its bookkeeping.
  @Test func anEncryptedRecordIsNamedWhateverItsKey() throws {
    let cache = try CacheReader.read(
      Data(
        #"""
        {
          "msal.2|u1.t1|login.windows.net|accesstoken|c1|t1|user.read||": "{\"id\":\"1\",\"nonce\":\"AAAA\",\"data\":\"BBBB\"}",
          "msal.2.account.keys": "[\"msal.2|u1.t1|login.windows.net|t1\"]"
        }
        """#.utf8))
    #expect(cache.credentials.isEmpty)
    #expect(cache.problems.map(\.reason) == ["Encrypted by MSAL.js with a key of the browser's session."])
  }

  @Test(arguments: [
    ([0x01, 0x00, 0x00, 0x00, 0xD0, 0x8C, 0x9D, 0xDF, 0x01], "DPAPI"),
    (Array("SQLite format 3\0".utf8), "database"),
    (Array("bplist00".utf8), "property list"),
    (Array("<?xml version='1.0'?><plist></plist>".utf8), "SharedPreferences"),
  ])
  func aFileThatCannotBeReadIsNamed(_ bytes: [UInt8], _ word: String) {
    let error = #expect(throws: CacheFileError.self) { try CacheReader.read(Data(bytes)) }
    #expect(error?.description.contains(word) == true)
  }
}
