import ArgumentParser
import SSOTerm
import Testing

/// Sessions with `ssoterm silent`.
@Suite struct SilentCommandTests {
  @Test func theCacheThenTheRefreshTokenAnswer() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm silent mytestapp1
      ● User.Read openid profile 1h left, from cache
      $ ssoterm silent mytestapp2
      ● User.Read openid profile 1h left, from cache
      $ ssoterm silent mytestapp1 --force-refresh
      ● User.Read openid profile 1h left, from app refresh token
      $ ssoterm clock +2h
      ✓ Clock +2h.
      $ ssoterm silent mytestapp1
      ● User.Read openid profile 1h left, from app refresh token
      $ ssoterm silent mytestapp1 --scope Mail.Read
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002, invalid_grant, consent_required): the check “consent” failed: expected granted, found Mail.Read.
      !   try: ssoterm signin mytestapp1
      [4]
      """)
  }

  @Test func ofSeveralAccountsTheCallIsProposedForEach() throws {
    try transcript(
      after: .signedIn,
      """
      $ echo first-actual-bug | ssoterm signin mytestapp1 --account grace@contoso.com --prompt login --password-stdin --accept-consent
      ✓ Token for grace@contoso.com in a web session.
      $ ssoterm silent mytestapp1 --scope User.Read
      ! ssoterm: The call fails (MSALErrorDomain -50002): two accounts are signed in (ada@contoso.com, grace@contoso.com), and the call names neither.
      !   try: ssoterm silent mytestapp1 --scope User.Read --account ada@contoso.com
      !    or: ssoterm silent mytestapp1 --scope User.Read --account grace@contoso.com
      [4]
      $ ssoterm silent mytestapp1 --scope User.Read --account grace@contoso.com
      ● User.Read openid profile 1h left, from cache
      $ ssoterm why mytestapp1
      Why My Test App 1 fails
      The next silent call of My Test App 1 fails, because two accounts are signed in (ada@contoso.com, grace@contoso.com), and the call names neither.

      The next silent call
        ✗ two accounts are signed in (ada@contoso.com, grace@contoso.com), and the call names neither: expected one account, found ada@contoso.com, grace@contoso.com  errors.md §4  <- decides
        ✗ the call does not specify an account  silent-call.md §1(0)

      15 more conditions hold; --all shows them
      [1]
      """)
  }

  @Test func aTokenIsPrintedOnRequestOnly() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm silent mytestapp1 --json
      {
        "effects" : null,
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : "2026-03-02T10:00:00Z",
        "failedCheck" : null,
        "grantedScopes" : [
          "User.Read",
          "openid",
          "profile"
        ],
        "homeAccountID" : "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21.5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90",
        "next" : null,
        "prompted" : false,
        "source" : "cache",
        "summary" : "Token for ada@contoso.com from the cache, no network.",
        "traceID" : 2,
        "username" : "ada@contoso.com",
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm silent mytestapp1 --print token | cut -c 1-20
      eyJhbGciOiJSUzI1NiIs
      $ ssoterm silent mytestapp1 --print header | cut -c 1-40
      Authorization: Bearer eyJhbGciOiJSUzI1Ni
      $ ssoterm silent mytestapp1 --unmask | cut -c 1-20
      ● User.Read openid
      eyJhbGciOiJSUzI1NiIs
      $ ssoterm silent mytestapp1 --account ada --quiet --unmask | cut -c 1-20
      eyJhbGciOiJSUzI1NiIs
      $ ssoterm undo
      ✓ Undone: sign in com.contoso.mytestapp1 as ada@contoso.com (done in session PID)
      $ ssoterm trace list
      ID\tAT\tWHAT\tVERDICT\tSTEPS\tOUTCOME
      6\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp1 as ada@contoso.com\tsucceeded\t13\tToken for ada@contoso.com from the cache, no network.
      5\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp1\tsucceeded\t18\tToken for ada@contoso.com from the cache, no network.
      4\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp1\tsucceeded\t18\tToken for ada@contoso.com from the cache, no network.
      3\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp1\tsucceeded\t18\tToken for ada@contoso.com from the cache, no network.
      2\t2026-03-02T09:00:00Z\tsilent com.contoso.mytestapp1\tsucceeded\t18\tToken for ada@contoso.com from the cache, no network.
      1\t2026-03-02T09:00:00Z\tsign in com.contoso.mytestapp1 as ada@contoso.com\tundone\t39\tToken for ada@contoso.com in a web session.
      $ ssoterm trace show 1 | tail -n 1
      ↶ undone: what it changed was taken back
      $ ssoterm trace export 1 --as mermaid | head -n 2
      sequenceDiagram
        title sign in com.contoso.mytestapp1 as ada@contoso.com (undone)
      """)
  }

  @Test func withoutASignInTheSDKsErrorIsPrinted() throws {
    try transcript(
      #"""
      $ ssoterm silent mytestapp1
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002): no account is signed in.
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm silent mytestapp1 --json
      {
        "effects" : null,
        "error" : {
          "exitCode" : 4,
          "kind" : "signInNeeded",
          "next" : "ssoterm signin mytestapp1",
          "what" : "The app needs sign-in (MSALErrorDomain -50002).",
          "why" : "no account is signed in"
        },
        "errorCode" : -50002,
        "errorDomain" : "MSALErrorDomain",
        "errorText" : "Error Domain=MSALErrorDomain Code=-50002 \"(null)\" UserInfo={MSALErrorDescriptionKey=No account provided for the silent request. Please call interactive acquireToken request to get an account identifier before calling acquireTokenSilent., MSALCorrelationIDKey=B7573073-655C-413E-91C1-860D441912C9}",
        "expiresOn" : null,
        "failedCheck" : {
          "expected" : "an account of the app",
          "found" : "none",
          "name" : "an account is given",
          "source" : "silent-call.md §1(0)",
          "verdict" : "failed"
        },
        "grantedScopes" : [

        ],
        "homeAccountID" : null,
        "next" : "ssoterm signin mytestapp1",
        "prompted" : false,
        "source" : null,
        "summary" : "No account provided for the silent request. Please call interactive acquireToken request to get an account identifier before calling acquireTokenSilent.",
        "traceID" : 2,
        "username" : null,
        "verdict" : "failed",
        "version" : 1
      }
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002): no account is signed in.
      !   try: ssoterm signin mytestapp1
      [4]
      $ ssoterm silent nothing
      ! ssoterm: There is no app “nothing”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm apps
      [3]
      $ ssoterm silent com.contoso.mytestap1
      ! ssoterm: There is no app “com.contoso.mytestap1”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm silent com.contoso.mytestapp1
      [3]
      $ ssoterm silent mytestapp1 --account adda@contoso.com
      ! ssoterm: There is no account “adda@contoso.com”: it is unknown to every app, broker, and directory.
      !   try: ssoterm silent mytestapp1 --account ada@contoso.com
      [3]
      $ ssoterm silent
      ! ssoterm: Missing expected argument '<app>'.
      !   try: ssoterm silent mytestapp2
      [2]
      $ ssoterm silent mytestapp1 --wrong
      ! ssoterm: Unknown option '--wrong'.
      !   try: ssoterm silent mytestapp1
      [2]
      $ ssoterm silent mytestapp1 --print foo
      ! ssoterm: --print must be token or header, not “foo”.
      !   try: ssoterm silent mytestapp1 --print token
      [2]
      $ ssoterm silent mytestapp1 --claims '[]'
      ! ssoterm: The value of --claims is not a JSON object: it is JSON, but not an object.
      !   try: ssoterm silent mytestapp1 --claims '{"access_token":{"nbf":{"essential":true}}}'
      [2]
      $ ssoterm silent mytestapp1 --claims '{bad'
      ! ssoterm: The value of --claims is not a JSON object: it cannot be read as JSON.
      !   try: ssoterm silent mytestapp1 --claims '{"access_token":{"nbf":{"essential":true}}}'
      [2]
      """#)
  }
}
