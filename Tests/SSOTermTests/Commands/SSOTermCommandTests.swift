import Testing

/// Sessions with `ssoterm` itself.
@Suite struct SSOTermCommandTests {
  @Test func aMistypedCommandNamesTheOneThatWasMeant() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm statsu
      ! ssoterm: There is no command “statsu”.
      !   try: ssoterm status
      [2]
      $ ssoterm silnet mytestapp1
      ! ssoterm: There is no command “silnet”.
      !   try: ssoterm silent mytestapp1
      [2]
      $ ssoterm nothing at all
      ! ssoterm: There is no command “nothing”.
      !   try: ssoterm help
      [2]
      $ ssoterm --nosuch
      ! ssoterm: Unknown option '--nosuch'.
      !   try: ssoterm
      [2]
      $ ssoterm --theme foo
      ! ssoterm: The value 'foo' is invalid for '--theme <theme>'. Please provide one of the following: auto, dark, light, terminal, high-contrast, blue-orange.
      !   try: ssoterm --theme auto
      [2]
      $ ssoterm --version
      0.1.0
      $ ssoterm --exit-codes
         0  Done.
         1  A check found something, or a token is not valid.
         2  The command line is wrong, or a file in it cannot be read.
         3  Nothing matched: no such app, account, scope, credential or scenario.
         4  The app needs sign-in, a question has no answer, or reproduce found only a nearest failure.
         5  The store cannot be used, or a damaged row of it was skipped.
         6  The terminal cannot be used.
         7  The server, the SDK or the system reported an error.
       130  Cancelled by the user.
      $ ssoterm --exit-codes --json | head -n 6
      {
        "exitCodes" : [
          {
            "code" : 0,
            "meaning" : "Done."
          },
      """)
  }
}
