import Testing

/// Sessions with `ssoterm app`, `ssoterm person` and the other records`.
@Suite struct RecordCommandTests {
  @Test func aRecordIsListedShownChangedAddedAndRemoved() throws {
    try transcript(
      after: .signedIn,
      """
      $ ssoterm app list
      NAME\tTITLE
      com.contoso.mytestapp1\tMy Test App 1
      com.contoso.mytestapp2\tMy Test App 2
      com.contoso.mytestapp3\tMy Test App 3
      $ ssoterm app show mytestapp2
      bundleID                    com.contoso.mytestapp2                         fixed
      teamID                      A1B2C3D4E5
      displayName                 My Test App 2
      vendor                      Contoso
      version                     1.0
      sdk                         MSAL                                           MSAL, ADAL
      sdkVersion                  2.13.0
      clientID                    b6c69a37-df96-4db0-9088-2ab96e1d8215
      redirectURI                 msauth.com.contoso.mytestapp2://auth
      authority                   https://login.microsoftonline.com/common
      authorityClass              -                                              MSALAADAuthority, MSALB2CAuthority, MSALCIAMAuthority, MSALADFSAuthority
      scopes                      User.Read
      keychainAccessGroups        $(AppIdentifierPrefix)com.microsoft.adalcache
      keychainSharingGroup        com.microsoft.adalcache
      urlSchemes                  msauth.com.contoso.mytestapp2
      queriesSchemes              msauthv2, msauthv3
      brokerUse                   auto                                           auto, none
      webView                     systemSession                                  systemSession, ephemeralSession, safariView, embedded
      bypassesRedirectValidation  no                                             yes, no
      urlForwarding               -                                              appDelegate, sceneDelegate, both, neither
      usesScenes                  no                                             yes, no
      clientCapabilities          -
      extendedLifetimeEnabled     no                                             yes, no
      userIDType                  -                                              RequiredDisplayableId, OptionalDisplayableId, UniqueId
      knownAuthorities            -
      tokenExpirationBuffer       -
      isExtension                 no                                             yes, no
      platform                    -                                              iOS, Android, Windows, macOS
      $ ssoterm app set mytestapp2 urlSchemes=
      ✓ My Test App 2: urlSchemes=.
        My Test App 2: next call fails: its Info.plist does not register the scheme msauth.com.contoso.mytestapp2 (-42001) (before: silent: cache, after instance discovery)
      $ ssoterm app set mytestapp2 colour=red
      ! ssoterm: An app has no field “colour”: it has 33 fields.
      !   try: ssoterm app show com.contoso.mytestapp2
      [2]
      $ ssoterm app add com.contoso.mail displayName=Mail clientID=b6c69a37-df96-4db0-9088-2ab96e1d8215
      ✓ The app Mail is added.
        The redirect URI msauth.com.contoso.mail://auth is added to the registration Contoso Suite.
        My Test App 1: shares its group with Mail, My Test App 2, My Test App 3 (before: My Test App 2, My Test App 3)
        My Test App 2: shares its group with Mail, My Test App 1, My Test App 3 (before: My Test App 1, My Test App 3)
        My Test App 3: shares its group with Mail, My Test App 1, My Test App 2 (before: My Test App 1, My Test App 2)
      $ ssoterm app remove com.contoso.mail
      ✓ The app Mail is removed.
        My Test App 1: shares its group with My Test App 2, My Test App 3 (before: Mail, My Test App 2, My Test App 3)
        My Test App 2: shares its group with My Test App 1, My Test App 3 (before: Mail, My Test App 1, My Test App 3)
        My Test App 3: shares its group with My Test App 1, My Test App 2 (before: Mail, My Test App 1, My Test App 2)
      $ ssoterm app remove com.contoso.mail
      ! ssoterm: There is no app “com.contoso.mail”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm app list
      [3]
      $ ssoterm app show nothing
      ! ssoterm: There is no app “nothing”: the lab has com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm app list
      [3]
      """)
  }

