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
        5    The store cannot be used, or a row of it is damaged and was left out.
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
      """#)
  }
}
