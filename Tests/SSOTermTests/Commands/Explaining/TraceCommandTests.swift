import Testing

/// Sessions with `ssoterm trace`.
@Suite struct TraceCommandTests {
  @Test func aTraceIsListedShownExportedAndNoted() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm silent mytestapp2
      ● User.Read openid profile 1h left, from cache
      $ ssoterm trace
      ID\tAT\tWHAT\tVERDICT\tSTEPS\tOUTCOME
      2\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp2\tsucceeded\t19\tToken for ada@contoso.com from the cache, after instance discovery.
      1\t2026-03-02T09:00:00Z\tsign in com.contoso.mytestapp1 as ada@contoso.com\tsucceeded\t39\tToken for ada@contoso.com in a web session.
      $ ssoterm trace show 2 | sed -n '1,12p;$p'
      Trace 2  silent com.contoso.mytestapp2
      2026-03-02T09:00:00Z  by ada on workshop  correlation ID DAFFAAAA-C749-4341-BAC2-115E568B78E2
       1  User -> App  silent  (com.contoso.mytestapp2)
       2  App -> MSAL  MSALPublicClientApplication init  ready  (com.contoso.mytestapp2)
          ✓ authority is well formed: https://login.microsoftonline.com/common  interactive-call.md §4
          ✓ client ID is given: b6c69a37-df96-4db0-9088-2ab96e1d8215  broker.md §12
          ✓ redirect URI has no fragment: msauth.com.contoso.mytestapp2://auth  broker.md §12
          ✓ redirect scheme is registered: msauth.com.contoso.mytestapp2  broker.md §12
          ✓ redirect URI is broker-capable: msauth.com.contoso.mytestapp2://auth  broker.md §12
          ✓ query schemes are registered: msauthv2, msauthv3  broker.md §1
          ✓ team ID can be read from the keychain: A1B2C3D4E5  keychain.md §4
       3  MSAL -> Keychain  read accountmetadata  1 item  (com.contoso.mytestapp2)
      ✓ Token for ada@contoso.com from the cache, after instance discovery.
      $ ssoterm trace note 2 3 'the second app finds the account'
      The note on step 3 was saved.
      $ ssoterm trace show 2 | grep finds
          ; the second app finds the account
      $ ssoterm trace show 9
      ! ssoterm: There is no trace 9.
      !   try: ssoterm trace list
      [3]
      $ ssoterm trace export 9
      ! ssoterm: There is no trace 9.
      !   try: ssoterm trace list
      [3]
      """)
  }

  @Test func anExportIsAPictureADocumentOrText() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm silent mytestapp2
      ● User.Read openid profile 1h left, from cache
      $ ssoterm trace export 2 --as mermaid | head -n 10
      sequenceDiagram
        title silent com.contoso.mytestapp2
        participant person as User
        participant app as App
        participant sdk as MSAL
        participant provider as Provider
        participant keychain as Keychain
        person->>app: silent
        app->>sdk: MSALPublicClientApplication init = ready
        sdk->>keychain: read accountmetadata = 1 item
      $ ssoterm trace export 2 --as text | head -n 4
      Trace 2  silent com.contoso.mytestapp2
      2026-03-02T09:00:00Z  by ada on workshop  correlation ID DAFFAAAA-C749-4341-BAC2-115E568B78E2
       1  User -> App  silent  (com.contoso.mytestapp2)
       2  App -> MSAL  MSALPublicClientApplication init  ready  (com.contoso.mytestapp2)
      $ ssoterm trace export 1 --as har | head -n 8
      {
        "log" : {
          "comment" : "sign in com.contoso.mytestapp1 as ada@contoso.com",
          "creator" : {
            "name" : "SSOTerm",
            "version" : "1"
          },
          "entries" : [
      $ ssoterm trace export 2 --as svg | head -n 5
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="1436" height="322" viewBox="0 0 1436 322" role="img">
      <title>silent com.contoso.mytestapp2</title>
      <style>
      text { font: 13px ui-monospace, monospace; fill: #1f2328 }
      $ ssoterm trace export 2 --as cast | head -n 1
      {"env":{"TERM":"xterm-256color"},"height":36,"title":"silent com.contoso.mytestapp2","version":2,"width":120}
      $ ssoterm trace export 2 --as pdf
      ! ssoterm: --as must be text, mermaid, json, svg, har, cast or html, not “pdf”.
      !   try: ssoterm trace export 2 --as text
      [2]
      """)
  }
}
