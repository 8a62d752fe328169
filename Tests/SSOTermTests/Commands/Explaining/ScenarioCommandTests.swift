import Testing

/// Sessions with `ssoterm scenario`.
@Suite struct ScenarioCommandTests {
  @Test func aRunPrintsEachStep() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm scenario run contoso-suite
      contoso-suite  4 of 4 steps passed
      ✓ Ada signs in to My Test App 1
      ✓ My Test App 2 asks silently
      ✓ My Test App 3 asks for a fresh token
      ✓ My Test App 3 asks again
      $ ssoterm scenario run contoso-suite --json
      {
        "reports" : [
          {
            "claims" : [
              "C1",
              "C3",
              "C7",
              "C8",
              "E1"
            ],
            "name" : "contoso-suite",
            "passed" : true,
            "steps" : [
              {
                "index" : 1,
                "mismatches" : [

                ],
                "note" : "This is the only time a password is typed. The refresh token goes into the shared keychain group.",
                "passed" : true,
                "title" : "Ada signs in to My Test App 1",
                "traceID" : 1
              },
              {
                "index" : 2,
                "mismatches" : [

                ],
                "note" : "The second app has never seen Ada. All four conditions hold, so it gets a token with no screen at all.",
                "passed" : true,
                "title" : "My Test App 2 asks silently",
                "traceID" : 2
              },
              {
                "index" : 3,
                "mismatches" : [

                ],
                "note" : "The third app skips the cached access token and redeems the refresh token that the first one wrote.",
                "passed" : true,
                "title" : "My Test App 3 asks for a fresh token",
                "traceID" : 3
              },
              {
                "index" : 4,
                "mismatches" : [

                ],
                "note" : "Now the token is in the cache, and the network is not needed.",
                "passed" : true,
                "title" : "My Test App 3 asks again",
                "traceID" : 4
              }
            ],
            "title" : "Contoso's suite: sign in once, silent everywhere"
          }
        ],
        "version" : 1
      }
      $ ssoterm scenario run contoso-suit
      ! ssoterm: There is no scenario “contoso-suit”.
      !   try: ssoterm scenario run contoso-suite
      [3]
      $ ssoterm scenario list | head -n 4
      SCENARIO\tCLAIMS\tTITLE
      A1-sign-in-in-the-app\tA1 A2\tNot brokered: the sign-in happens in the app
      A2-no-broker-no-access\tA2\tNo broker: policies block the sign-in, and say why
      A3-broker-meets-the-policies\tA3 A2\tWith the broker: the same policies are met
      $ ssoterm scenario show C2-one-condition-broken
      C2-one-condition-broken  One condition is broken, and SSOTerm says which
      claims C2 C1
      1  Ada signs in to My Test App 1
      2  First: app 2 is registered separately
      3  The client ID is not the same
      4  Second: app 2 is signed with another certificate
      5  The team is not the same
      6  Third: app 2 lacks the entitlement
      7  The group is not in its entitlements
      8  Fourth: the SDK is configured for another group
      9  The configured group is not the same
      10  My Test App 2 has to ask Ada
      11  The setting is corrected
      12  And app 2 is silent
      $ ssoterm scenario claims | head -n 4
      CLAIM\tSCENARIOS\tWHAT IT SAYS
      A1\tA1-sign-in-in-the-app\tNon-brokered: the sign-in happens in the app, and its credentials stay with the app or suite
      A2\tA2-no-broker-no-access\tWithout a broker: no Conditional Access, no Intune, no certificates; the refusal says why
      A3\tA3-broker-meets-the-policies\tBrokered: credentials are in the broker's storage, and every app on the device gets SSO
      """)
  }

  @Test func claimsNameTheirTestsInJSON() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm scenario claims --json | head -n 40
      {
        "claims" : [
          {
            "also" : [

            ],
            "claim" : "A1",
            "scenarios" : [
              "A1-sign-in-in-the-app"
            ],
            "tests" : [
              {
                "cases" : [
                  "A1-sign-in-in-the-app"
                ],
                "file" : "Tests/SSOScenariosTests/ScenarioStoryTests.swift",
                "function" : "comesOutAsExpected",
                "suite" : "ScenarioStoryTests"
              },
              {
                "cases" : [
                  "A1-sign-in-in-the-app: a broker is installed",
                  "A1-sign-in-in-the-app: the other developer signs with the same certificate, for the same client"
                ],
                "file" : "Tests/SSOScenariosTests/ClaimMutationTests.swift",
                "function" : "theScenarioFailsWhenItsRuleDoesNotHold",
                "suite" : "ClaimMutationTests"
              }
            ],
            "words" : "Non-brokered: the sign-in happens in the app, and its credentials stay with the app or suite"
          },
          {
            "also" : [
              "A1-sign-in-in-the-app",
              "A3-broker-meets-the-policies"
            ],
            "claim" : "A2",
            "scenarios" : [
              "A2-no-broker-no-access"
            ],
      $ ssoterm scenario claims --json | grep -c '"guarantee"'
      47
      """)
  }

  @Test func reportsAreWrittenInOneRunAndNamesMayFollow() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm scenario run --report junit a.xml --report markdown b.md contoso-suite
      contoso-suite  4 of 4 steps passed
      ✓ Ada signs in to My Test App 1
      ✓ My Test App 2 asks silently
      ✓ My Test App 3 asks for a fresh token
      ✓ My Test App 3 asks again
      $ grep '<testcase' a.xml
          <testcase classname="contoso-suite" name="1 Ada signs in to My Test App 1"/>
          <testcase classname="contoso-suite" name="2 My Test App 2 asks silently"/>
          <testcase classname="contoso-suite" name="3 My Test App 3 asks for a fresh token"/>
          <testcase classname="contoso-suite" name="4 My Test App 3 asks again"/>
      $ grep '^| [0-9]' b.md
      | 1 Ada signs in to My Test App 1 | ✓ | as expected |
      | 2 My Test App 2 asks silently | ✓ | as expected |
      | 3 My Test App 3 asks for a fresh token | ✓ | as expected |
      | 4 My Test App 3 asks again | ✓ | as expected |
      $ ssoterm scenario run contoso-suite --report pdf c.pdf
      ! ssoterm: --report takes a kind and a file: the kinds are junit, markdown, and html.
      !   try: ssoterm scenario run contoso-suite --report junit report.xml
      [2]
      $ ssoterm scenario show twovendors
      ! ssoterm: There is no scenario “twovendors”.
      !   try: ssoterm scenario show two-vendors
      [3]
      """)
  }
}
