import Testing

/// Sessions with `ssoterm lab`.
@Suite struct LabsCommandTests {
  @Test func labsAreCreatedListedCopiedAndRemoved() throws {
    try transcript(
      """
      $ ssoterm lab list
      NAME\tKEY\tSTORE
      store\there\t/home/ada/.local/share/ssoterm/store.sqlite
      $ ssoterm lab create vendors --scenario two-vendors
      ✓ /home/ada/.local/share/ssoterm/vendors.sqlite
      $ ssoterm lab list
      NAME\tKEY\tSTORE
      store\there\t/home/ada/.local/share/ssoterm/store.sqlite
      vendors\there\t/home/ada/.local/share/ssoterm/vendors.sqlite
      $ ssoterm lab copy other
      ✓ /home/ada/.local/share/ssoterm/other.sqlite
      $ ssoterm lab list --json
      {
        "labs" : [
          {
            "current" : false,
            "hasKey" : true,
            "name" : "other",
            "store" : "/home/ada/.local/share/ssoterm/other.sqlite"
          },
          {
            "current" : true,
            "hasKey" : true,
            "name" : "store",
            "store" : "/home/ada/.local/share/ssoterm/store.sqlite"
          },
          {
            "current" : false,
            "hasKey" : true,
            "name" : "vendors",
            "store" : "/home/ada/.local/share/ssoterm/vendors.sqlite"
          }
        ],
        "version" : 1
      }
      $ ssoterm lab remove vendors --yes
      ✓ Removed: /home/ada/.local/share/ssoterm/vendors.sqlite
      $ ssoterm lab remove vendors
      ! ssoterm: There is no lab “vendors”.
      !   try: ssoterm lab list
      [3]
      $ ssoterm lab create third --scenario nothing
      ! ssoterm: There is no scenario “nothing”: none of the 73 has a similar name.
      !   try: ssoterm scenario list
      [3]
      """)
  }

  @Test func aLabIsResetToTheStartOfAScenario() throws {
    try transcript(
      """
      $ ssoterm clock +2d > moved
      $ ssoterm lab reset
      ! ssoterm: reset needs a scenario: its start becomes the lab's state.
      !   try: ssoterm lab reset --scenario contoso-suite
      [2]
      $ ssoterm lab reset --scenario two-vendors
      ✓ two-vendors
      $ ssoterm apps --json | grep -c bundleID
      2
      $ ssoterm clock | cut -d, -f2
      2026-03-02T09:00:00Z  lab time
      $ ssoterm undo
      ✓ Undone: reset to two-vendors (done in session PID)
      """)
  }

  /// A lab that is created with `--until` has the steps before it, and the scenario's time.
  @Test func aLabStartsBeforeAStep() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm lab create closed --scenario refused-by-policy --until 3
      ✓ /home/ada/.local/share/ssoterm/closed.sqlite
      $ SSOTERM_STORE=~/.local/share/ssoterm/closed.sqlite ssoterm policy list
      policies  Closed: nothing can satisfy it in client b6c69a37-df96-4db0-9088-2ab96e1d8215
      device    not managed
                not registered
      $ SSOTERM_STORE=~/.local/share/ssoterm/closed.sqlite ssoterm silent mytestapp1 --force-refresh
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002, invalid_grant, message_only): the check “policy “Closed”: block” failed: expected no such sign-in, found a sign-in to Contoso Suite.
      !   try: ssoterm signin mytestapp1
      [4]
      $ SSOTERM_STORE=~/.local/share/ssoterm/closed.sqlite ssoterm trace list
      ID\tAT\tWHAT\tVERDICT\tSTEPS\tOUTCOME
      3\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp1\tfailed\t20\tThe check “policy “Closed”: block” failed: a sign-in to Contoso Suite.
      2\t2026-03-02T09:00:00Z\tpolicy Closed: block\tsucceeded\t1\tPolicy “Closed”: nothing can satisfy it in client b6c69a37-df96-4db0-9088-2ab96e1d8215.
      1\t2026-03-02T09:00:00Z\tsign in com.contoso.mytestapp1\tsucceeded\t33\tToken for ada@contoso.com in a web session.
      $ ssoterm lab create other --scenario refused-by-policy --until 40
      ! ssoterm: refused-by-policy.yaml: there is no step 40: the scenario has 10, and 11 performs all of them.
      !   try: ssoterm lab create other --scenario refused-by-policy --until 11
      [2]
      $ ssoterm lab reset --scenario two-vendors --until 0
      ! ssoterm: two-vendors.yaml: there is no step 0: the scenario has 4, and 5 performs all of them.
      !   try: ssoterm lab reset --scenario two-vendors --until 1
      [2]
      $ ssoterm lab create other --until 2
      ! ssoterm: --until needs a scenario: it is the number of one of its steps.
      !   try: ssoterm lab create other --until 2 --scenario two-vendors
      [2]
      $ ssoterm lab list
      NAME\tKEY\tSTORE
      closed\there\t/home/ada/.local/share/ssoterm/closed.sqlite
      """)
  }
}
