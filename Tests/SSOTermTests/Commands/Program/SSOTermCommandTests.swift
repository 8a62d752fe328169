import Testing

/// Sessions with `ssoterm` itself.
@Suite struct SSOTermCommandTests {
  /// The problem is one line, and the next line is the command that works, complete and ready to copy.
  @Test func aWrongCommandLineIsCorrected() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm signin mytestapp1 --prompt foo
      ! ssoterm: --prompt must be default, select_account, login, or consent, not “foo”.
      !   try: ssoterm signin mytestapp1 --prompt default
      [2]
      $ ssoterm signin mytestapp1 --password hunter2
      ! ssoterm: Passwords are not accepted on the command line: other users of this machine can see it in the process list, and the shell saves it in its history.
      !   try: ssoterm signin mytestapp1 --password-stdin < FILE
      [2]
      $ ssoterm serve --port banana
      ! ssoterm: --port cannot be “banana”.
      !   try: ssoterm serve --port 9000
      [2]
      $ ssoterm serve --port=banana
      ! ssoterm: --port cannot be “banana”.
      !   try: ssoterm serve --port=9000
      [2]
      $ ssoterm status --store
      ! ssoterm: Missing value for '--store <store>'.
      !   try: ssoterm status
      [2]
      $ ssoterm status zzz yyy xxx
      ! ssoterm: status does not take “zzz”.
      !   try: ssoterm status
      [2]
      $ ssoterm demo --auto
      ! ssoterm: Missing value for '--auto <seconds>'.
      !   try: ssoterm demo --auto 6s
      [2]
      $ ssoterm read a b c
      ! ssoterm: Expected one file, or two to compare.
      !   try: ssoterm read a b
      [2]
      $ ssoterm read a b --open
      ! ssoterm: --open, --follow, --only, --redact and --as read one file.
      !   try: ssoterm read a b
      [2]
      $ ssoterm read --how foo
      ! ssoterm: --how must be ios-sim, ios, android, mac, az, python, dotnet, windows, browser, or linux, not “foo”.
      !   try: ssoterm read --how ios-sim
      [2]
      $ ssoterm doctor --bogus /
      ! ssoterm: Unknown option '--bogus'.
      !   try: ssoterm doctor /
      [2]
      $ ssoterm policy add p --requre compliantDevice
      ! ssoterm: Unknown option '--requre'.
      !   try: ssoterm policy add p --require compliantDevice
      [2]
      $ ssoterm demo A4
      ! ssoterm: There is no scenario “A4”.
      !   try: ssoterm demo A4-broker-by-the-administrator
      [3]
      $ ssoterm apps apps
      ! ssoterm: apps does not take “apps”.
      !   try: ssoterm apps
      [2]
      $ ssoterm version
      ! ssoterm: There is no command “version”.
      !   try: ssoterm --version
      [2]
      $ ssoterm matrix
      ! ssoterm: There is no command “matrix”.
      !   try: ssoterm why --matrix
      [2]
      $ ssoterm explain AADSTS999999
      ! ssoterm: AADSTS999999 is not described here: the list has Microsoft's documented codes, and codes that people paste with them.
      !   Microsoft may describe it at https://login.microsoftonline.com/error?code=999999
      [3]
      $ ssoterm run true
      ! ssoterm: run does not take “true”.
      !   try: ssoterm run -- true
      [2]
      $ ssoterm run --report foo -- true
      ! ssoterm: --report takes a kind and a file: the kinds are junit, markdown, and html.
      !   try: ssoterm run --report junit report.xml -- true
      [2]
      $ ssoterm disturb mytestapp2
      ! ssoterm: Missing expected argument '<kind>'.
      !   try: ssoterm disturb mytestapp2 personReturns
      [2]
      $ ssoterm disturb mytestapp2 foo
      ! ssoterm: The kind must be one of 17 words, not “foo”.
      !   try: ssoterm disturb mytestapp2 off
      !    or: ssoterm disturb --help
      [2]
      $ ssoterm enroll mytestapp1 --account
      ! ssoterm: Missing value for '--account <account>'.
      !   try: ssoterm enroll mytestapp1 --account ada@contoso.com
      [2]
      $ ssoterm broker instal
      ! ssoterm: broker does not take “instal”.
      !   try: ssoterm broker install
      [2]
      $ ssoterm broker install --for mytestapp1
      ! ssoterm: --for needs --managed-by-admin.
      !   try: ssoterm broker install --for mytestapp1 --managed-by-admin
      [2]
      $ ssoterm undo --anyone=x
      ! ssoterm: --anyone takes no value, not even “x”.
      !   try: ssoterm undo --anyone
      [2]
      $ ssoterm tokens --expiring
      ! ssoterm: Unknown option '--expiring'.
      !   try: ssoterm tokens --expiring-in 10m
      [2]
      $ ssoterm trace note
      ! ssoterm: Missing expected argument '<id>'.
      !   try: ssoterm trace list
      [2]
      $ ssoterm trace note 1
      ! ssoterm: Missing expected argument '<step>'.
      !   try: ssoterm trace list
      [2]
      $ ssoterm trace show abc
      ! ssoterm: <id> cannot be “abc”.
      !   try: ssoterm trace show
      [2]
      $ ssoterm app zzz
      ! ssoterm: app does not take “zzz”.
      !   try: ssoterm app list
      [2]
      $ ssoterm why a b c
      ! ssoterm: there was no store; made /home/ada/.local/share/ssoterm/store.sqlite with the scenario contoso-suite
      ! ssoterm: why takes one app (and --account), two apps, --account, --token, --trace or --matrix: each answers another question.
      !   try: ssoterm why a b
      [2]
      $ ssoterm view --watch
      ! ssoterm: Missing expected argument '<file>'.
      !   try: ssoterm export -o - | ssoterm view -
      [2]
      $ ssoterm help token forgee
      ! ssoterm: There is no command “token forgee”: “token” has no such subcommand.
      !   try: ssoterm help token forge
      [2]
      $ ssoterm --help silent | head -n 1
      OVERVIEW: Get a token for an app without a prompt.
      """)
  }

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
      $ ssoterm explian -50000
      ! ssoterm: There is no command “explian”.
      !   try: ssoterm explain -50000
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
      ! ssoterm: --theme must be auto, dark, light, terminal, high-contrast, or blue-orange, not “foo”.
      !   try: ssoterm --theme auto
      [2]
      $ ssoterm --version
      0.1.0
      $ ssoterm --exit-codes
         0  Done.
         1  A check found a problem, or a token is not valid.
         2  The command line is not valid, or a file or port in it cannot be used.
         3  Nothing matched: no such app, account, scope, credential, or scenario.
         4  The app needs sign-in, a prompt has no answer, or reproduce found only the nearest failure.
         5  The store cannot be used, or a damaged row of it was skipped.
         6  The terminal cannot be used.
         7  The server, the SDK, or the system reported an error, or the output could not be written.
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

  /// A corrected command works when it is copied: on the typed store, without names that the lab or the folder may lack.
  @Test func aCorrectedCommandWorks() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm apps --store other.sqlite --create > made 2>&1
      $ ssoterm silent mytestapp1 --store other.sqlite
      ! ssoterm: The app needs sign-in (MSALErrorDomain -50002): no account is signed in.
      !   try: ssoterm signin mytestapp1 --store other.sqlite
      [4]
      $ ssoterm trace show 99 --store=other.sqlite
      ! ssoterm: There is no trace 99.
      !   try: ssoterm trace list --store=other.sqlite
      [3]
      $ ssoterm signin mytestapp1 --store other.sqlite < /dev/null
      ! ssoterm: An answer is needed: type a username: there is no terminal to ask on, and no option answers it.
      !   try: ssoterm signin mytestapp1 --store other.sqlite --choose ada@contoso.com --password-stdin --accept-consent < FILE
      [4]
      $ ssoterm forget ada@contoso.com --store other.sqlite
      ! ssoterm: There is no account “ada@contoso.com” on this device: no app and no broker holds it.
      !   try: ssoterm signin com.contoso.mytestapp1 --account ada@contoso.com --store other.sqlite
      [3]
      $ ssoterm expire
      ! ssoterm: Missing expected argument '<credentials> ...'.
      !   try: ssoterm tokens
      [2]
      $ ssoterm read
      ! ssoterm: Missing expected argument '<file>'.
      !   try: ssoterm read --how android
      [2]
      $ ssoterm cache check
      ! ssoterm: Missing expected argument '<file>'.
      !   try: ssoterm export -o - | ssoterm cache check -
      [2]
      $ ssoterm import
      ! ssoterm: Missing expected argument '<files> ...'.
      !   try: ssoterm export -o - | ssoterm import -
      [2]
      $ ssoterm app import
      ! ssoterm: Missing expected argument '<paths> ...'.
      !   try: ssoterm app import sample:no-callback
      [2]
      $ ssoterm checklist
      ! ssoterm: Missing expected argument '<file>'.
      !   try: ssoterm checklist FILE
      [2]
      $ ssoterm view
      ! ssoterm: Missing expected argument '<file>'.
      !   try: ssoterm export -o - | ssoterm view -
      [2]
      $ ssoterm completion
      ! ssoterm: Missing expected argument '<shell>'.
      !   try: ssoterm completion bash
      [2]
      $ ssoterm token forge expird
      ! ssoterm: There is no kind of forged token “expird”: expected one of expired, … (13 in all).
      !   try: ssoterm token forge expired --for https://graph.microsoft.com
      [2]
      $ ssoterm run --approve terminal -- true
      ! ssoterm: --approve must be browser or auto:UPN, not “terminal”.
      !   try: ssoterm run --approve browser -- true
      [2]
      """)
  }
}
