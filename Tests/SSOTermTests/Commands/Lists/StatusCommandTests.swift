import Testing

/// Sessions with `ssoterm status`.
@Suite struct StatusCommandTests {
  @Test func theLabItsClockAndTheNextCalls() throws {
    try transcript(
      after: .signedIn, columns: 100,
      #"""
      $ ssoterm status
      lab     contoso-suite
      store   /home/ada/.local/share/ssoterm/store.sqlite
      device  Ada's iPhone (iOS)
      clock   2026-03-02T09:00:00Z
      broker  not installed
      holds   3 apps, 1 account item, 3 credentials
      undo    sign in com.contoso.mytestapp1 as ada@contoso.com

      APP            ACCOUNT          AT         RT          NEXT CALL
      My Test App 1  ada@contoso.com  ● 1h left  ● 90d left  silent: cache, no network
      My Test App 2  ada@contoso.com  ● 1h left  ● 90d left  silent: cache, after instance discovery
      My Test App 3  ada@contoso.com  ● 1h left  ● 90d left  silent: cache, after instance discovery
      no room for REDIRECT URI, CLIENT ID, BUNDLE ID
      $ ssoterm status --json | grep -v '^ \{4\}'
      {
        "accounts" : 1,
        "appRows" : [



        ],
        "apps" : 3,
        "brokerInstalled" : false,
        "canRedo" : null,
        "canUndo" : "sign in com.contoso.mytestapp1 as ada@contoso.com",
        "clockOffset" : null,
        "credentials" : 3,
        "device" : "Ada's iPhone",
        "name" : "contoso-suite",
        "now" : "2026-03-02T09:00:00Z",
        "othersChange" : null,
        "platform" : "iOS",
        "storePath" : "/home/ada/.local/share/ssoterm/store.sqlite",
        "version" : 1
      }
      """#)
  }

  @Test func theFirstStartMakesTheStoreAndSaysSo() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm status --readonly
      ! ssoterm: There is no store at /home/ada/.local/share/ssoterm/store.sqlite: expected an existing store, but the file does not exist.
      !   try: ssoterm status --readonly --create
      [5]
      $ ssoterm
      lab     contoso-suite
      store   /home/ada/.local/share/ssoterm/store.sqlite
      device  Ada's iPhone (iOS)
      clock   2026-03-02T09:00:00Z
      broker  not installed
      holds   3 apps, 0 account items, 0 credentials
      undo    nothing

      APP\tBUNDLE ID\tCLIENT ID\tREDIRECT URI\tACCOUNT\tAT\tRT\tNEXT CALL
      My Test App 1\tcom.contoso.mytestapp1\tb6c69a37-df96-4db0-9088-2ab96e1d8215\tmsauth.com.contoso.mytestapp1://auth\t-\t· none\t· none\tneeds sign-in: no account is signed in
      My Test App 2\tcom.contoso.mytestapp2\tb6c69a37-df96-4db0-9088-2ab96e1d8215\tmsauth.com.contoso.mytestapp2://auth\t-\t· none\t· none\tneeds sign-in: no account is signed in
      My Test App 3\tcom.contoso.mytestapp3\tb6c69a37-df96-4db0-9088-2ab96e1d8215\tmsauth.com.contoso.mytestapp3://auth\t-\t· none\t· none\tneeds sign-in: no account is signed in
      ! ssoterm: there was no store; made /home/ada/.local/share/ssoterm/store.sqlite with the scenario contoso-suite
      $ ssoterm status --store none.sqlite
      ! ssoterm: There is no store at none.sqlite: expected an existing store, but the file does not exist.
      !   try: ssoterm status --store none.sqlite --create
      [5]
      """)
  }
}
