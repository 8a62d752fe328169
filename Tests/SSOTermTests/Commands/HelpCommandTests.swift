import Testing

/// Sessions with `ssoterm help`.
@Suite struct HelpCommandTests {
  @Test func aTopicIsPrinted() throws {
    try transcript(
      after: .nothing,
      #"""
      $ ssoterm help exit-codes
      EXIT CODES

        0    Done.
        1    A check found something, or a token is not valid.
        2    The command line is wrong, or a file in it cannot be read.
        3    Nothing matched: no such app, account, scope, credential or scenario.
        4    A person has to sign in or answer a question.
        5    The store cannot be used, or a damaged row of it was skipped.
        6    The terminal cannot be used.
        7    The server, the SDK or the system reported an error.
        130  Cancelled by the person.
      $ ssoterm help exit codes | head -n 3
      EXIT CODES

        0    Done.
      $ ssoterm help exit-codes --json | cut -c 1-40
      {
        "text" : "EXIT CODES\n\n  0    Done.\n
      }
      $ ssoterm help clock
      OVERVIEW: Show the lab's time, move its clock, or reset it.

      Examples:
        ssoterm clock
        ssoterm clock +1h
        ssoterm clock reset

      USAGE: ssoterm clock [options] [<words> ...]

      ARGUMENTS:
        <words>                 show, reset, or a step like +1h, -30m, +2d, +90s.

      Every command also takes the options that “ssoterm help options” explains.
      $ ssoterm help nothing
      ! ssoterm: There is no command or topic “nothing”.
      !   because nothing has a similar name
      !   try: ssoterm help
      [2]
      $ ssoterm help silnet
      ! ssoterm: There is no command or topic “silnet”.
      !   because the nearest is “silent”
      !   try: ssoterm help silent
      [2]
      $ ssoterm help exit code
      ! ssoterm: There is no command or topic “exit code”.
      !   because the nearest is “exit-codes”
      !   try: ssoterm help exit-codes
      [2]
      $ ssoterm help token forged
      ! ssoterm: There is no command “token forged”.
      !   because “token” has no such subcommand
      !   try: ssoterm help token
      [2]
      $ ssoterm help store --roff
      ! ssoterm: --roff needs the topic manual or settings.
      !   because only these have a manual page
      !   try: ssoterm help manual --roff
      [2]
      $ ssoterm help store --all
      ! ssoterm: --all takes no topic.
      !   because it lists all commands
      !   try: ssoterm help --all
      [2]
      $ ssoterm help licences | head -n 1
      MIT License
      $ ssoterm silent --help
      OVERVIEW: Get a token for an app without a prompt.

      Examples:
        ssoterm silent mytestapp2 --scope Mail.Read
        curl -H "$(ssoterm silent mytestapp2 --print header)" URL

      USAGE: ssoterm silent [<options>] <app>

      ARGUMENTS:
        <app>                   A bundle ID, or an unambiguous part of one.

      OPTIONS:
        --account <account>     The account, as a username or home account ID
                                (default: the app's only account).
        --scope <scope>         Scopes to ask for.
        --authority <authority> Authority of this call, such as
                                https://login.microsoftonline.com/contoso.com.
        --claims <claims>       Claims to ask for, as a JSON object.
        --print <print>         Print only this, in full: the access token, or the
                                header Authorization with it. (values: token, header)
        --force-refresh         Do not use the access token in the cache.

      Every command also takes the options that “ssoterm help options” explains.
      """#)
  }
}
