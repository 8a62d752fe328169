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
      ! ssoterm: nothing: there is no scenario of this name: none of the 60 has a similar name.
      !   try: ssoterm scenario list
      [3]
      """)
  }
}
