import Testing

/// Sessions with `ssoterm clock`.
@Suite struct ClockCommandTests {
  @Test func theClockMovesAndIsReset() throws {
    try transcript(
      """
      $ ssoterm clock
      2026-03-02T09:00:00Z  lab time
      $ ssoterm clock +90m
      ✓ Clock +1h30m.
      $ ssoterm clock show
      2026-03-02T10:30:00Z  lab time, moved by +1h30m
      $ ssoterm clock -30m --json
      {
        "effects" : null,
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : null,
        "failedCheck" : null,
        "grantedScopes" : [

        ],
        "homeAccountID" : null,
        "next" : null,
        "prompted" : false,
        "source" : null,
        "summary" : "Clock +1h.",
        "traceID" : 2,
        "username" : null,
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm clock show --json
      {
        "clockOffset" : 3600,
        "now" : "2026-03-02T10:00:00Z",
        "version" : 1
      }
      $ ssoterm clock reset
      ✓ Clock reset.
      $ ssoterm clock reset
      ✓ Clock reset.
      $ ssoterm clock 1h
      ! ssoterm: “1h” is not a valid step of the clock: expected show, reset, or a signed duration such as +90s, -30m, +1h, +2d, or +1w.
      !   try: ssoterm clock +1h
      [2]
      $ ssoterm clock soon
      ! ssoterm: “soon” is not a valid step of the clock: expected show, reset, or a signed duration such as +90s, -30m, +1h, +2d, or +1w.
      !   try: ssoterm clock +1h
      [2]
      $ ssoterm clock +1h +1h
      ! ssoterm: The clock takes one word: found +1h +1h.
      !   try: ssoterm clock +1h
      [2]
      $ ssoterm clock +1h --readonly
      ! ssoterm: Nothing was changed: the store is open for reading only.
      !   try: ssoterm clock +1h
      [2]
      """)
  }
}
