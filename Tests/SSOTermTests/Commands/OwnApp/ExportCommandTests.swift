import Testing

@testable import SSOTerm

/// Sessions with `ssoterm export`.
@Suite struct ExportCommandTests {
  @Test func aCacheGoesToAFileOrToStandardOutput() throws {
    try transcript(
      after: .signedIn,
      #"""
      $ ssoterm export -o cache.json
      ✓ cache.json: 1 account, 3 credentials, 0 replaced, 0 kept
      $ ssoterm cache check cache.json
      cache.json: 0 findings
      no family: b6c69a37-df96-4db0-9088-2ab96e1d8215
      SDK\#tOWN KEYS\#tFOREIGN KEYS
      MSAL Python\#t3\#t0
      MSAL.NET\#t3\#t0
      MSAL Node\#t0\#t3
      MSAL Java\#t3\#t0
      MSAL Go\#t1\#t2
      $ ssoterm export -o - | tr -d ' \n' | cut -c 1-60
      {"AccessToken":{"2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c
      $ ssoterm export --json -o other.json
      {
        "accounts" : 1,
        "credentials" : 3,
        "file" : "other.json",
        "kept" : 0,
        "replaced" : 0,
        "version" : 1
      }
      $ ssoterm export --format android --app mytestapp1 -o cache.xml
      ✓ cache.xml: 1 account, 3 credentials, 0 replaced, 0 kept
      $ head -n 2 cache.xml
      <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
      <map>
      $ ssoterm view cache.xml | head -n 1
      cache.xml: 1 account, 1 client ID, 3 credentials, 0 problems
      $ ssoterm export --format android -o cache.json
      ! ssoterm: cache.json exists and is not a token cache: The file is not a file of Android's SharedPreferences.
      !   try: ssoterm export --format android -o other.xml
      [2]
      $ ssoterm export -o .
      ! ssoterm: . cannot be written: it is a folder or a device.
      !   try: ssoterm export -o other.json
      [2]
      $ ssoterm export --account nobody -o cache.json
      ! ssoterm: There is no account “nobody”: the lab has ada@contoso.com.
      !   try: ssoterm accounts
      [3]
      """#)
  }
}

struct ExportHostTests {
  @Test(arguments: [
    ("localhost", "localhost"), ("localhost:8443", "localhost"),
    ("https://localhost:8443/contoso.com", "localhost"),
    ("login.microsoftonline.com", "login.microsoftonline.com"), ("127.0.0.1:8443", "127.0.0.1"), ("", ""),
  ])
  func entriesAreForAHostWithoutItsPort(_ typed: String, _ host: String) {
    #expect(ExportCommand.host(of: typed) == host)
  }
}
