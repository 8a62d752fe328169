import Foundation
import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOKeychain

/// The cache of MSAL for Android (docs/behaviour/android.md §3).
struct AndroidCacheFileTests {
  private static let head = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n"

  private func entry(_ key: String, _ json: String) -> String {
    let escaped = json.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing(
      "<", with: "&lt;")
    return "    <string name=\"\(key)\">\(escaped)</string>\n"
  }

  private var file: String {
    Self.head
      + entry(
        "uid.utid-login.windows.net-accesstoken-client-utid-user.read",
        """
        {"home_account_id":"uid.utid","environment":"login.windows.net","credential_type":"AccessToken",\
        "client_id":"client","secret":"at&<1>","realm":"utid","target":"User.Read","expires_on":"1900000000"}
        """)
      + entry(
        "uid.utid-login.windows.net-refreshtoken-client--",
        """
        {"home_account_id":"uid.utid","environment":"login.windows.net","credential_type":"RefreshToken",\
        "client_id":"client","secret":"rt"}
        """)
      + entry(
        "uid.utid-login.windows.net-utid",
        """
        {"home_account_id":"uid.utid","environment":"login.windows.net","realm":"utid","authority_type":"MSSTS",\
        "username":"ada@contoso.com","local_account_id":"uid"}
        """)
      + "    <string name=\"encrypted-one\">cE1GT0o</string>\n</map>\n"
  }

  @Test func aCacheOfAndroidIsRead() throws {
    let cache = try CacheReader.read(Data(file.utf8))
    #expect(cache.credentials.map(\.secret) == ["at&<1>", "rt"])
    #expect(cache.accounts.map(\.username) == ["ada@contoso.com"])
    #expect(cache.problems.map(\.section) == ["encrypted-one"])
    #expect(cache.problems.map(\.reason) == ["Encrypted by MSAL for Android with a key of the device."])
  }

  /// Android's key consists of iOS's two attributes, joined.
  @Test func aKeyOfAndroidIsIOSsAttributesJoined() throws {
    for item in try CacheReader.read(Data(file.utf8)).credentials {
      let key = CacheKey(item).item(in: "group", data: item.data, at: Instant(0)).key
      #expect(file.contains("name=\"\(key.account)-\(key.service)\""), "\(key)")
    }
  }

  @Test func anExportHasAndroidsKeysAndIsReadAgain() throws {
    let cache = try CacheReader.read(Data(file.utf8))
    let export = try AndroidCacheExport(cache, over: nil)
    // Only one SDK uses the file, so no other SDK has its keys.
    let check = try CacheCheck(export.file, now: Instant(0))
    #expect(check.findings.isEmpty && check.views.isEmpty, "\(check.findings)")
    let text = String(decoding: export.file, as: UTF8.self)
    let names = text.matches(of: /name="([^"]*)"/).map { String($0.1) }
    #expect(
      names == [
        "uid.utid-login.windows.net-accesstoken-client-utid-user.read",
        "uid.utid-login.windows.net-refreshtoken-client--", "uid.utid-login.windows.net-utid",
      ])
    #expect(text.hasPrefix(Self.head) && text.contains("at&amp;&lt;1&gt;") && text.hasSuffix("</map>\n"))
    let again = try CacheReader.read(export.file)
    #expect(again.credentials.map(\.secret) == cache.credentials.map(\.secret))
    #expect(again.credentials.first?[.tokenType] == "Bearer")
    #expect(again.accounts == cache.accounts && again.problems.isEmpty)
    #expect(export.counts.accounts == 1 && export.counts.credentials == 2)
    #expect(export.counts.kept == 0 && export.counts.replaced == 0)
  }

  @Test func anExportKeepsWhatItDoesNotReplace() throws {
    let cache = try CacheReader.read(Data(file.utf8))
    let export = try AndroidCacheExport(cache, over: Data(file.utf8))
    #expect(export.counts.replaced == 3 && export.counts.kept == 1)
    #expect(try CacheReader.read(export.file).problems.map(\.section) == ["encrypted-one"])
    #expect(throws: CacheFileError.self) { try AndroidCacheExport(cache, over: Data("{}".utf8)) }
  }

  /// `AccountRecord.java` calls the given name `first_name`, and the family name as other SDKs do.
  @Test func anAccountsNamesAreThoseOfOtherSDKs() throws {
    let named = file.replacing(
      "&quot;username&quot;",
      with:
        "&quot;first_name&quot;:&quot;Ada&quot;,&quot;family_name&quot;:&quot;Lovelace&quot;,&quot;username&quot;"
    )
    let cache = try CacheReader.read(Data(named.utf8))
    let account = try #require(cache.accounts.first)
    #expect(account[.givenName] == "Ada" && account[.familyName] == "Lovelace")
    #expect(account.fields["first_name"] == nil)
    let text = String(decoding: try AndroidCacheExport(cache, over: nil).file, as: UTF8.self)
    #expect(text.contains("first_name&quot;:&quot;Ada") && !text.contains("given_name"))
  }

  /// A family token has the family in its key, and requested claims have their Java hash code.
  @Test func theKeysOfFamiliesAndClaims() throws {
    var cache = try CacheReader.read(Data(file.utf8))
    cache.credentials[0][.requestedClaims] = "ABC"
    cache.credentials[1].type = .familyRefreshToken
    cache.credentials[1][.familyID] = "1"
    let text = String(decoding: try AndroidCacheExport(cache, over: nil).file, as: UTF8.self)
    #expect(text.contains("name=\"uid.utid-login.windows.net-accesstoken-client-utid-user.read-96354\""))
    #expect(text.contains("name=\"uid.utid-login.windows.net-refreshtoken-1--\""))
    #expect(text.contains("&quot;credential_type&quot;:&quot;RefreshToken&quot;"))
  }

  @Test func aTruncatedFileIsAnErrorWithItsPlace() {
    let data = Data(file.utf8)
    for length in stride(from: Self.head.utf8.count, to: data.count - 8, by: 13) {
      let error = #expect(throws: CacheFileError.self) { try CacheReader.read(data.prefix(length)) }
      #expect(error?.reason == .truncated && error?.offset == length)
    }
  }

  @Test(arguments: ["<map />", "<map/>", "<?xml version='1.0'?>\n<map>\n</map>"])
  func anEmptyMapIsAnEmptyCache(_ text: String) throws {
    #expect(try CacheReader.read(Data(text.utf8)) == CacheFile())
  }
}
