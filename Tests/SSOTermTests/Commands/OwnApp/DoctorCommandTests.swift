import Testing

/// Sessions with `ssoterm doctor`.
@Suite struct DoctorCommandTests {
  @Test func aFindingNamesFileLineAndWhatToWrite() throws {
    try transcript(
      after: .nothing,
      #"""
      $ ssoterm doctor sample:no-callback
      Notes  com.contoso.notes · MSAL · iOS
        ✗ The scene delegate does not forward the URL  callback
            sample:no-callback/Notes/AppDelegate.swift:9
            expected  the scene delegate
            found     the app delegate
            prints    Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=Application did not receive response from broker., MSALInternalErrorCodeKey=-42700}
            explain   ssoterm explain -42700
            write     func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
                        guard let context = contexts.first else { return }
                        MSALPublicClientApplication.handleMSALResponse(
                          context.url, sourceApplication: context.options.sourceApplication)
                      }
        ✓ 11 checks passed

      1 check failed.
      Verdict  callback: The scene delegate does not forward the URL. Expected the scene delegate; found the app delegate. (sample:no-callback/Notes/AppDelegate.swift:9; seen here.) To do: write the lines that the rule prints at sample:no-callback/Notes/AppDelegate.swift:9.
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
              "expected" : "the application (client) ID of the registration",
      $ ssoterm doctor sample:other
      ! ssoterm: sample:other cannot be checked: no such sample; there are no-callback, no-query-scheme, unused-entitlements.
      !   try: ssoterm doctor sample:no-callback
      [2]
      $ ssoterm doctor nothing
      ! ssoterm: nothing cannot be checked: no such file or directory.
      !   try: ls
      [2]
      $ ssoterm doctor
      ! ssoterm: No project specified: doctor takes folders and files.
      !   try: ssoterm doctor .
      [2]
      """#)
  }

  @Test func aPropertyListAlone() throws {
    try transcript(
      after: .nothing,
      #"""
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
        ✗ LSApplicationQueriesSchemes lacks msauthv3  query-schemes
            Info.plist:7
            expected  msauthv2, msauthv3
            found     msauthv2
            prints    Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=The required query schemes "msauthv2" and "msauthv3" are not registered in the app's info.plist file. Please add "msauthv2" and "msauthv3" into Info.plist under LSApplicationQueriesSchemes without any whitespaces., MSALInternalErrorCodeKey=-42001}
            explain   ssoterm explain -42001
            write     <string>msauthv3</string>
        ✓ 3 checks passed

      1 check failed.
      Verdict  query-schemes: LSApplicationQueriesSchemes lacks msauthv3. Expected msauthv2, msauthv3; found msauthv2. (Info.plist:7; seen here.) To do: write <string>msauthv3</string> at Info.plist:7
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
      $ sed -i 's,<string>msauthv2</string>,&<string>msauthv3</string>,' Info.plist
      $ ssoterm doctor Info.plist
      Info.plist  com.contoso.mail · MSAL · iOS
        ✓ 4 checks passed

      Nothing found.
      Verdict  No mistake is visible in 4 checks.
      $ printf '<plist><dict><key>\033[31m</key></dict></plist>' > Info.plist
      $ ssoterm doctor Info.plist
      ! ssoterm: Info.plist cannot be checked: line 1: <key><U+001B>[31m</key> has no value.
      !   try: ssoterm help doctor
      [2]
      """#)
  }

  @Test func aFileThatCannotBeReadIsAFailureInEveryOutput() throws {
    try transcript(
      after: .nothing,
      """
      $ mkdir -p notes/app/src/main
      $ echo '<<<<<<< HEAD' > notes/app/src/main/AndroidManifest.xml
      $ ssoterm doctor notes --report junit doctor.xml
      ? notes/app/src/main/AndroidManifest.xml cannot be read: line 1: expected a name
      Nothing could be checked.
      [1]
      $ cat doctor.xml
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="ssoterm doctor" tests="1" failures="1">
        <testsuite name="files" tests="1" failures="1">
          <testcase classname="files" name="notes/app/src/main/AndroidManifest.xml">
            <failure message="The file cannot be read">line 1: expected a name</failure>
          </testcase>
        </testsuite>
      </testsuites>
      $ cat > Info.plist <<'END'
      > <plist><dict>
      >   <key>CFBundleIdentifier</key><string>com.contoso.mail</string>
      >   <key>CFBundleURLTypes</key>
      >   <array><dict><key>CFBundleURLSchemes</key><array><string>msauth.com.contoso.mail</string></array></dict></array>
      >   <key>LSApplicationQueriesSchemes</key>
      >   <array><string>msauthv2</string><string>msauthv3</string></array>
      > </dict></plist>
      > END
      $ ssoterm doctor notes Info.plist
      Info.plist  com.contoso.mail · MSAL · iOS
        ✓ 4 checks passed

      ? notes/app/src/main/AndroidManifest.xml cannot be read: line 1: expected a name
      1 file not read.
      Verdict  A file cannot be read. (notes/app/src/main/AndroidManifest.xml; not visible here.) To do: repair it.
      [1]
      $ ssoterm doctor notes --format sarif | head -n 25
      {
        "$schema" : "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
        "runs" : [
          {
            "columnKind" : "unicodeCodePoints",
            "invocations" : [
              {
                "executionSuccessful" : false,
                "toolExecutionNotifications" : [
                  {
                    "level" : "error",
                    "locations" : [
                      {
                        "physicalLocation" : {
                          "artifactLocation" : {
                            "uri" : "notes/app/src/main/AndroidManifest.xml"
                          },
                          "region" : {
                            "startLine" : 1
                          }
                        }
                      }
                    ],
                    "message" : {
                      "text" : "notes/app/src/main/AndroidManifest.xml cannot be read: line 1: expected a name"
      $ mkdir empty
      $ ssoterm doctor empty
      No app here uses MSAL or ADAL: nothing to check.
      [3]
      """)
  }

  @Test func anAppIsImportedAndUndoTakesItBack() throws {
    try transcript(
      """
      $ cat > Info.plist <<'END'
      > <plist version="1.0">
      > <dict>
      >   <key>CFBundleIdentifier</key><string>com.contoso.mail</string>
      >   <key>CFBundleURLTypes</key>
      >   <array><dict><key>CFBundleURLSchemes</key><array><string>msauth.com.contoso.mail</string></array></dict></array>
      >   <key>LSApplicationQueriesSchemes</key>
      >   <array><string>msauthv2</string><string>msauthv3</string></array>
      > </dict>
      > </plist>
      > END
      $ ssoterm app import Info.plist
      ! ssoterm: No client ID found for Info.plist: no file has one as a literal.
      !   try: ssoterm app import Info.plist --client-id CLIENTID
      [2]
      $ ssoterm app import Info.plist --client-id 8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c
      ✓ Imported com.contoso.mail.
        com.contoso.mail: added
        registration 8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c: added, as none was imported, with msauth.com.contoso.mail://auth
      $ ssoterm app list
      NAME\tTITLE
      com.contoso.mail\tInfo.plist
      com.contoso.mytestapp1\tMy Test App 1
      com.contoso.mytestapp2\tMy Test App 2
      com.contoso.mytestapp3\tMy Test App 3
      $ ssoterm undo
      ✓ Undone: import the project Info.plist (done in session PID)
      $ ssoterm app list
      NAME\tTITLE
      com.contoso.mytestapp1\tMy Test App 1
      com.contoso.mytestapp2\tMy Test App 2
      com.contoso.mytestapp3\tMy Test App 3
      """)
  }
}
