import Testing

/// Sessions with `ssoterm broker`.
@Suite struct BrokerCommandTests {
  @Test func theBrokerIsInstalledShownAndRemoved() throws {
    try transcript(
      """
      $ ssoterm broker
      broker    not installed
      for       no app
      accounts  none
      $ ssoterm broker install
      ✓ The broker 6.8.30 is installed by the user, for the whole device.
        My Test App 1: broker used (before: not used: no installed app registers msauthv2)
        My Test App 2: broker used (before: not used: no installed app registers msauthv2)
        My Test App 3: broker used (before: not used: no installed app registers msauthv2)
      $ ssoterm broker status
      broker    installed, version 6.8.30
      for       the whole device, installed by the user
      accounts  none
      $ ssoterm broker status --json
      {
        "accounts" : [

        ],
        "apps" : null,
        "brokerVersion" : "6.8.30",
        "isManaged" : false,
        "platformSSO" : null,
        "version" : 1
      }
      $ ssoterm broker remove
      ✓ The broker 6.8.30 is removed. Apps sign in without it from now on.
        My Test App 1: broker not used: no installed app registers msauthv2 (before: used)
        My Test App 2: broker not used: no installed app registers msauthv2 (before: used)
        My Test App 3: broker not used: no installed app registers msauthv2 (before: used)
      $ ssoterm broker remove
      ! ssoterm: The broker is not installed: there is nothing to remove.
      !   try: ssoterm broker install
      [3]
      """)
  }

  @Test func anAdministratorsBrokerIsForSomeApps() throws {
    try transcript(
      """
      $ ssoterm broker install --managed-by-admin --for mytestapp1
      ✓ The broker 6.8.30 is installed by the administrator, by MDM, for com.contoso.mytestapp1.
        My Test App 1: broker used (before: not used: no installed app registers msauthv2)
        My Test App 2: broker not used: the administrator does not let the broker serve this app (before: not used: no installed app registers msauthv2)
        My Test App 3: broker not used: the administrator does not let the broker serve this app (before: not used: no installed app registers msauthv2)
      $ ssoterm broker status
      broker    installed, version 6.8.30
      for       com.contoso.mytestapp1, managed by an administrator
      accounts  none
      """)
  }

  /// Regression: the command to try failed, because there is no such app.
  @Test func anUnknownAppIsSaidBeforeAMissingOption() throws {
    try transcript(
      """
      $ ssoterm broker install --for nosuch
      ! ssoterm: There is no app “nosuch”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm apps
      [3]
      $ ssoterm broker install --for mytestapp1
      ! ssoterm: --for needs --managed-by-admin.
      !   try: ssoterm broker install --for mytestapp1 --managed-by-admin
      [2]
      """)
  }

  @Test func aMacIsRegisteredForPlatformSSO() throws {
    try transcript(
      after: .nothing,
      """
      $ ssoterm lab reset --create --scenario platform-sso-on-macos
      ✓ platform-sso-on-macos
      ! ssoterm: there was no store; made /home/ada/.local/share/ssoterm/store.sqlite with the scenario contoso-suite
      $ ssoterm broker status
      broker        installed, version 6.8.30
      for           the whole device, installed by the user
      accounts      none
      Platform SSO  platformSSOEnabledNotRegistered
      $ ssoterm device set device-1 systemVersion=13.6
      ✓ Ada's Mac: systemVersion=13.6. Nothing else changes.
      $ ssoterm broker platform-sso --account ada@contoso.com
      ! ssoterm: The Mac cannot be registered for Platform SSO: SSOTerm simulates Platform SSO of macOS 14 and later, not that of macOS 13: expected macOS 14 or later, found macOS 13.6.
      !   try: ssoterm trace show 2
      [7]
      $ ssoterm undo
      ✓ Undone: set device device-1 systemVersion=13.6 (done in session PID)
      $ echo analytical-engine > password
      $ ssoterm broker platform-sso --account ada@contoso.com --password-stdin < password
      ✓ The Mac and ada@contoso.com are registered for Platform SSO by UserSecureEnclaveKey.
      $ ssoterm broker status
      broker        installed, version 6.8.30
      for           the whole device, installed by the user
      accounts      ada@contoso.com
      Platform SSO  platformSSOEnabledAndRegistered
      """)
  }
}
