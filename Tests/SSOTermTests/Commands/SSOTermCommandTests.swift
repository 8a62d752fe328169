import Testing

/// Sessions with `ssoterm` itself.
@Suite struct SSOTermCommandTests {
  @Test func aMistypedCommandNamesTheOneThatWasMeant() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm statsu
      ! ssoterm: There is no command “statsu”.
      !   because the nearest is “status”
      !   try: ssoterm status
      [2]
      $ ssoterm silnet mytestapp1
      ! ssoterm: There is no command “silnet”.
      !   because the nearest is “silent”
      !   try: ssoterm silent
      [2]
      $ ssoterm nothing at all
      ! ssoterm: There is no command “nothing”.
      !   because no command has a similar name
      !   try: ssoterm help --all
      [2]
      $ ssoterm --nosuch
      ! ssoterm: Unknown option '--nosuch'
      !   usage: ssoterm [--store <store>] [--json] [--unmask] [--plain] [--ascii] [--quiet] [--no-color] [--readonly] [--create] [--theme <theme>] [--no-motion] [--exit-codes] <subcommand>
      !   try: ssoterm --help
      [2]
      $ ssoterm --theme foo
      ! ssoterm: The value 'foo' is invalid for '--theme <theme>'. Please provide one of the following: auto, dark, light, terminal, high-contrast, blue-orange.
      !   usage: ssoterm [--store <store>] [--json] [--unmask] [--plain] [--ascii] [--quiet] [--no-color] [--readonly] [--create] [--theme <theme>] [--no-motion] [--exit-codes] <subcommand>
      !   try: ssoterm --help
      [2]
      $ ssoterm --version
      0.1.0
      $ ssoterm --exit-codes
         0  Done.
         1  A check found something, or a token is not valid.
         2  The command line is wrong, or a file in it cannot be read.
         3  Nothing matched: no such app, account, scope, credential or scenario.
         4  A person has to sign in or answer a question.
         5  The store cannot be used, or a damaged row of it was skipped.
         6  The terminal cannot be used.
         7  The server, the SDK or the system reported an error.
       130  Cancelled by the person.
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
