import Foundation
import SSODoctor

/// One mistake in an otherwise correct project.
package struct XcodeMistake: CustomStringConvertible, Sendable {
  package var rule: DoctorRule
  package var severity = DoctorCheck.Severity.fails
  package var code: String?
  /// The end of the place, as file and line.
  package var place: String
  package var what: String
  package var make: @Sendable (inout XcodeFixture) -> Void

  package var description: String { what }

  package static let all: [XcodeMistake] = [
    XcodeMistake(
      rule: .clientType, code: "AADSTS7000218", place: "registration.json:11",
      what: "1: the redirect URI is registered for Web"
    ) {
      $0.registration = $0.registration.replacing("\n      \"msauth.com.contoso.mail://auth\",", with: "")
        .replacing("\"https://contoso.example/callback\"", with: "\"msauth.com.contoso.mail://auth\"")
    },
    XcodeMistake(
      rule: .keychainGroup, code: "-34018", place: "Mail/Mail.entitlements:5",
      what: "2: another group is entitled"
    ) {
      $0.replace("com.microsoft.adalcache", with: "com.contoso.shared", in: "Mail/Mail.entitlements")
    },
    XcodeMistake(
      rule: .keychainGroup, code: "-34018", place: "project.pbxproj:20",
      what: "2: the entitlements file is named by no setting"
    ) {
      $0.replace("\tCODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements;\n", with: "", in: projectFile)
    },
    XcodeMistake(
      rule: .spaRedirect, code: "AADSTS9002327", place: "registration.json:12",
      what: "3: the redirect URI is registered for a single-page application"
    ) {
      $0.registration = $0.registration.replacing("\n      \"msauth.com.contoso.mail://auth\",", with: "")
        .replacing(
          "\"spa\": { \"redirectUris\": [] }",
          with: "\"spa\": { \"redirectUris\": [\"msauth.com.contoso.mail://auth\"] }")
    },
    XcodeMistake(
      rule: .urlScheme, code: "-42001", place: "Mail/Info.plist:12", what: "4: the scheme has another case"
    ) {
      $0.replace(
        "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth.com.contoso.Mail", in: "Mail/Info.plist")
    },
    XcodeMistake(
      rule: .urlScheme, code: "-42001", place: "Calendar/Info.plist:11",
      what: "4: no default scheme is registered"
    ) {
      $0.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "contoso", in: "Calendar/Info.plist")
    },
    XcodeMistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:5",
      what: "5: nobody hands the answer on"
    ) {
      $0.replace(
        "MSALPublicClientApplication.handleMSALResponse", with: "log", in: "Mail/SceneDelegate.swift")
    },
    XcodeMistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:7",
      what: "5: only with a source application"
    ) {
      $0.replace(
        "    MSALPublic",
        with: "    guard let source = context.options.sourceApplication else { return }\n    MSALPublic",
        in: "Mail/SceneDelegate.swift")
    },
    XcodeMistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:2",
      what: "5: a scene delegate without a method"
    ) {
      $0.files["Mail/SceneDelegate.swift"] =
        "import MSAL\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"
    },
    XcodeMistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:6",
      what: "5: the app delegate hands on, and the app has scenes"
    ) {
      $0.files["Mail/SceneDelegate.swift"] = """
        import MSAL
        class AppDelegate: UIResponder, UIApplicationDelegate {
          func application(
            _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
          ) -> Bool {
            MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
          }
        }
        """
    },
    XcodeMistake(
      rule: .brokerUnused, severity: .worksInSomeCases, place: "Mail/SignIn.swift:10",
      what: "6: the broker is switched off"
    ) {
      $0.replace(
        "  guard let url", with: "  MSALGlobalConfig.brokerAvailability = .none\n  guard let url",
        in: "Mail/SignIn.swift")
    },
    XcodeMistake(
      rule: .brokerUnused, code: "-42001", place: "Mail/SignIn.swift:13", what: "6: the sample's redirect URI"
    ) {
      $0.replace("\\(Bundle.main.bundleIdentifier!)", with: "com.microsoft.sample", in: "Mail/SignIn.swift")
      $0.registration = $0.registration.replacing(
        "msauth.com.contoso.mail:", with: "msauth.com.microsoft.sample:")
    },
    XcodeMistake(
      rule: .querySchemes, code: "-42001", place: "Mail/Info.plist:17", what: "8: msauthv3 is missing"
    ) {
      $0.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    },
    XcodeMistake(
      rule: .authority, code: "-42010", place: "Mail/SignIn.swift:6",
      what: "10: the authority's host is not known"
    ) {
      $0.replace("login.microsoftonline.com", with: "login.microsoft0nline.com", in: "Mail/SignIn.swift")
    },
    XcodeMistake(
      rule: .authority, code: "-42008", place: "Mail/SignIn.swift:6",
      what: "10: B2C that is not declared as known"
    ) {
      $0.replace(
        "https://login.microsoftonline.com/common",
        with: "https://contoso.b2clogin.com/contoso.com/b2c_1_signin",
        in: "Mail/SignIn.swift")
      $0.replace("MSALAADAuthority", with: "MSALB2CAuthority", in: "Mail/SignIn.swift")
    },
    XcodeMistake(
      rule: .oldRedirect, severity: .worksInSomeCases, place: "Mail/SignIn.swift:13",
      what: "12: the old redirect URI, with personal accounts"
    ) {
      $0.useOldRedirect(authority: "consumers")
      $0.registration = $0.registration.replacing(
        "AzureADMultipleOrgs", with: "AzureADandPersonalMicrosoftAccount")
    },
    XcodeMistake(
      rule: .oldRedirect, code: "-42011", place: "Mail/SignIn.swift:13",
      what: "12: the old redirect URI, with Azure AD"
    ) {
      $0.useOldRedirect(authority: "common")
    },
    XcodeMistake(
      rule: .intuneRedirect, code: "-42001", place: "Mail/Info.plist:26",
      what: "13: Intune has another redirect URI"
    ) {
      $0.replace(
        "  <key>UIApplicationSceneManifest</key>",
        with: "  <key>IntuneMAMSettings</key>\n  <dict>\n    <key>ADALRedirectUri</key>\n\n\n"
          + "    <string>msauth.com.contoso.other://auth</string>\n  </dict>\n  <key>UIApplicationSceneManifest</key>",
        in: "Mail/Info.plist")
    },
    XcodeMistake(
      rule: .macTeam, code: "-50000", place: "Mail/SignIn.swift:13",
      what: "14: an app for macOS without a team"
    ) {
      $0.buildForMac()
      guard let project = $0.files[projectFile], let next = project.range(of: "B01 /*") else { return }
      let mail = project[..<next.lowerBound].replacing("\tDEVELOPMENT_TEAM = A1B2C3D4E5;\n", with: "")
      $0.files[projectFile] = String(mail) + project[next.lowerBound...]
    },
    XcodeMistake(
      rule: .redirectRegistered, code: "AADSTS50011", place: "Mail/SignIn.swift:13",
      what: "the redirect URI is not registered"
    ) {
      $0.registration = $0.registration.replacing(
        "msauth.com.contoso.mail://auth", with: "msauth.com.contoso.Mail://auth")
    },
    XcodeMistake(
      rule: .audience, code: "AADSTS50194", place: "Mail/SignIn.swift:6",
      what: "a registration for one tenant, and common"
    ) {
      $0.registration = $0.registration.replacing("AzureADMultipleOrgs", with: "AzureADMyOrg")
      $0.replace("/organizations", with: "/contoso.com", in: "Calendar/SignIn.m")
    },
    XcodeMistake(
      rule: .placeholder, severity: .notFilledIn, place: "Mail/SignIn.swift:5", what: "the sample's client ID"
    ) {
      $0.replace(XcodeFixture.clientID, with: "Enter_the_Application_Id_Here", in: "Mail/SignIn.swift")
    },
  ]

  package static let projectFile = "Suite.xcodeproj/project.pbxproj"
}
