import Testing

@testable import SSOCore
@testable import SSOInterop
@testable import SSOTerm
@testable import SSOTermApp

/// Sessions with `ssoterm view`.
@Suite struct ViewCommandTests {
  @Test func aCacheFileIsShownMasked() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm view samples/caches/az_msal_token_cache.json
      samples/caches/az_msal_token_cache.json: 1 account, 1 client ID, 7 credentials, 0 problems

      ACCOUNT\tNAME\tHOME ACCOUNT ID\tENVIRONMENT\tREALM
      alice@contoso.com\t-\ta11ce000-0000-4000-8000-000000000001.11111111-aaaa-4aaa-8aaa-111111111111\tlocalhost\torganizations

      client 04b07795-8ddb-461a-bbee-02f9e1bf7b46 (Azure CLI), family 1
        AccessToken   ● 264d2h left  alice@contoso.com  localhost  11111111-aaaa-4aaa-8aaa-111111111111  https://management.core.windows.net//.default openid profile
        AccessToken   ● 264d2h left  alice@contoso.com  localhost  22222222-bbbb-4bbb-8bbb-222222222222  https://management.core.windows.net//.default openid profile
        AccessToken   ● 264d2h left  alice@contoso.com  localhost  organizations                         https://management.core.windows.net//.default openid profile
        IdToken       ● 264d2h left  alice@contoso.com  localhost  11111111-aaaa-4aaa-8aaa-111111111111  -
        IdToken       ● 264d2h left  alice@contoso.com  localhost  22222222-bbbb-4bbb-8bbb-222222222222  -
        IdToken       ● 264d2h left  alice@contoso.com  localhost  organizations                         -
        RefreshToken  · no date      alice@contoso.com  localhost  -                                     https://management.core.windows.net//.default openid profile
      $ ssoterm view nothing.json
      ! ssoterm: nothing.json cannot be read: No such file or directory.
      !   try: ls
      [2]
      $ ssoterm view /tmp
      ! ssoterm: /tmp cannot be read: it is a folder.
      !   try: ls -l /tmp
      [2]
      """)
  }

  /// On a terminal, the columns that are the same in most rows are omitted before a username or a scope is cut.
  @Test func aTerminalOf80ColumnsHasTheWholeAccounts() throws {
    let (name, cache) = try readCache(
      Program.repository + "/Tests/TestSamples/Samples/caches/az_msal_token_cache.json")
    let text = cacheText(
      name, cache, now: Instant(1_772_442_000), unmasked: false, TextInk(layout: .fitted(80)))
    #expect(text.contains("alice@contoso.com  https://management.core.windo"), "\(text)")
    #expect(text.split(separator: "no room for").count == 2, "the omitted columns are named once")
  }

  /// Regression: every file with the same extension was similar, such as the lab's own store.
  @Test func onlyAFileWithASimilarNameIsSuggested() throws {
    try transcript(
      after: .nothing,
      """
      $ touch cli.json lamp_cache.json
      $ ssoterm view x.json
      ! ssoterm: x.json cannot be read: No such file or directory.
      !   try: ls
      [2]
      $ ssoterm view lamp_cach.json
      ! ssoterm: lamp_cach.json cannot be read: No such file or directory.
      !   try: ssoterm view lamp_cache.json
      [2]
      """)
  }
}
