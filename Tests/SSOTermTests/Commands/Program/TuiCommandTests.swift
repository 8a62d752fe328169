import Testing

/// Sessions with `ssoterm tui` and `ssoterm demo`.
@Suite struct TuiCommandTests {
  @Test func withoutATerminalTheStatusIsPrinted() throws {
    try transcript(
      """
      $ ssoterm tui
      ! ssoterm: The screens cannot be shown here: there is no terminal that can place the cursor.
      !   try: ssoterm status
      [6]
      $ ssoterm demo two-vendors
      lab     two-vendors
      store   in memory
      device  Ada's iPhone (iOS)
      clock   2026-03-02T09:00:00Z
      broker  installed
      holds   2 apps, 0 account items, 0 credentials
      undo    nothing

      APP\tBUNDLE ID\tCLIENT ID\tREDIRECT URI\tACCOUNT\tAT\tRT\tNEXT CALL
      Fabrikam Notes\tcom.fabrikam.notes\t4d9e2b70-58a1-4c3f-8b6d-e1f0a2c3d4b5\tmsauth.com.fabrikam.notes://auth\t-\t· none\t· none\tneeds sign-in: no account is signed in
      My Test App 1\tcom.contoso.mytestapp1\tb6c69a37-df96-4db0-9088-2ab96e1d8215\tmsauth.com.contoso.mytestapp1://auth\t-\t· none\t· none\tneeds sign-in: no account is signed in
      $ ssoterm demo two-vendors --auto 3s
      ! ssoterm: The screens cannot be shown here: there is no terminal that can place the cursor.
      !   try: ssoterm scenario run two-vendors
      [6]
      $ ssoterm tui nosuch/place
      ! ssoterm: There is no place “nosuch”: the places are apps, accounts, tokens, trace, keychain, lab, provider, scenarios; a demo also has the place demo, and ssoterm doctor --open has doctor.
      !   try: ssoterm tui apps
      [2]
      $ ssoterm tui --unmask
      ! ssoterm: The screens cannot be shown here: there is no terminal that can place the cursor.
      !   try: ssoterm status
      [6]
      $ ssoterm demo --wrong
      ! ssoterm: Unknown option '--wrong'.
      !   try: ssoterm demo
      [2]
      """)
  }

  @Test func aRecordingSaysHowItIsPlayed() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm demo two-vendors --record 'a demo.cast' --pace 1.5
      ✓ a demo.cast: 4 steps, 26 seconds, 100x30
      Play it: asciinema play 'a demo.cast'
      $ ssoterm demo two-vendors --record b.cast --size 80x24 --json
      {
        "columns" : 80,
        "file" : "b.cast",
        "rows" : 24,
        "seconds" : 34,
        "steps" : 4,
        "version" : 1
      }
      $ head -n 1 b.cast
      {"env":{"TERM":"xterm-256color"},"height":24,"title":"Two vendors: one sign-in, shared by the broker","version":2,"width":80}
      $ ssoterm demo two-vendors --record c.cast --size big
      ! ssoterm: --size is “big”: it must be COLUMNSxROWS, from 40x12 to 400x200.
      !   try: ssoterm demo two-vendors --record c.cast --size 100x30
      [2]
      """)
  }
}
