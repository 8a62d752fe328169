import Testing

/// Sessions with `ssoterm apps`.
@Suite struct AppsCommandTests {
  @Test func aRowSaysWhatTheNextSilentCallWouldDo() throws {
    try transcript(
      after: .signedIn, columns: 120,
      """
      $ ssoterm apps
      APP            BUNDLE ID               ACCOUNT          AT         RT          NEXT CALL
      My Test App 1  com.contoso.mytestapp1  ada@contoso.com  ● 1h left  ● 90d left  silent: cache, no network
      My Test App 2  com.contoso.mytestapp2  ada@contoso.com  ● 1h left  ● 90d left  silent: cache, after instance discovery
      My Test App 3  com.contoso.mytestapp3  ada@contoso.com  ● 1h left  ● 90d left  silent: cache, after instance discovery
      no room for REDIRECT URI, CLIENT ID
      """)
  }

  @Test func aNarrowTerminalNamesTheColumnsLeftOut() throws {
    try transcript(
      columns: 80,
      """
      $ ssoterm apps
      APP            ACCOUNT  AT      RT      NEXT CALL
      My Test App 1  -        · none  · none  needs sign-in: no account is signed in
      My Test App 2  -        · none  · none  needs sign-in: no account is signed in
      My Test App 3  -        · none  · none  needs sign-in: no account is signed in
      no room for REDIRECT URI, CLIENT ID, BUNDLE ID
      """)
  }

  @Test func aPipeGetsWholeCellsBetweenTabs() throws {
    try transcript(
      """
      $ ssoterm apps | head -n 2
      APP\tBUNDLE ID\tCLIENT ID\tREDIRECT URI\tACCOUNT\tAT\tRT\tNEXT CALL
      My Test App 1\tcom.contoso.mytestapp1\tb6c69a37-df96-4db0-9088-2ab96e1d8215\tmsauth.com.contoso.mytestapp1://auth\t-\t· none\t· none\tneeds sign-in: no account is signed in
      $ ssoterm apps --json | head -n 12
      {
        "apps" : [
          {
            "accessGroup" : "A1B2C3D4E5.com.microsoft.adalcache",
            "accessToken" : {
              "secondsLeft" : null,
              "state" : "none"
            },
            "account" : null,
            "accountCount" : 0,
            "accounts" : [

      """)
  }
}
