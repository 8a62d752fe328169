import Testing

/// Sessions with `ssoterm doctor`.
@Suite struct DoctorCommandTests {
  @Test func aFindingNamesFileLineAndWhatToWrite() throws {
    try transcript(
      after: .nothing,
      #"""
      $ ssoterm doctor sample:no-callback
      Notes  com.contoso.notes · MSAL · iOS
        ✗ The delegate that the system calls forwards the broker's answer to the SDK  callback
            sample:no-callback/Notes/AppDelegate.swift:9
            check     the delegate that the system calls forwards the URL to the SDK
            expected  the scene delegate
            found     the app delegate
            prints    Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=Application did not receive response from broker., MSALInternalErrorCodeKey=-42700}
            explain   ssoterm explain -42700
            write     func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
                        guard let context = contexts.first else { return }
                        MSALPublicClientApplication.handleMSALResponse(
                          context.url, sourceApplication: context.options.sourceApplication)
                      }
        ✓ 10 checks passed

      1 fails.
      [1]
      $ ssoterm doctor sample:no-callback --json | head -n 30
      {
        "findings" : [
          {
            "check" : {
              "expected" : "the scene delegate",
              "found" : "the app delegate",
              "name" : "the delegate that the system calls forwards the URL to the SDK",
              "source" : "claim D6",
              "verdict" : "failed"
            },
            "code" : "-42700",
            "place" : {
              "file" : "sample:no-callback/Notes/AppDelegate.swift",
              "line" : 9
            },
            "prints" : "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=Application did not receive response from broker., MSALInternalErrorCodeKey=-42700}",
            "rule" : "callback",
            "severity" : "fails",
            "subject" : "Notes",
            "title" : "The delegate that the system calls forwards the broker's answer to the SDK",
            "write" : "func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {\n  guard let context = contexts.first else { return }\n  MSALPublicClientApplication.handleMSALResponse(\n    context.url, sourceApplication: context.options.sourceApplication)\n}"
          }
        ],
        "notSeen" : [

        ],
        "passed" : [
          {
            "check" : {
              "expected" : "https://host/tenant",
      $ ssoterm doctor sample:other
      ! ssoterm: sample:other cannot be judged.
      !   because no such sample; there are no-callback, no-query-scheme, unused-entitlements
      !   try: ssoterm doctor --help
      [2]
      $ ssoterm doctor nothing
      ! ssoterm: nothing cannot be judged.
      !   because no such file or directory
      !   try: ssoterm doctor --help
      [2]
      $ ssoterm doctor
      ! ssoterm: No project is named.
      !   because doctor takes folders and files
      !   try: ssoterm doctor .
      [2]
      """#)
  }

  @Test func aPropertyListAlone() throws {
    try transcript(
      after: .nothing,
      """
      $ cat > Info.plist <<'END'
      > <plist version="1.0">
      > <dict>
      >   <key>CFBundleIdentifier</key><string>com.contoso.mail</string>
      >   <key>CFBundleURLTypes</key>
      >   <array><dict><key>CFBundleURLSchemes</key><array><string>msauth.com.contoso.mail</string></array></dict></array>
      >   <key>LSApplicationQueriesSchemes</key>
      >   <array><string>msauthv2</string></array>
      > </dict>
      > </plist>
      > END
      $ ssoterm doctor Info.plist
      Info.plist  com.contoso.mail · MSAL · iOS
        ✗ LSApplicationQueriesSchemes has the broker's schemes  query-schemes
            Info.plist:7
            check     query schemes are registered
            expected  msauthv2, msauthv3
            found     msauthv2
            prints    Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=The required query schemes "msauthv2" and "msauthv3" are not registered in the app's info.plist file. Please add "msauthv2" and "msauthv3" into Info.plist under LSApplicationQueriesSchemes without any whitespaces., MSALInternalErrorCodeKey=-42001}
            explain   ssoterm explain -42001
            write     <string>msauthv3</string>
        ✓ 3 checks passed

      1 fails.
      [1]
      $ ssoterm doctor Info.plist --format sarif | head -n 20
      {
        "$schema" : "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
        "runs" : [
          {
            "columnKind" : "unicodeCodePoints",
            "invocations" : [
              {
                "executionSuccessful" : true,
                "toolExecutionNotifications" : [

                ]
              }
            ],
            "results" : [
              {
                "level" : "error",
                "locations" : [
                  {
                    "physicalLocation" : {
                      "artifactLocation" : {
      """)
  }
}
