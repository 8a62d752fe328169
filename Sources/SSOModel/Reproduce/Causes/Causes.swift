import SSOReference

extension Cause {
  /// Returns the causes for a failure, by the code that is closest to the cause.
  static func candidates(for failure: Failure) -> [Cause] {
    failure.codes.lazy.map { code in all.filter { $0.codes.contains(code) } }.first { !$0.isEmpty } ?? []
  }

  static let all: [Cause] = {
    let causes =
      ofThePerson + ofTheApp + ofTheCache + ofTheRegistration + ofTheDirectory + ofPolicies + ofPrograms
      + ofAndroid + ofAccountModes + ofAudiences + ofOneClient
    return causes + ofUserFlows(causes) + ofFederation(causes)
  }()

  /// The codes that lead to a cause.
  static let codes = Set(all.flatMap(\.codes))

  /// Whether the mistake is in the files of an app, except for its authority, which code may choose.
  var isOfFiles: Bool {
    let fields = ["urlSchemes", "queriesSchemes", "redirectURI", "urlForwarding", "keychainAccessGroups"]
    return changes.contains { change in
      guard case .app(let text) = change else { return false }
      return fields.contains { text.hasPrefix($0) }
    }
  }

  private static let userFlow = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin"

  // MARK: The app's files

  private static let ofTheApp: [Cause] = [
    Cause(
      name: "url-scheme-missing", codes: [MSALCode.redirectSchemeNotRegistered.text],
      text: "The Info.plist does not register the scheme of the redirect URI.",
      question: "Is $scheme under CFBundleURLTypes › CFBundleURLSchemes of the Info.plist that is built?",
      changes: [.app("urlSchemes=")], call: .interactive,
      mends: [
        .app(
          .plist, "urlSchemes+=$scheme", "Info.plist: add $scheme to CFBundleURLTypes › CFBundleURLSchemes.")
      ]),
    Cause(
      name: "query-schemes-missing", codes: [MSALCode.redirectSchemeNotRegistered.text],
      text: "The Info.plist does not list the broker's schemes.",
      question:
        "Are msauthv2 and msauthv3 under LSApplicationQueriesSchemes of the Info.plist that is built?",
      changes: [.app("queriesSchemes=")], call: .interactive,
      mends: [
        .app(
          .plist, "queriesSchemes+=msauthv2,msauthv3",
          "Info.plist: add msauthv2 and msauthv3 to LSApplicationQueriesSchemes.")
      ]),
    Cause(
      name: "redirect-uri-of-another-bundle", codes: [MSALCode.invalidRedirectURI.text],
      text: "The redirect URI in the code is made of another bundle ID.",
      question: "Is the redirect URI in the code exactly msauth.$app://auth?",
      changes: [
        .app("redirectURI=msauth.com.example.other://auth"), .app("urlSchemes+=msauth.com.example.other"),
        .registration("redirectURIs+=msauth.com.example.other://auth"),
      ], call: .interactive,
      mends: [
        .app(
          .code, "redirectURI=msauth.$app://auth",
          "MSALPublicClientApplicationConfig: set redirectUri to msauth.$app://auth.")
      ]),
    Cause(
      name: "calls-overlap",
      codes: [
        MSALCode.interactiveSessionAlreadyRunning.text,
        IdentityCoreCode.interactiveSessionAlreadyRunning.text,
      ],
      text: "The app makes an interactive call while another one is running.",
      question: "Can the user press the button twice, or does a view make the call each time it appears?",
      call: .interactive.with("overlaps", true),
      mends: [
        .call(
          .interactive, "Make the call once, and the next one only after its completion block was called.")
      ]),
    Cause(
      name: "client-id-empty", codes: [MSALCode.invalidParameter.text],
      text: "The app creates the SDK's object without a client ID.",
      question: "Is the client ID that the code passes empty, for example because a setting was not found?",
      changes: [.app("clientID= ")], call: .interactive,
      mends: [.app(.code, "clientID=$client", "Pass the client ID of the registration: $client.")]),
    Cause(
      name: "reserved-scopes", codes: [MSALCode.invalidParameter.text],
      text: "The call asks for scopes that the SDK adds itself.",
      question: "Are openid, profile or offline_access among the scopes of the call?",
      call: .interactive(scopes: ["openid", "profile", "User.Read"]),
      mends: [
        .call(
          .interactive(scopes: ["User.Read"]),
          "Leave openid, profile and offline_access out of the scopes: the SDK adds them.")
      ]),
    Cause(
      name: "answer-not-forwarded", codes: [MSALCode.brokerResponseNotReceived.text],
      text: "The delegate that the system calls does not forward the broker's answer to the SDK.",
      question: "Does the app use scenes, and is the SDK called in scene(_:openURLContexts:)?",
      changes: [.broker, .app("urlForwarding=neither")], call: .interactive,
      mends: [
        .app(
          .code, "urlForwarding=both",
          "Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:) of the scene delegate, or in "
            + "application(_:open:options:) of an app without scenes.")
      ]),
    Cause(
      name: "keychain-group-missing",
      codes: [KeychainError.missingEntitlement.text, IdentityCoreCode.internalError.text],
      text: "The app's entitlements do not have the keychain group that the SDK uses.",
      question: "Does codesign -d --entitlements - list $group in keychain-access-groups?",
      changes: [.app("keychainAccessGroups=")], before: [.signIn], call: .silent,
      mends: [
        .app(
          .entitlement, "keychainAccessGroups=$(AppIdentifierPrefix)$group",
          "Entitlements: add $(AppIdentifierPrefix)$group to keychain-access-groups (Signing & Capabilities › Keychain "
            + "Sharing).")
      ]),
    Cause(
      name: "authority-host-unknown",
      codes: [AADSTSCode.unknownInstance.text, MSALCode.failedAuthorityValidation.text],
      text: "The authority's host does not belong to Entra, and the app does not declare it as known.",
      question: "Is the authority a custom domain or B2C, and missing in knownAuthorities?",
      changes: [.app("authority=https://login.example.com/common")], call: .interactive,
      mends: [
        .app(
          .code, "authority=$common",
          "Use the authority $common, or declare a host of B2C or External ID in knownAuthorities.")
      ]),
    Cause(
      name: "user-flow-not-declared", codes: [MSALCode.unexpected.text],
      text: "The app does not declare its authority of Azure AD B2C as known.",
      question: "Does the configuration have knownAuthorities with the authority?",
      changes: [.app("authority=\(userFlow)")], call: .interactive,
      mends: [.declareAuthority("$authority"), .declareAuthority(userFlow)]),
  ]

