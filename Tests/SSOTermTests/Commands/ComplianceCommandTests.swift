import Testing

/// Sessions with `ssoterm compliance`.
@Suite struct ComplianceCommandTests {
  @Test func theDeviceIsReportedAsCompliantOrNot() throws {
    try transcript(
      """
      $ ssoterm compliance off
      ✓ Ada's iPhone is not compliant.
      $ ssoterm compliance on --json
      {
        "effects" : [

        ],
        "errorCode" : null,
        "errorDomain" : null,
        "errorText" : null,
        "expiresOn" : null,
        "failedCheck" : null,
        "grantedScopes" : [

        ],
        "homeAccountID" : null,
        "next" : null,
        "prompted" : false,
        "source" : null,
        "summary" : "Ada's iPhone is compliant.",
        "traceID" : 2,
        "username" : null,
        "verdict" : "succeeded",
        "version" : 1
      }
      $ ssoterm compliance maybe
      ! ssoterm: Compliance must be on or off, not “maybe”.
      !   usage: ssoterm compliance [--store <store>] [--json] [--unmask] [--plain] [--ascii] [--quiet] [--no-color] [--readonly] [--create] <word>
      !   try: ssoterm compliance --help
      [2]
      """)
  }
}