  @Test func aSecretIsMaskedAndNotTakenFromTheCommandLine() throws {
    try transcript(
      """
      $ ssoterm person show ada
      objectID            2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21  fixed
      homeTenantID        5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90  fixed
      username            ada@contoso.com
      displayName         Ada Lovelace
      givenName           Ada
      familyName          Lovelace
      password            [masked 17 chars]
      requiresMFA         no                                    yes, no
      isDisabled          no                                    yes, no
      isAdministrator     -                                     yes, no
      hasExpiredPassword  -                                     yes, no
      hasNoPassword       -                                     yes, no
      hasNoSecondFactor   -                                     yes, no
      hasManyGroups       -                                     yes, no
      guestIn
      isPersonal          no                                    yes, no
      certificates        -
      $ ssoterm person show ada --unmask | grep password
      password            analytical-engine
      $ ssoterm person set ada password=hunter2
      ! ssoterm: The value of password is not accepted on the command line: other users of this machine can see it in the process list, and the shell saves it in its history.
      !   try: ssoterm person set ada password=- < FILE
      [2]
      $ printf 'from-stdin' | ssoterm person set ada password=-
      ✓ Ada Lovelace: password=…. Nothing else changes.
      $ ssoterm person add eve@contoso.com displayName=Eve
      ✓ The user Eve is added.
      $ ssoterm person list
      NAME\tTITLE
      ada@contoso.com\tAda Lovelace
      eve@contoso.com\tEve
      grace@contoso.com\tGrace Hopper
      $ ssoterm person remove eve@contoso.com
      ✓ The user Eve is removed.
      $ printf '' | ssoterm person set ada password=-
      ! ssoterm: There is no value for password: the first line is empty.
      !   try: ssoterm person set ada password=- < FILE
      [2]
      """)
  }

  @Test func aDomainNamesItsTenant() throws {
    try transcript(
      """
      $ ssoterm tenant add fabrikam.com displayName=Fabrikam
      ✓ The tenant Fabrikam is added.
      $ ssoterm tenant show FABRIKAM.COM | grep -v ID
      id                        a8bc0554-193c-8fdf-9d66-a02bb06db2a6  fixed
      displayName               Fabrikam
      domains                   fabrikam.com
      subscriptions             -
      detectsRefreshTokenReuse  no                                    yes, no
      cloudHost                 -
      runsADFS                  no                                    yes, no
      $ ssoterm tenant remove fabrikam.com
      ✓ The tenant Fabrikam is removed.
      $ ssoterm tenant remove contoso.com
      ! ssoterm: The tenant Contoso is the home tenant of users: its users: ada@contoso.com, grace@contoso.com.
      !   try: ssoterm person remove ada@contoso.com
      [2]
      """)
  }

  @Test func everyKindOfRecordIsListed() throws {
    try transcript(
      """
      $ ssoterm tenant list
      NAME\tTITLE
      5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90\tContoso
      $ ssoterm registration list
      NAME\tTITLE
      29d9ed98-a469-4536-ade2-f981bc1d605e\tMicrosoft Authentication Broker
      b6c69a37-df96-4db0-9088-2ab96e1d8215\tContoso Suite
      $ ssoterm registration show b6c69a37
      clientID                   b6c69a37-df96-4db0-9088-2ab96e1d8215  fixed
      displayName                Contoso Suite
      publisher                  Contoso
      redirectURIs               msauth.com.contoso.mytestapp1://auth, msauth.com.contoso.mytestapp2://auth, msauth.com.contoso.mytestapp3://auth
      familyID                   -
      allowedScopes              User.Read, Mail.Read
      isMultiTenant              yes                                   yes, no
      homeTenantID               -
      adminOnlyScopes            -
      isPreauthorized            no                                    yes, no
      secrets                    -
      secretsExpireAt            -
      publicKeys                 -
      logoutURIs                 -
      refreshIn                  -
      extExpiresIn               -
      declinedScopes             -
      identifierURIs             -
      exposedScopes              -
      accessTokenVersion         -
      spaRedirectURIs            -
      webRedirectURIs            -
      allowsPublicClient         -                                     yes, no
      requiredAPIs               -
      isAssignmentRequired       -                                     yes, no
      assigned                   -
      isDisabled                 -                                     yes, no
      requestLimit               -
      accounts                   -                                     organizations, personal
      isConverged                -                                     yes, no
      hasNoServicePrincipal      -                                     yes, no
      enableIDTokenIssuance      -                                     yes, no
      enableAccessTokenIssuance  -                                     yes, no
      frontChannelLogoutURI      -
      groupMembershipClaims      -                                     None, SecurityGroup, DirectoryRole, All
      optionalClaims             -
      federatedCredentials       -
      isApprovedApp              no                                    yes, no
      $ ssoterm device show device-1
      id                device-1      fixed
      name              Ada's iPhone
      platform          iOS           iOS, Android, Windows, macOS
      brokerVersion     -
      isLocked          no            yes, no
      brokerManagement  -
      systemVersion     -
      certificates      -
      isShared          no            yes, no
      ssoProfile        -
      $ ssoterm device list --json | head -n 20
      {
        "records" : [
          {
            "fields" : [
              {
                "canChange" : false,
                "choices" : null,
                "name" : "id",
                "value" : "device-1"
              },
              {
                "canChange" : true,
                "choices" : null,
                "name" : "name",
                "value" : "Ada's iPhone"
              },
              {
                "canChange" : true,
                "choices" : [
                  "iOS",
      $ ssoterm group add Auditors members=ada@contoso.com
      ✓ The group Auditors is added.
      $ ssoterm group list
      NAME\tTITLE
      auditors\tAuditors
      $ ssoterm role list
      NAME\tTITLE
      [3]
      $ ssoterm identity list
      NAME\tTITLE
      [3]
      """)
  }

