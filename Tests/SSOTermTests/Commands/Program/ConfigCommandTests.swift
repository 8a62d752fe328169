import Testing

/// Sessions with `ssoterm config`.
@Suite struct ConfigCommandTests {
  @Test func everyMistakeOfTheSettingsIsListed() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm config check
      ! ssoterm: There is no settings file at /home/ada/.config/ssoterm/config.yaml: the file is optional, and without it the defaults apply.
      !   try: ssoterm help settings
      [3]
      $ mkdir -p .config/ssoterm
      $ cat > .config/ssoterm/config.yaml <<'END'
      > theme: darkk
      > store: mine.sqlite
      > keys:
      >   undo: ctrl-q
      >   nothing: x
      > END
      $ ssoterm config check
      ! /home/ada/.config/ssoterm/config.yaml:1: “theme” has the value 'darkk', which is not known here. Did you mean dark?
      ! /home/ada/.config/ssoterm/config.yaml:2: “store” must begin with /, ~/ or postgresql://.
      ! /home/ada/.config/ssoterm/config.yaml:4: “undo” has the key “ctrl-q”; keys are written as a, Z, Space, C-x, F5, Esc, PgUp.
      ! /home/ada/.config/ssoterm/config.yaml:5: “nothing” is not a command of the screens.
      ! ssoterm: 4 mistakes: the settings are used as a whole or not at all; see ssoterm help settings
      [2]
      $ ssoterm config check --json
      {
        "errors" : [
          {
            "exitCode" : 2,
            "kind" : "settings",
            "next" : "Did you mean dark?",
            "what" : "/home/ada/.config/ssoterm/config.yaml:1: “theme” has the value 'darkk', which is not known here.",
            "why" : "the settings are used as a whole or not at all."
          },
          {
            "exitCode" : 2,
            "kind" : "settings",
            "next" : "See ssoterm-config(5), or move the file away.",
            "what" : "/home/ada/.config/ssoterm/config.yaml:2: “store” must begin with /, ~/ or postgresql://.",
            "why" : "the settings are used as a whole or not at all."
          },
          {
            "exitCode" : 2,
            "kind" : "settings",
            "next" : "See ssoterm-config(5), or move the file away.",
            "what" : "/home/ada/.config/ssoterm/config.yaml:4: “undo” has the key “ctrl-q”; keys are written as a, Z, Space, C-x, F5, Esc, PgUp.",
            "why" : "the settings are used as a whole or not at all."
          },
          {
            "exitCode" : 2,
            "kind" : "settings",
            "next" : "See ssoterm-config(5), or move the file away.",
            "what" : "/home/ada/.config/ssoterm/config.yaml:5: “nothing” is not a command of the screens.",
            "why" : "the settings are used as a whole or not at all."
          }
        ],
        "version" : 1
      }
      ! /home/ada/.config/ssoterm/config.yaml:1: “theme” has the value 'darkk', which is not known here. Did you mean dark?
      ! /home/ada/.config/ssoterm/config.yaml:2: “store” must begin with /, ~/ or postgresql://.
      ! /home/ada/.config/ssoterm/config.yaml:4: “undo” has the key “ctrl-q”; keys are written as a, Z, Space, C-x, F5, Esc, PgUp.
      ! /home/ada/.config/ssoterm/config.yaml:5: “nothing” is not a command of the screens.
      ! ssoterm: 4 mistakes: the settings are used as a whole or not at all; see ssoterm help settings
      [2]
      $ ssoterm status
      ! ssoterm: /home/ada/.config/ssoterm/config.yaml:1: “theme” has the value 'darkk', which is not known here: the settings are used as a whole or not at all.
      !   try: ssoterm config check
      [2]
      $ ssoterm paths | tr -s ' '
      config /home/ada/.config/ssoterm/config.yaml mistakes: ssoterm config check
      store - the settings may name it
      $ ssoterm config keys | head -n 6
      COMMAND\tKEYS\tSCREENS\tWHAT
      open\tEnter\tApps, Doctor, Accounts, Tokens, Trace, Reproduce, Keychain, Lab, Provider, Demo, Scenarios\tOpens the selected row: an app's or a user's tokens, a trace, a group's items, a record's fields.
      demo next\t>\tApps, Doctor, Accounts, Tokens, Trace, Reproduce, Keychain, Lab, Provider, Demo, Scenarios\tRuns the next step of the demo's scenario; its scripted answers are filled in, Enter or > sends them. While the presenter bar is shown, Page Down and Space do the same, Page Up goes back.
      demo back\t<\tApps, Doctor, Accounts, Tokens, Trace, Reproduce, Keychain, Lab, Provider, Demo, Scenarios\tGoes one step back in the demo's scenario; what you did in between is undone too. In a step that asks something, it leaves that step.
      silent\ts\tApps\tAcquires a token silently for the selected app and account, as acquireTokenSilent does.
      signin\ti\tApps\tSigns in to the selected app interactively, with a prompt only if one is needed.
      ! ssoterm: these are the keys without your settings, which have 4 mistakes: ssoterm config check
      """)
  }
}
