import Testing

/// Sessions with `ssoterm journal`.
@Suite struct JournalCommandTests {
  @Test func aChangeNamesWhoMadeItAndUndoMarksIt() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm expire t2
      ✓ The access token of ada@contoso.com is expired.
      $ SSOTERM_USER=grace ssoterm clock +1h
      ✓ Clock +1h.
      $ ssoterm undo
      ✓ Undone: expire t2 (done in session PID)
      $ ssoterm journal
      ID\tAT\tBY\tWHAT\tROWS
      4\t2026-03-02T09:00:00Z\tada on workshop\tundo: expire t2\t1
      3\t2026-03-02T09:00:00Z\tgrace on workshop\tclock +1h\t1
      2\t2026-03-02T09:00:00Z\tada on workshop\texpire t2 (undone)\t1
      1\t2026-03-02T09:00:00Z\tada on workshop\tsign in com.contoso.mytestapp1 as ada@contoso.com\t18
      $ ssoterm journal --limit 1 --json
      {
        "entries" : [
          {
            "at" : "2026-03-02T09:00:00Z",
            "by" : {
              "machine" : "workshop",
              "person" : "ada"
            },
            "changes" : 1,
            "id" : 4,
            "intent" : "expire t2",
            "kind" : "undo",
            "undoes" : 2,
            "undone" : false
          }
        ],
        "version" : 1
      }
      $ ssoterm journal --limit 0
      ! ssoterm: --limit is 0: it must be at least 1.
      !   try: ssoterm journal --limit 5
      [2]
      """)
  }
}
