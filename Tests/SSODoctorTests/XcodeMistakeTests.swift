import Foundation
import Testing

@testable import SSODoctor

/// One mistake in an otherwise correct project leads to exactly one finding, at its line and with its code.
@Suite struct XcodeMistakeTests {
  @Test func aCleanPairOfAppsHasNoFinding() throws {
    let diagnosis = try XcodeFixture().diagnosis()
    #expect(diagnosis.findings.map(\.rule) == [])
    #expect(diagnosis.unread == [])
    #expect(diagnosis.apple.map(\.name) == ["Mail", "Calendar"])
    #expect(diagnosis.apple.map(\.clientID?.value) == [XcodeFixture.clientID, XcodeFixture.clientID])
    #expect(
      diagnosis.apple.map(\.source?.redirectURI.found?.value) == ["msauth.com.contoso.mail://auth", nil])
    #expect(
      diagnosis.apple.map(\.source?.authority.found?.value) == [
        "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/organizations",
      ])
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    var rule: DoctorRule
    var severity = DoctorCheck.Severity.fails
    var code: String?
    /// The end of the place, as file and line.
    var place: String
    var what: String
    var make: @Sendable (inout XcodeFixture) -> Void

    var testDescription: String { what }
  }

  static let mistakes: [Mistake] = [
    Mistake(
      rule: .clientType, code: "AADSTS7000218", place: "registration.json:11",
      what: "1: the redirect URI is registered for Web"
    ) {
      $0.registration = $0.registration.replacing("\n      \"msauth.com.contoso.mail://auth\",", with: "")
        .replacing("\"https://contoso.example/callback\"", with: "\"msauth.com.contoso.mail://auth\"")
    },
    Mistake(
      rule: .keychainGroup, code: "-34018", place: "Mail/Mail.entitlements:5",
      what: "2: another group is entitled"
    ) {
      $0.replace("com.microsoft.adalcache", with: "com.contoso.shared", in: "Mail/Mail.entitlements")
    },
    Mistake(
      rule: .keychainGroup, code: "-34018", place: "project.pbxproj:20",
      what: "2: the entitlements file is named by no setting"
    ) {
      $0.replace("\tCODE_SIGN_ENTITLEMENTS = Mail/Mail.entitlements;\n", with: "", in: projectFile)
    },
    Mistake(
      rule: .spaRedirect, code: "AADSTS9002327", place: "registration.json:12",
      what: "3: the redirect URI is registered for a single-page application"
    ) {
      $0.registration = $0.registration.replacing("\n      \"msauth.com.contoso.mail://auth\",", with: "")
        .replacing(
          "\"spa\": { \"redirectUris\": [] }",
          with: "\"spa\": { \"redirectUris\": [\"msauth.com.contoso.mail://auth\"] }")
    },
    Mistake(
      rule: .urlScheme, code: "-42001", place: "Mail/Info.plist:12", what: "4: the scheme has another case"
    ) {
      $0.replace(
        "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msauth.com.contoso.Mail", in: "Mail/Info.plist")
    },
    Mistake(
      rule: .urlScheme, code: "-42001", place: "Calendar/Info.plist:11",
      what: "4: no default scheme is registered"
    ) {
      $0.replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "contoso", in: "Calendar/Info.plist")
    },
    Mistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:5",
      what: "5: nobody hands the answer on"
    ) {
      $0.replace(
        "MSALPublicClientApplication.handleMSALResponse", with: "log", in: "Mail/SceneDelegate.swift")
    },
    Mistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:7",
      what: "5: only with a source application"
    ) {
      $0.replace(
        "    MSALPublic",
        with: "    guard let source = context.options.sourceApplication else { return }\n    MSALPublic",
        in: "Mail/SceneDelegate.swift")
    },
    Mistake(
      rule: .callback, code: "-42700", place: "Mail/SceneDelegate.swift:2",
      what: "5: a scene delegate without a method"
    ) {
      $0.files["Mail/SceneDelegate.swift"] =
        "import MSAL\nclass SceneDelegate: UIResponder, UIWindowSceneDelegate {}\n"
    },
    Mistake(
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
    Mistake(
      rule: .brokerUnused, severity: .worksInSomeCases, place: "Mail/SignIn.swift:10",
      what: "6: the broker is switched off"
    ) {
      $0.replace(
        "  guard let url", with: "  MSALGlobalConfig.brokerAvailability = .none\n  guard let url",
        in: "Mail/SignIn.swift")
    },
    Mistake(
      rule: .brokerUnused, code: "-42001", place: "Mail/SignIn.swift:13", what: "6: the sample's redirect URI"
    ) {
      $0.replace("\\(Bundle.main.bundleIdentifier!)", with: "com.microsoft.sample", in: "Mail/SignIn.swift")
      $0.registration = $0.registration.replacing(
        "msauth.com.contoso.mail:", with: "msauth.com.microsoft.sample:")
    },
    Mistake(
      rule: .querySchemes, code: "-42001", place: "Mail/Info.plist:17", what: "8: msauthv3 is missing"
    ) {
      $0.replace("    <string>msauthv3</string>\n", with: "", in: "Mail/Info.plist")
    },
    Mistake(
      rule: .authority, code: "-42010", place: "Mail/SignIn.swift:6",
      what: "10: the authority's host is not known"
    ) {
      $0.replace("login.microsoftonline.com", with: "login.microsoft0nline.com", in: "Mail/SignIn.swift")
    },
    Mistake(
      rule: .authority, code: "-42008", place: "Mail/SignIn.swift:6",
      what: "10: B2C that is not declared as known"
    ) {
      $0.replace(
        "https://login.microsoftonline.com/common",
        with: "https://contoso.b2clogin.com/contoso.com/b2c_1_signin",
        in: "Mail/SignIn.swift")
      $0.replace("MSALAADAuthority", with: "MSALB2CAuthority", in: "Mail/SignIn.swift")
    },
    Mistake(
      rule: .oldRedirect, severity: .worksInSomeCases, place: "Mail/SignIn.swift:13",
      what: "12: the old redirect URI, with personal accounts"
    ) {
      $0.useOldRedirect(authority: "consumers")
    },
    Mistake(
      rule: .oldRedirect, code: "-42011", place: "Mail/SignIn.swift:13",
      what: "12: the old redirect URI, with Azure AD"
    ) {
      $0.useOldRedirect(authority: "common")
    },
    Mistake(
      rule: .intuneRedirect, code: "-42001", place: "Mail/Info.plist:26",
      what: "13: Intune has another redirect URI"
    ) {
      $0.replace(
        "  <key>UIApplicationSceneManifest</key>",
        with: "  <key>IntuneMAMSettings</key>\n  <dict>\n    <key>ADALRedirectUri</key>\n\n\n"
          + "    <string>msauth.com.contoso.other://auth</string>\n  </dict>\n  <key>UIApplicationSceneManifest</key>",
        in: "Mail/Info.plist")
    },
    Mistake(
      rule: .macTeam, code: "-50000", place: "Mail/SignIn.swift:13",
      what: "14: an app for macOS without a team"
    ) {
      $0.buildForMac()
      guard let project = $0.files[projectFile], let next = project.range(of: "B01 /*") else { return }
      let mail = project[..<next.lowerBound].replacing("\tDEVELOPMENT_TEAM = A1B2C3D4E5;\n", with: "")
      $0.files[projectFile] = String(mail) + project[next.lowerBound...]
    },
    Mistake(
      rule: .redirectRegistered, code: "AADSTS50011", place: "Mail/SignIn.swift:13",
      what: "the redirect URI is not registered"
    ) {
      $0.registration = $0.registration.replacing(
        "msauth.com.contoso.mail://auth", with: "msauth.com.contoso.Mail://auth")
    },
    Mistake(
      rule: .audience, code: "AADSTS50194", place: "Mail/SignIn.swift:6",
      what: "a registration for one tenant, and common"
    ) {
      $0.registration = $0.registration.replacing("AzureADMultipleOrgs", with: "AzureADMyOrg")
      $0.replace("/organizations", with: "/contoso.com", in: "Calendar/SignIn.m")
    },
    Mistake(
      rule: .placeholder, severity: .notFilledIn, place: "Mail/SignIn.swift:5", what: "the sample's client ID"
    ) {
      $0.replace(XcodeFixture.clientID, with: "Enter_the_Application_Id_Here", in: "Mail/SignIn.swift")
    },
  ]

  private static let projectFile = "Suite.xcodeproj/project.pbxproj"

  @Test(arguments: mistakes)
  func oneMistakeIsOneFinding(_ mistake: Mistake) throws {
    var fixture = XcodeFixture()
    mistake.make(&fixture)
    let findings = try fixture.diagnosis().findings
    #expect(findings.map(\.rule) == [mistake.rule], "\(findings)")
    let finding = try #require(findings.first)
    #expect(finding.severity == mistake.severity)
    #expect(finding.refusal?.code == mistake.code)
    #expect(finding.place.description.hasSuffix("/" + mistake.place), "\(finding.place)")
    #expect(mistake.code == nil || !finding.explanations.isEmpty)
    #expect(mistake.severity == .notFilledIn || finding.fix?.isEmpty == false)
  }

  /// Each rule has its row in the document, with the same number of reports.
  @Test func theDocumentListsEveryRule() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/behaviour/real-apps.md").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    var reports: [String: String] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells: [String] = line.split(separator: "|").map { String($0).trimmed }
      guard cells.count >= 4 else { continue }
      reports[cells[0].replacing("`", with: "")] = cells[3]
    }
    #expect(Set(reports.keys).isSuperset(of: DoctorRule.all.map(\.name)))
    for rule in DoctorRule.all {
      let count = rule.reports.map { "\($0)" } ?? ""
      #expect(reports[rule.name] == count, "\(rule.name)")
    }
  }

  /// macOS checks neither the scheme nor the query schemes, and has its own rule.
  @Test func aMacAppWithoutTeamNeedsTheRedirectURIOfUnsignedApps() throws {
    var fixture = XcodeFixture()
    fixture.buildForMac()
    fixture.replace("msauthv3", with: "other", in: "Mail/Info.plist")
    #expect(try fixture.diagnosis().findings.map(\.rule) == [])
    fixture.replace("\tDEVELOPMENT_TEAM = A1B2C3D4E5;\n", with: "", in: Self.projectFile)
    #expect(try fixture.diagnosis().findings.map(\.rule) == [.macTeam, .macTeam])
  }

  @Test func aProjectWithoutMSALIsPassedOver() throws {
    var fixture = XcodeFixture()
    for file in [
      "Mail/SignIn.swift", "Mail/SceneDelegate.swift", "Calendar/SignIn.m", "Calendar/SceneDelegate.swift",
    ] {
      fixture.files[file] = "import UIKit\n"
    }
    // This is only with a library that the app does not link.
    fixture.files["Mail/SignIn.swift"] = "#if canImport(MSAL)\nimport MSAL\n#endif\n"
    let diagnosis = try fixture.inFolder { try Doctor.examine([$0]) }
    #expect(diagnosis.isEmpty && diagnosis.checks.isEmpty)
  }

  @Test func anotherConfigurationIsJudgedOnlyWhereItDiffers() throws {
    var fixture = XcodeFixture()
    let project = try #require(fixture.files[Self.projectFile])
    let debug = try #require(project.range(of: "com.contoso.mail;"))
    fixture.files[Self.projectFile] = project.replacingCharacters(in: debug, with: "com.contoso.mail.debug;")
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.apple.map(\.subject) == ["Mail", "Mail (Debug)", "Calendar"])
    #expect(diagnosis.findings.map(\.rule) == [.redirectRegistered])
    #expect(diagnosis.findings.map(\.subject) == ["Mail (Debug)"])
  }

  @Test func aFileThatIsNamedAndMissingIsToldAndNotGuessed() throws {
    var fixture = XcodeFixture()
    fixture.files["Mail/Info.plist"] = nil
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.findings.map(\.rule) == [])
    #expect(diagnosis.unread.map(\.path.lastName) == ["Info.plist"])
  }
}

extension XcodeFixture {
  fileprivate mutating func buildForMac() {
    replace("SDKROOT = iphoneos", with: "SDKROOT = macosx", in: "Suite.xcodeproj/project.pbxproj")
    for file in ["Mail/Mail.entitlements", "Calendar/Calendar.entitlements"] {
      replace("com.microsoft.adalcache", with: "com.microsoft.identity.universalstorage", in: file)
    }
  }

  /// Uses a redirect URI of MSAL 0.x that is registered everywhere.
  fileprivate mutating func useOldRedirect(authority: String) {
    let uri = "msal\(Self.clientID)://auth"
    replace("msauth.\\(Bundle.main.bundleIdentifier!)://auth", with: uri, in: "Mail/SignIn.swift")
    replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msal\(Self.clientID)", in: "Mail/Info.plist")
    replace("/common", with: "/" + authority, in: "Mail/SignIn.swift")
    registration = registration.replacing("msauth.com.contoso.mail://auth", with: uri)
  }
}

extension String {
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
