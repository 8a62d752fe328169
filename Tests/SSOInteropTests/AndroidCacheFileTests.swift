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

  /// The key of Android is that of iOS's two attributes, joined.
  @Test func aKeyOfAndroidIsIOSsAttributesJoined() throws {
    for item in try CacheReader.read(Data(file.utf8)).credentials {
      let key = CacheKey(item).item(in: "group", data: item.data, at: Instant(0)).key
      #expect(file.contains("name=\"\(key.account)-\(key.service)\""), "\(key)")
    }
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
