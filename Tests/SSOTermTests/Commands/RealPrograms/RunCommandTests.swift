import Testing

/// Sessions with `ssoterm run`.
@Suite struct RunCommandTests {
  @Test func aProgramRunsWithAProviderAndItsExitCodeCounts() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm run -- sh -c 'echo user $SSOTERM_USERNAME; exit 3'
      user ada@contoso.com
      [3]
      $ ssoterm run --people two-vendors -- sh -c 'env | grep ^SSOTERM | sort | cut -d = -f 1'
      SSOTERM_AUTHORITY
      SSOTERM_CA
      SSOTERM_CLIENT_ID2
      SSOTERM_CLIENT_ID3
      SSOTERM_CLIENT_ID
      SSOTERM_CONFIDENTIAL_ID
      SSOTERM_CONFIDENTIAL_SECRET
      SSOTERM_ISSUER
      SSOTERM_ORIGIN
      SSOTERM_PASSWORD2
      SSOTERM_PASSWORD
      SSOTERM_STORE
      SSOTERM_USER
      SSOTERM_USERNAME2
      SSOTERM_USERNAME
      $ ssoterm run -- nosuchprogram
      ! ssoterm: nosuchprogram cannot be run: No such file or directory.
      !   Name the program by its path, or add its folder to PATH.
      [127]
      $ ssoterm run
      ! ssoterm: No program specified: it comes after --, with its arguments.
      !   try: ssoterm run --approve auto:ada@contoso.com -- pytest
      [2]
      """)
  }

  /// A program finds the results of the scenario's steps before a given one: policies, tokens, and the time.
  @Test func aProgramRunsInTheStateBeforeAStep() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm run --scenario refused-by-policy --until 3 -- sh -c 'ssoterm policy list; ssoterm clock; ssoterm trace list'
      policies  Closed: nothing can satisfy it in client b6c69a37-df96-4db0-9088-2ab96e1d8215
      device    not managed
                not registered
      2026-03-02T09:00:00Z  lab time
      ID\tAT\tWHAT\tVERDICT\tSTEPS\tOUTCOME
      2\t2026-03-02T09:00:00Z\tpolicy Closed: block\tsucceeded\t1\tPolicy “Closed”: nothing can satisfy it in client b6c69a37-df96-4db0-9088-2ab96e1d8215.
      1\t2026-03-02T09:00:00Z\tsign in com.contoso.mytestapp1\tsucceeded\t33\tToken for ada@contoso.com in a web session.
      $ ssoterm run --scenario blank -- sh -c 'ssoterm app list; echo $SSOTERM_USERNAME'
      NAME\tTITLE
      ada@contoso.com
      $ ssoterm run --until 3 -- true
      ! ssoterm: --until needs a scenario: it is the number of one of its steps.
      !   try: ssoterm run --until 3 --scenario two-vendors -- true
      [2]
      """)
  }
}