  // MARK: The token cache

  private static let ofTheCache: [Cause] = [
    Cause(
      name: "no-account",
      codes: [
        MSALCode.interactionRequired.text, KeychainError.itemNotFound.text, MSALCode.accountRequired.text,
      ],
      text: "No account is signed in where the app looks.",
      question: "Had anybody signed in to the app on this device before the call?",
      call: .silent, mends: [.signInAgain]),
    Cause(
      name: "username-blank", codes: [IdentityCoreCode.invalidInternalParameter.text],
      text: "The app looks up the account by a blank username.",
      question: "Is the username that the app has saved empty?",
      before: [.signIn], call: .silent.with("username", ""),
      mends: [
        .call(.silent, "Save the identifier of the account, and call accountForIdentifier: with it.")
      ]),
    Cause(
      name: "username-changed", codes: [MSALCode.interactionRequired.text],
      text:
        "The app looks up the account by a username that the cache does not have: the user was renamed.",
      question:
        "Does the code call accountForUsername:, and was the user's username changed after the last sign-in?",
      before: [
        .signIn,
        .action(
          "The user is renamed", ["set": ["person": "$user", "fields": ["username=renamed.$user"]]]),
      ], call: .silent.with("username", "renamed.$user"),
      mends: [
        .call(
          .silent,
          "Save the identifier of the account, which never changes, and call accountForIdentifier: with it.")
      ]),
    Cause(
      name: "refresh-token-gone", codes: [MSALCode.interactionRequired.text],
      text: "The account is in the cache, but its refresh token is gone and its access token has expired.",
      question: "Did an earlier call or another app of the group remove the refresh token?",
      before: [
        .signIn, .action("The access token expires", ["expire": ["type": "AccessToken"]]),
        .action("The refresh token is removed", ["delete": ["type": "RefreshToken"]]),
      ], call: .silent, mends: [.signInAgain]),
    Cause(
      name: "refresh-token-unused",
      codes: [
        AADSTSCode.refreshTokenInactive.text, MSALCode.interactionRequired.text,
        OAuthErrorCode.invalidGrant.text, IdentityCoreCode.serverInvalidGrant.text,
      ],
      text: "The refresh token was not used for more than 90 days.",
      question: "Was the app unused for three months?",
      before: [.signIn, .action("Three months pass", ["clock": "+91d"])], call: .silent,
      mends: [.signInAgain]),
    Cause(
      name: "sessions-revoked", codes: [AADSTSCode.grantRevoked.text, OAuthErrorCode.invalidGrant.text],
      text: "The password was changed, or the sessions were revoked, after the last sign-in.",
      question: "Was the password changed or reset?",
      before: [.signIn, .action("The sessions are revoked", ["revoke": ["account": "$user"]])],
      call: .refresh,
      mends: [.signInAgain]),
    Cause(
      name: "account-disabled", codes: [AADSTSCode.accountDisabled.text],
      text: "The account is disabled in the directory.",
      question: "Is the account enabled in the admin centre?",
      before: [
        .signIn,
        .action("The account is disabled", ["set": ["person": "$user", "fields": ["isDisabled=yes"]]]),
      ], call: .refresh,
      mends: [
        Mend(
          kind: .account, text: "The administrator enables the account.",
          steps: [["set": ["person": "$user", "fields": ["isDisabled=no"]]]], moment: .beforeCall)
      ]),
    Cause(
      name: "account-deleted", codes: [AADSTSCode.accountDeleted.text],
      text: "The account was deleted from the directory.",
      question: "Is the account among the deleted users of the admin centre?",
      before: [
        .signIn, .action("An administrator deletes the account", ["remove": ["person": "$user"]]),
      ], call: .refresh,
      mends: [
        Mend(
          kind: .account, text: "The administrator restores the account within 30 days.",
          steps: [["undo": [:]]], moment: .beforeCall)
      ]),
  ]

