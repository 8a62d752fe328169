import Testing

/// Sessions with `ssoterm signin`.
@Suite struct SignInCommandTests {
  @Test func aPasswordAndConsentGiveAToken() throws {
    try transcript(
      """
      $ echo analytical-engine | ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --accept-consent
      ✓ Token for ada@contoso.com in a web session.
      $ ssoterm trace list
      ID\tAT\tWHAT\tVERDICT\tHOPS\tOUTCOME
      1\t2026-03-02T09:00:00Z\tsign in com.contoso.mytestapp1 as ada@contoso.com\tsucceeded\t39\tToken for ada@contoso.com in a web session.
      $ echo analytical-engine | ssoterm signin mytestapp2 --account ada@contoso.com --password-stdin --accept-consent --json | head -n 4
      {
        "effects" : null,
        "errorCode" : null,
        "errorDomain" : null,
      """)
  }

  @Test func aWrongPasswordIsRefusedWithEntrasText() throws {
    try transcript(
      """
      $ echo wrong | ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --accept-consent
      ! ssoterm: The sign-in was refused.
      !   because AADSTS50126: Error validating credentials due to invalid username or password
      !   try: the same command with another password
      [4]
      """)
  }

  @Test func aQuestionWithoutAnAnswerNamesTheOption() throws {
    try transcript(
      """
      $ ssoterm signin mytestapp1
      ! ssoterm: A person has to answer: type a username.
      !   because there is no terminal to ask on, and no option answers it
      !   try: the same command with --choose UPN --password-stdin --accept-consent
      [4]
      $ ssoterm signin mytestapp1 --account ada@contoso.com
      ! ssoterm: A person has to answer: type the password.
      !   because there is no terminal to ask on, and no option answers it
      !   try: the same command with --password-stdin --accept-consent
      [4]
      $ ssoterm signin mytest
      ! ssoterm: mytest matches 3 apps.
      !   because it is part of com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3
      !   try: Name one: com.contoso.mytestapp1
      [2]
      $ ssoterm signin mytestapp1 --prompt foo
      ! ssoterm: --prompt must be default, select_account, login or consent, not “foo”.
      !   usage: ssoterm signin [<options>] <app>
      !   try: ssoterm signin --help
      [2]
      $ ssoterm signin mytestapp1 --password hunter2
      ! ssoterm: A password is not taken from the command line.
      !   because every user of this machine can read it there, and the shell remembers it
      !   try: the same command with --password-stdin < FILE
      [2]
      """)
  }
}
