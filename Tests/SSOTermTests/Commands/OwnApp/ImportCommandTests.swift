import Testing

/// Sessions with `ssoterm import`.
@Suite struct ImportCommandTests {
  @Test func aCacheOfMSALPythonIsImported() throws {
    try transcript(
      """
      $ ssoterm import samples/caches/msal_python_cache.json
      ✓ samples/caches/msal_python_cache.json: 3 accounts, 18 credentials, 0 problems
      $ ssoterm accounts
      ACCOUNT\tNAME\tHOME TENANT\tENVIRONMENT\tSIGNED IN TO\tRT\tPLACES
      alice@contoso.com\t-\t11111111-aaaa-4aaa-8aaa-111111111111\tlocalhost\t-\t· unknown\timported.samples/caches/msal_python_cache.json
      bob@fabrikam.com\t-\t22222222-bbbb-4bbb-8bbb-222222222222\tlocalhost\t-\t· unknown\timported.samples/caches/msal_python_cache.json
      $ ssoterm import samples/caches/msal_python_cache.json --json
      {
        "files" : [
          {
            "accounts" : 3,
            "appMetadata" : 4,
            "credentials" : 18,
            "effects" : null,
            "errorCode" : null,
            "errorDomain" : null,
            "errorText" : null,
            "expiresOn" : null,
            "failedCheck" : null,
            "file" : "samples/caches/msal_python_cache.json",
            "grantedScopes" : [

            ],
            "homeAccountID" : null,
            "next" : null,
            "problems" : [

            ],
            "prompted" : false,
            "source" : null,
            "summary" : "Imported samples/caches/msal_python_cache.json: 3 accounts, 8 access, 3 refresh and 7 ID tokens into imported.samples/caches/msal_python_cache.json; 0 entries not imported.",
            "traceID" : 2,
            "username" : null,
            "verdict" : "succeeded"
          }
        ],
        "version" : 1
      }
      $ ssoterm import nothing.json
      ! ssoterm: nothing.json cannot be read: No such file or directory.
      !   try: ls
      [2]
      $ ssoterm undo
      ✓ Undone: import samples/caches/msal_python_cache.json (done in session PID)
      """)
  }
}