  // MARK: The registration

  private static let ofTheRegistration: [Cause] = [
    Cause(
      name: "redirect-uri-not-registered",
      codes: [AADSTSCode.redirectURINotRegistered.text, MSALCode.userCanceled.text],
      text: "The registration does not have the redirect URI that the app sends.",
      question: "Did the page say that the redirect URI does not match?",
      changes: [.registration("$redirects=$redirect/other")], call: .interactive,
      mends: [.registerRedirectURI, .sendSecureRedirectURI]),
    Cause(
      name: "client-not-registered",
      codes: [
        AADSTSCode.clientNotFound.text, OAuthErrorCode.unauthorizedClient.text, MSALCode.userCanceled.text,
      ],
      text: "The directory has no registration with the client ID that the app sends.",
      question: "Did the page say that the application was not found in the directory?",
      changes: [.noRegistration], call: .interactive,
      mends: [
        Mend(
          kind: .registration,
          text:
            "Use the Application (client) ID of the registration's overview, not its object ID, and register the app "
            + "in the tenant of the authority.",
          steps: [["add": ["registration": "$client", "fields": ["$redirects+=$redirect", "$proof"]]]])
      ]),
    Cause(
      name: "single-tenant-at-common", codes: [AADSTSCode.notMultiTenant.text],
      text: "The registration is for one organisation, and the app uses an authority for all of them.",
      question: "Is “Accounts in this organizational directory only” chosen under Authentication?",
      changes: [.registration("isMultiTenant=no"), .app("authority=$common")], call: .interactive,
      mends: [
        .nameTenant,
        .registration(
          "isMultiTenant=yes", "App registrations › Authentication: allow accounts of any organisation."),
      ]),
    Cause(
      name: "redirect-uri-of-type-web", codes: [AADSTSCode.clientProofMissing.text],
      text: "The redirect URI is registered as Web, so the provider expects a client with a secret.",
      question: "Under which platform is $redirect registered?",
      changes: [.registration("$redirects="), .registration("webRedirectURIs=$redirect")],
      call: .interactive,
      mends: [.redirectURIMoved(from: "Web", "webRedirectURIs")]),
    Cause(
      name: "not-assigned", codes: [AADSTSCode.notAssigned.text],
      text: "The app requires an assignment, and the user is not assigned.",
      question: "Is “Assignment required?” on in the properties of the enterprise application?",
      changes: [.registration("isAssignmentRequired=yes")], call: .interactive,
      mends: [
        .registration(
          "assigned+=$user",
          "Enterprise applications › the app › Users and groups: assign the user or a group."),
        .registration(
          "isAssignmentRequired=no",
          "Enterprise applications › the app › Properties: switch “Assignment required?” off."),
      ]),
    Cause(
      name: "redirect-uri-of-a-page", codes: [AADSTSCode.crossOriginRequired.text],
      text: "The redirect URI is registered as single-page application.",
      question: "Under which platform is $redirect registered?",
      changes: [.registration("$redirects="), .registration("spaRedirectURIs=$redirect")],
      call: .interactive,
      mends: [.redirectURIMoved(from: "Single-page application", "spaRedirectURIs")]),
    Cause(
      name: "scopes-declined", codes: [MSALCode.serverDeclinedScopes.text],
      text: "The provider grants fewer scopes than the call asks for.",
      question: "Which scopes does MSALDeclinedScopesKey list?",
      changes: [.registration("declinedScopes=Mail.Read")],
      call: .interactive(scopes: ["User.Read", "Mail.Read"]),
      mends: [
        .call(
          .interactive(scopes: ["User.Read"]),
          "Ask only for the scopes in MSALGrantedScopesKey, or repeat the call with them."),
        .registration("declinedScopes=", "The provider grants the scope again."),
      ]),
    scopesDeclinedSilently("scopes-declined-silently", MSALCode.serverDeclinedScopes.text, [.app]),
    Cause(
      name: "administrator-consent-needed",
      codes: [AADSTSCode.adminConsentRequired.text, MSALCode.userCanceled.text],
      text: "Only an administrator may consent to a scope of the call.",
      question: "Did the page say “Need admin approval”?",
      changes: [.registration("adminOnlyScopes=$scope")], call: .interactive,
      mends: [
        .registration(
          "isPreauthorized=yes",
          "An administrator grants consent for the organisation: App registrations › API permissions › Grant admin consent."
        ),
        .registration("adminOnlyScopes=", "The organisation lets users consent to the scope themselves."),
      ]),
    Cause(
      name: "resource-unknown",
      codes: [AADSTSCode.resourceNotFound.text, OAuthErrorCode.invalidResource.text],
      text: "The API whose scope the call asks for is not in the tenant.",
      question: "Is the API registered, or consented to, in the tenant that signs in?",
      call: .interactive(scopes: ["$unknownScope"]),
      mends: [
        .call(
          .interactive(scopes: ["User.Read"]),
          "Correct the App ID URI in the scope, as “Expose an API” of the API's registration shows it."),
        Mend(
          kind: .registration, text: "Register the API in the tenant, with the App ID URI of the scope.",
          steps: [
            [
              "add": [
                "registration": "$resourceID", "fields": ["identifierURIs=$resource"],
              ]
            ]
          ]),
      ]),
    Cause(
      name: "scope-unknown", codes: [AADSTSCode.scopeNotFound.text],
      text: "The API does not have the scope that the call asks for.",
      question: "Is the scope spelt as the API's registration spells it?",
      call: .interactive(scopes: ["$misspelt"]),
      mends: [.call(.interactive(scopes: ["User.Read"]), "Correct the spelling of the scope.")]),
    Cause(
      name: "scope-not-registered", codes: [AADSTSCode.scopeInvalid.text, OAuthErrorCode.invalidScope.text],
      text: "The registration does not allow the scope.",
      question: "Does the registration list the scope under API permissions?",
      changes: [.registration("allowedScopes=User.Read")], call: .interactive(scopes: ["Mail.Read"]),
      mends: [
        .registration("allowedScopes+=Mail.Read", "App registrations › API permissions: add the scope."),
        .call(.interactive(scopes: ["User.Read"]), "Ask only for scopes that the registration lists."),
      ]),
    Cause(
      name: "consent-missing", codes: [AADSTSCode.consentMissing.text],
      text: "The scopes of the silent call have no consent.",
      question: "Do the scopes of the silent call differ from the scopes of the sign-in?",
      before: [.signIn], call: .silent(scopes: ["$newScope"]),
      mends: [
        .call(
          .interactive(scopes: ["$newScope"]),
          "When the silent call reports that interaction is required, acquire the token interactively with the same scopes, "
            + "so that the user can consent."),
        .consentByAdministrator,
      ]),
  ]

