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
      !   try: ssoterm run -- /path/to/program
      [127]
      $ ssoterm run
      ! ssoterm: No program is named: it comes after --, with its arguments.
      !   try: ssoterm run --approve auto:ada@contoso.com -- pytest
      [2]
      """)
  }
}