  /// On a terminal, lines break between words; in a pipe, a long value does not pad the others.
  @Test func fieldsFitTheTerminal() throws {
    try transcript(
      columns: 80,
      """
      $ ssoterm app show mytestapp2 | head -n 4
      bundleID                    com.contoso.mytestapp2                         fixed
      teamID                      A1B2C3D4E5
      displayName                 My Test App 2
      vendor                      Contoso
      $ ssoterm registration show b6c69a37 | awk 'length > 170'
      $ ssoterm device show device-1
      id                device-1      fixed
      name              Ada's iPhone
      platform          iOS           iOS, Android, Windows, macOS
      brokerVersion     -
      isLocked          no            yes, no
      brokerManagement  -
      systemVersion     -
      certificates      -
      isShared          no            yes, no
      ssoProfile        -
      $ ssoterm registration show b6c69a37
      clientID                   b6c69a37-df96-4db0-9088-2ab96e1d8215  fixed
      displayName                Contoso Suite
      publisher                  Contoso
      redirectURIs               msauth.com.contoso.mytestapp1://auth,
                                 msauth.com.contoso.mytestapp2://auth,
                                 msauth.com.contoso.mytestapp3://auth
      familyID                   -
      allowedScopes              User.Read, Mail.Read
      isMultiTenant              yes                   yes, no
      homeTenantID               -
      adminOnlyScopes            -
      isPreauthorized            no                    yes, no
      secrets                    -
      secretsExpireAt            -
      publicKeys                 -
      logoutURIs                 -
      refreshIn                  -
      extExpiresIn               -
      declinedScopes             -
      identifierURIs             -
      exposedScopes              -
      accessTokenVersion         -
      spaRedirectURIs            -
      webRedirectURIs            -
      allowsPublicClient         -                     yes, no
      requiredAPIs               -
      isAssignmentRequired       -                     yes, no
      assigned                   -
      isDisabled                 -                     yes, no
      requestLimit               -
      accounts                   -                     organizations, personal
      isConverged                -                     yes, no
      hasNoServicePrincipal      -                     yes, no
      enableIDTokenIssuance      -                     yes, no
      enableAccessTokenIssuance  -                     yes, no
      frontChannelLogoutURI      -
      groupMembershipClaims      -                     None, SecurityGroup,
                                 DirectoryRole, All
      optionalClaims             -
      federatedCredentials       -
      isApprovedApp              no                    yes, no
      """)
  }

  @Test func theFormOfAGuestIsSaid() throws {
    try transcript(
      """
      $ ssoterm person set ada guestIn=fabrikam.com
      ! ssoterm: guestIn cannot be “fabrikam.com”: expected a JSON object or list. It is {"TENANTID":"OBJECTID"}, with the user's object ID in that tenant, and {} removes all of them.
      !   try: ssoterm person show ada@contoso.com
      [2]
      $ ssoterm person set ada 'guestIn={"7c9d2e41-0b38-4f56-a1c7-8e2d4b6f9035":"51e7a0c2-93d4-4b6f-8a1e-2c7d5f904b68"}' | head -n 1
      ✓ Ada Lovelace: guestIn={"7c9d2e41-0b38-4f56-a1c7-8e2d4b6f9035":"51e7a0c2-93d4-4b6f-8a1e-2c7d5f904b68"}. Nothing else changes.
      $ ssoterm person set ada guestIn={}
      ✓ Ada Lovelace: guestIn={}. Nothing else changes.
      """)
  }

  /// Each app is listed once, including an app that is called by its bundle ID.
  @Test func anUnknownNameListsEachAppOnce() throws {
    try transcript(
      """
      $ ssoterm app add com.contoso.mail > added
      $ ssoterm app show nothing
      ! ssoterm: There is no app “nothing”: the lab has com.contoso.mail, com.contoso.mytestapp1, com.contoso.mytestapp2, com.contoso.mytestapp3.
      !   try: ssoterm app list
      [3]
      """)
  }
}