  /// The cause that a refresh gets fewer scopes than the sign-in got.
  static func scopesDeclinedSilently(_ name: String, _ code: String, _ callers: [Caller]) -> Cause {
    let asked: YAMLValue = ["User.Read", "Mail.Read"]
    let refresh = Call.refresh.with("scopes", asked)
    func set(_ scopes: YAMLValue) -> YAMLValue {
      ["set": ["registration": "$client", "fields": [scopes]]]
    }
    return Cause(
      name: name, codes: [code],
      text: "The provider no longer grants a scope of the sign-in when the token is refreshed.",
      question: "Was the consent to a scope withdrawn after the sign-in?", callers: callers,
      before: [
        .action("The user signs in", ["signIn": ["app": "$app", "scopes": asked]]),
        .action("A scope is withdrawn", set("declinedScopes=Mail.Read")),
      ], call: refresh,
      mends: [
        .call(.silent(scopes: ["User.Read"]), "Ask silently only for the granted scopes."),
        Mend(
          kind: .registration, text: "The provider grants the scope again.", steps: [set("declinedScopes=")],
          moment: .beforeCall),
      ])
  }

  // MARK: The directory

  private static let ofTheDirectory: [Cause] = [
    Cause(
      name: "not-a-guest", codes: [AADSTSCode.accountNotInTenant.text],
      text: "The authority names an organisation in which the user has no account.",
      question: "Does the user belong to another organisation than the one in the authority?",
      changes: [.otherTenant, .app("authority=$otherAuthority")],
      call: .interactive.answeringUntilRefused, mends: [.useCommonAuthority, .inviteGuest]),
    Cause(
      name: "device-deleted", codes: [AADSTSCode.deviceNotFound.text],
      text:
        "The device from which the user signed in was deleted from the directory, and a policy asks for it.",
      question: "Does Entra › Devices list the device?", callers: [.app], changes: [.broker],
      before: [
        .action(
          "A policy asks for the device", ["policy": ["name": "Policy", "requires": "registeredDevice"]]),
        .signIn, .action("An administrator deletes the device", ["unregisterDevice": .map([])]),
      ], call: .refresh,
      mends: [
        .call(
          .interactive,
          "Acquire the token interactively: $interactively. The broker asks for the password, and registers the device again."
        )
      ]),
    Cause(
      name: "tenant-unknown", codes: [AADSTSCode.tenantNotFound.text],
      text: "There is no tenant with the ID or the domain in the authority.",
      question: "Is the tenant ID in the authority the Directory (tenant) ID of the overview?",
      changes: [.app("authority=$missingAuthority")], call: .interactive,
      mends: [.correctTenant]),
    Cause(
      name: "account-unknown", codes: [AADSTSCode.accountNotFound.text],
      text: "The directory has no account with the username that was typed.",
      question: "Was the account deleted or renamed, or does it belong to another organisation?",
      call: .interactive.answering(["username": "nobody@$domain", "cancel": true]),
      mends: [
        Mend(
          kind: .account, text: "Sign in with a username that the directory has.", call: .interactive)
      ]),
  ]

