import Testing

/// Sessions with `ssoterm signin`.
@Suite struct SignInCommandTests {
  @Test func aPasswordAndConsentGiveAToken() throws {
    try transcript(
      """
      $ echo analytical-engine | ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --accept-consent
      ✓ Token for ada@contoso.com in a web session.
      $ ssoterm trace list
      ID\tAT\tWHAT\tVERDICT\tSTEPS\tOUTCOME
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
      ! ssoterm: The sign-in was refused: AADSTS50126: Error validating credentials due to invalid username or password.
      !   try: ssoterm person show ada@contoso.com --unmask
      [4]
      $ ssoterm trace show | tail -n 2
      ✗ Cancelled by the user.
        Error Domain=MSALErrorDomain Code=-50005 "(null)" UserInfo={MSALErrorDescriptionKey=The user cancelled the sign-in. Trace ID: d0449ab4-a0d4-46e4-9f4e-53841b46eca6 Correlation ID: f6b9ae94-e3bd-47af-b42e-2395b46ab1a6 Timestamp: 2026-03-02 09:00:00Z, MSALOAuthErrorKey=access_denied, MSALOAuthSubErrorKey=cancel, MSALCorrelationIDKey=8965FBEE-D190-4712-B574-01144B906FA5}
      """)
  }

  @Test func aQuestionWithoutAnAnswerNamesTheOption() throws {
    try transcript(
      """
      $ ssoterm signin mytestapp1
      ! ssoterm: An answer is needed: type a username: there is no terminal to ask on, and no option answers it.
      !   try: ssoterm signin mytestapp1 --choose ada@contoso.com --password-stdin --accept-consent < FILE
      [4]
      $ ssoterm signin mytestapp1 --account ada@contoso.com
      ! ssoterm: An answer is needed: type the password: there is no terminal to ask on, and no option answers it.
      !   try: ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --accept-consent < FILE
      [4]
      $ ssoterm signin mytest
      ! ssoterm: mytest matches 3 apps: it is part of com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm signin com.contoso.mytestapp1
      !    or: ssoterm signin com.contoso.mytestapp2
      !    or: ssoterm signin com.contoso.mytestapp3
      [2]
      $ ssoterm signin mytestapp1 --username ada@contoso.com
      ! ssoterm: Unknown option '--username'.
      !   try: ssoterm signin mytestapp1
      [2]
      $ ssoterm signin mytestapp1 --acount ada@contoso.com
      ! ssoterm: Unknown option '--acount'.
      !   try: ssoterm signin mytestapp1 --account ada@contoso.com
      [2]
      $ ssoterm signin mytestapp1 --prompt foo
      ! ssoterm: --prompt must be default, select_account, login, or consent, not “foo”.
      !   try: ssoterm signin mytestapp1 --prompt default
      [2]
      $ ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --quiet
      ! ssoterm: There is no password on standard input: its first line is missing or empty.
      !   try: ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --quiet < FILE
      [2]
      $ echo analytical-engine | ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --scope User.Reed
      ! ssoterm: AADSTS650053: The application 'Contoso Suite' asked for scope 'User.Reed' that doesn't exist on the resource '00000003-0000-0000-c000-000000000000'. Contact the app vendor (MSALErrorDomain -50000, -42003, invalid_client).
      !   try: ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin --scope User.Read
      [7]
      $ echo analytical-engine | ssoterm signin mytestapp1 --account adda@contoso.com --password-stdin
      ! ssoterm: The sign-in was refused: AADSTS50034: The user account adda@contoso.com does not exist in the Microsoft directory. To sign into this application, the account must be added to the directory.
      !   try: ssoterm signin mytestapp1 --account ada@contoso.com --password-stdin
      [4]
      $ ssoterm signin mytestapp1 --password hunter2
      ! ssoterm: Passwords are not accepted on the command line: other users of this machine can see it in the process list, and the shell saves it in its history.
      !   try: ssoterm signin mytestapp1 --password-stdin < FILE
      [2]
      """)
  }
}
