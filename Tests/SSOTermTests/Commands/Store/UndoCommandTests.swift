import Testing

/// Sessions with `ssoterm undo` and `ssoterm redo`.
@Suite struct UndoCommandTests {
  @Test func undoTakesBackTheLastChangeAndRedoRepeatsIt() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm delete t4 --yes
      delete t4
        · My Test App 1 loses the refresh token; its next call is not affected
        · My Test App 2 loses the refresh token; its next call is not affected
        · My Test App 3 loses the refresh token; its next call is not affected
        1 keychain item in all
      ✓ The refresh token of ada@contoso.com is deleted. Undo: ssoterm undo
      $ ssoterm undo
      ✓ Undone: delete t4 (done in session PID)
      $ ssoterm redo
      ✓ Redone: delete t4 (done in session PID)
      $ ssoterm redo
      ! ssoterm: There is nothing to redo: nothing was undone since the last change.
      !   try: ssoterm journal
      [3]
      $ ssoterm undo --json
      {
        "undone" : "delete t4 (done in session PID)",
        "version" : 1
      }
      $ ssoterm undo
      ✓ Undone: sign in com.contoso.mytestapp1 as ada@contoso.com (done in session PID)
      $ ssoterm undo
      ! ssoterm: There is nothing to undo: no change is left.
      !   try: ssoterm journal
      [3]
      """)
  }

  @Test func aSilentCallThatOnlyReadsIsTakenBackWithTheChangeBeforeIt() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm silent mytestapp2
      ● User.Read openid profile 1h left, from cache
      $ ssoterm silent mytestapp3
      ● User.Read openid profile 1h left, from cache
      $ ssoterm undo
      ✓ Undone: sign in com.contoso.mytestapp1 as ada@contoso.com (done in session PID)
      $ ssoterm redo
      ✓ Redone: sign in com.contoso.mytestapp1 as ada@contoso.com (done in session PID)
      $ ssoterm expire t3
      ✓ The ID token of ada@contoso.com is expired.
      $ ssoterm silent mytestapp2
      ● User.Read openid profile 1h left, from cache
      $ ssoterm undo
      ✓ Undone: expire t3 (done in session PID)
      $ ssoterm undo
      ✓ Undone: sign in com.contoso.mytestapp1 as ada@contoso.com (done in session PID)
      """)
  }

  @Test func anotherPersonsChangeNeedsAnyone() throws {
    try transcript(
      after: .signedIn,
      """
      $ SSOTERM_USER=grace ssoterm undo
      ! ssoterm: You have nothing to undo: the last is “sign in com.contoso.mytestapp1 as ada@contoso.com”, done by ada on workshop.
      !   try: ssoterm undo --anyone
      [3]
      $ SSOTERM_USER=grace ssoterm undo --anyone
      ✓ Undone: sign in com.contoso.mytestapp1 as ada@contoso.com (done by ada on workshop)
      """)
  }

  /// An app that does not lose anything is not listed.
  @Test func aRemovalListsTheAppsThatItConcerns() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm app add com.fabrikam.notes displayName=Notes teamID=F6G7H8I9J0 > added
      $ ssoterm signout mytestapp1
      sign out of com.contoso.mytestapp1
        ✗ ada@contoso.com will be signed out of My Test App 1
        ✗ ada@contoso.com will be signed out of My Test App 2
        ✗ ada@contoso.com will be signed out of My Test App 3
        3 keychain items in all
      ✓ My Test App 1 signed out ada@contoso.com: 3 credentials removed.
      """)
  }
}