  // MARK: The user

  private static let ofThePerson: [Cause] = [
    Cause(
      name: "cancelled",
      codes: [
        MSALCode.userCanceled.text, IdentityCoreCode.userCancel.text, "user_cancelled",
        "authentication_canceled", OAuthErrorCode.accessDenied.text,
      ],
      text: "The user closed the sign-in.",
      question: "Did the user close the sign-in without an error on the page?",
      call: .interactive.answering(["cancel": true]),
      mends: [
        .call(
          .interactive, "Nothing is wrong: the user signs in, and the app handles a cancelled sign-in.")
      ]),
    Cause(
      name: "consent-declined", codes: [AADSTSCode.consentDeclined.text, OAuthErrorCode.accessDenied.text],
      text: "The user did not consent.", question: "Did the user decline on the consent page?",
      call: .interactive.answering(["username": "$user", "password": "$password", "consent": "decline"]),
      mends: [
        .call(.interactive, "The user accepts the permissions."), .consentByAdministrator,
      ]),
    Cause(
      name: "password-forgotten", codes: [B2CCode.passwordForgotten.text],
      text: "The user followed the link for a forgotten password on a page of Azure AD B2C.",
      question: "Does the app open the user flow for the reset when it receives this error?",
      changes: [.app("authority=$userFlow")], call: .interactive.answering(["forgotPassword": true]),
      mends: [
        .call(
          .interactive,
          "Open the user flow for the reset when the error is AADB2C90118, or use a sign-in flow with the reset built in; "
            + "then the user signs in.")
      ]),
    Cause(
      name: "user-flow-cancelled", codes: [B2CCode.userCancelled.text],
      text: "The user left a page of an Azure AD B2C user flow.",
      question: "Did the user press Cancel on a page of the user flow?",
      changes: [.app("authority=$userFlow")], call: .interactive.answering(["cancel": true]),
      mends: [.call(.interactive, "Nothing is wrong: show your own page again, and the user signs in.")]),
    Cause(
      name: "password-expired", codes: [AADSTSCode.passwordExpired.text],
      text: "The password of the account has expired.", question: "Did the page ask for a new password?",
      changes: [.person("hasExpiredPassword=yes")],
      call: .interactive.answering(["username": "$user", "password": "$password", "cancel": true]),
      mends: [
        Mend(
          kind: .account, text: "The user signs in on a page where they can change the password.",
          steps: [["set": ["person": "$user", "fields": ["hasExpiredPassword=no"]]]], moment: .start,
          call: .interactive)
      ]),
    Cause(
      name: "second-factor-refused", codes: [AADSTSCode.mfaFailed.text],
      text: "The second factor was wrong or declined, and the user then closed the page.",
      question: "Did the user decline the request of the authenticator, or not answer it?",
      changes: [.person("requiresMFA=yes")],
      call: .interactive.answering([
        "username": "$user", "password": "$password", "verification": "0", "cancel": true,
      ]),
      mends: [
        .call(
          .interactive.answering([
            "username": "$user", "password": "$password", "verification": "shown", "consent": "accept",
          ]), "The user approves the request with the number that the page shows.")
      ]),
    Cause(
      name: "wrong-password", codes: [AADSTSCode.wrongPassword.text],
      text: "The user typed a wrong password, and then closed the page.",
      question: "Did the page say that the account or password is incorrect?",
      call: .interactive.answering(["username": "$user", "password": "not-the-password", "cancel": true]),
      mends: [.call(.interactive, "The user types the right password.")]),
  ]
}
