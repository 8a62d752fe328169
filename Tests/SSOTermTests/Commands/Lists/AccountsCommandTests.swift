import Testing

/// Sessions with `ssoterm accounts`.
@Suite struct AccountsCommandTests {
  @Test func anAccountNamesTheAppsThatShareIt() throws {
    try transcript(
      after: .signedIn, columns: 120,
      """
      $ ssoterm accounts
      ACCOUNT          NAME          HOME TENANT  SIGNED IN TO                     RT          PLACES
      ada@contoso.com  Ada Lovelace  Contoso      My Test App 1, My Test App 2, …  ● 90d left  A1B2C3D4E5.com.…osoft.adalcache
      no room for ENVIRONMENT
      $ ssoterm accounts --json
      {
        "accounts" : [
          {
            "apps" : [
              "My Test App 1",
              "My Test App 2",
              "My Test App 3"
            ],
            "environment" : "login.windows.net",
            "guestRealms" : [

            ],
            "homeAccountID" : "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
            "homeTenantID" : "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
            "homeTenantName" : "Contoso",
            "name" : "Ada Lovelace",
            "places" : [
              "A1B2C3D4E5.com.microsoft.adalcache"
            ],
            "refreshToken" : {
              "secondsLeft" : 7776000,
              "state" : "valid"
            },
            "sharingApps" : [
              "My Test App 1",
              "My Test App 2",
              "My Test App 3"
            ],
            "username" : "ada@contoso.com"
          }
        ],
        "version" : 1
      }
      """)
  }

  @Test func withoutAccountsTheNextCommandIsNamed() throws {
    try transcript(
      """
      $ ssoterm accounts
      No account is signed in. Try: ssoterm signin mytestapp1
      $ ssoterm accounts --json
      {
        "accounts" : [

        ],
        "version" : 1
      }
      """)
  }
}
