import DoctorTestSupport
import Testing

@testable import SSODoctor

/// If only a part of a project can be read, that part is checked, and the doctor says what it does not read.
@Suite struct ProjectNoteTests {
  /// An Info.plist without `msauthv3`.
  private static let brokenInfo = XcodeFixture.info("com.contoso.mail").replacing(
    "    <string>msauthv3</string>\n", with: "")

  private static func diagnosis(_ files: [String: String]) throws -> Diagnosis {
    try withFolder(of: files) { try Doctor.examine([$0]) }
  }

  @Test func xcodeGensFilesAreCheckedWithoutItsProject() throws {
    let files = [
      "project.yml": """
      name: Mail
      targets:
        Mail:
          type: application
          settings: { base: { PRODUCT_BUNDLE_IDENTIFIER: com.contoso.mail } }
      """,
      "Mail/Info.plist": Self.brokenInfo, "Mail/Mail.entitlements": XcodeFixture.entitlements,
      "Mail/SignIn.swift": XcodeFixture.signIn, "Mail/SceneDelegate.swift": XcodeFixture.sceneDelegate,
    ]
    let diagnosis = try Self.diagnosis(files)
    #expect(diagnosis.notes.map(\.kind) == [.xcodeGen])
    #expect(diagnosis.apple.map(\.bundleID?.value) == ["com.contoso.mail"])
    #expect(diagnosis.findings.map(\.rule) == [.querySchemes], "\(diagnosis.findings)")
    #expect(diagnosis.findings.first?.place.path.hasSuffix("Mail/Info.plist") == true)
    // If a generated project exists, project.yml is ignored.
    let made = try withFolder(of: XcodeFixture().files.merging(files) { $1 }) { try Doctor.examine([$0]) }
    #expect(made.notes == [] && made.apple.map(\.name) == ["Mail", "Calendar"])
  }

  @Test func xcodeGensSourcesAreCheckedWithoutAnInfoFile() throws {
    let diagnosis = try Self.diagnosis([
      "project.yml": "name: Mail\ntargets:\n  Mail:\n    type: application\n",
      "Mail/SignIn.swift": XcodeFixture.signIn,
    ])
    #expect(diagnosis.findings.map(\.rule) == [.callback], "\(diagnosis.findings)")
  }

  /// The folder in which the program runs is `.`, and the article on ADAL names its file `entitlements.plist`.
  @Test func theFilesOfABareFolderAreRead() throws {
    let note = ProjectNote(kind: .folder, place: FilePlace("."))
    #expect(ProjectNote.containing("./Info.plist", [note]) == note)
    #expect(ProjectNote.containing("/elsewhere/Info.plist", [note]) == nil)
    let diagnosis = try Self.diagnosis([
      "Info.plist": XcodeFixture.info("com.contoso.mail").replacing(
        "$(PRODUCT_BUNDLE_IDENTIFIER)", with: "com.contoso.mail"),
      "entitlements.plist": XcodeFixture.entitlements,
      "SignIn.swift": XcodeFixture.signIn,
    ])
    #expect(diagnosis.apple.map(\.bundleID?.value) == ["com.contoso.mail"])
    #expect(diagnosis.apple.first?.urlSchemes != nil && diagnosis.apple.first?.entitlements != .unread)
  }

  @Test func mauisPropertyListsAreChecked() throws {
    let diagnosis = try Self.diagnosis([
      "Mail/Mail.csproj": """
      <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><UseMaui>true</UseMaui>
      <ApplicationId>com.contoso.mail</ApplicationId></PropertyGroup>
      <ItemGroup><PackageReference Include="Microsoft.Identity.Client" Version="4.66.0" /></ItemGroup></Project>
      """,
      "Mail/Platforms/iOS/Info.plist": Self.brokenInfo.replacing(
        "$(PRODUCT_BUNDLE_IDENTIFIER)", with: "com.contoso.mail"),
      "Mail/Platforms/iOS/Entitlements.plist": XcodeFixture.entitlements,
    ])
    #expect(diagnosis.notes.map(\.kind) == [.maui])
    #expect(diagnosis.findings.map(\.rule) == [.querySchemes], "\(diagnosis.findings)")
    #expect(diagnosis.subjects.first?.notSeen?.contains("Microsoft.Identity.Client") == true)
  }

  /// A solution of Uno has many projects for iOS and Android, about which there is one thing to say.
  @Test func projectsOfOneKindAreOneLine() throws {
    let project =
      "<Project Sdk=\"Uno.Sdk\"><TargetFrameworks>net9.0-android;net9.0-ios</TargetFrameworks></Project>"
    let notes = try Self.diagnosis(["A/A.csproj": project, "B/B.csproj": project, "C/C.csproj": project])
      .notes
    #expect(notes.count == 3 && notes.lines.count == 1)
    #expect(notes.lines.first?.contains("A/A.csproj and 2 more: .NET MAUI or Uno: Info.plist") == true)
  }

  /// Only the library's own code uses MSAL; the app's project does not mention it.
  @Test(arguments: [
    (
      ProjectNote.Kind.flutter, "pubspec.yaml",
      "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.1.0\n"
    ),
    (
      .reactNative, "package.json",
      #"{ "dependencies": { "react-native": "0.76.0", "react-native-msal": "^4.0.0" } }"#
    ),
    (
      .capacitor, "package.json",
      #"{ "dependencies": { "@capacitor/core": "6.0.0", "@recognizebv/capacitor-plugin-msauth": "^4" } }"#
    ),
  ])
  func theFilesOfALibrarysAppAreChecked(_ kind: ProjectNote.Kind, _ file: String, _ text: String) throws {
    var files = [file: text]
    for (path, text) in XcodeFixture().files { files["ios/" + path] = text }
    for (path, text) in AndroidFixture().files where path.hasPrefix("app/") {
      files["android/" + path] = text
    }
    let code = "import UIKit\nclass AppDelegate {}\n"
    files["ios/Mail/SignIn.swift"] = code
    files["ios/Mail/SceneDelegate.swift"] = code
    files["ios/Calendar/SignIn.m"] = "#import <UIKit/UIKit.h>"
    files["ios/Calendar/SceneDelegate.swift"] = code
    files["ios/Mail/Info.plist"] = Self.brokenInfo
    let diagnosis = try Self.diagnosis(files)
    #expect(diagnosis.notes.map(\.kind) == [kind])
    #expect(diagnosis.apple.map(\.name) == ["Mail", "Calendar"])
    #expect(diagnosis.android.map(\.packageName?.value) == ["com.contoso.notes"])
    let rules = Set(diagnosis.findings.filter { $0.subject == "Mail" }.map(\.rule))
    #expect(rules == [.querySchemes, .callback], "\(diagnosis.findings)")
  }

  /// The same project without the library: there are no findings for the apps.
  @Test func aProjectWithoutMSALHasNoFindings() throws {
    let diagnosis = try Self.diagnosis([
      "package.json": #"{ "dependencies": { "react-native": "0.76.0" } }"#,
      "ios/Suite.xcodeproj/project.pbxproj": XcodeFixture().files["Suite.xcodeproj/project.pbxproj"] ?? "",
      "ios/Mail/Info.plist": XcodeFixture.info("com.contoso.mail"),
      "ios/Mail/SignIn.swift": "import UIKit",
    ])
    #expect(diagnosis.isEmpty && diagnosis.checks == [] && diagnosis.notes == [])
  }

  /// Two apps with unknown client IDs are not reported as having the same one.
  @Test func appsWithoutAClientIDAreNotCompared() throws {
    var fixture = XcodeFixture()
    fixture.replace("\"\(XcodeFixture.clientID)\"", with: "Secrets.load()", in: "Mail/SignIn.swift")
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.apple.compactMap(\.clientID).count == 1)
    #expect(diagnosis.comparableApps(clientID: nil).apps.count < 2)
  }

  @Test func aWebAppWithoutItsEnvironmentFileSaysWhatWasLookedFor() throws {
    let diagnosis = try Self.diagnosis([
      "package.json": #"{ "name": "portal", "dependencies": { "@azure/msal-angular": "^3.0.0" } }"#,
      "src/app.ts": """
      import { environment } from './environments/environment';
      export const app = new PublicClientApplication({ auth: { clientId: environment.clientId } });
      """,
    ])
    let words = try #require(diagnosis.subjects.first?.notSeen)
    #expect(words.contains("src/app.ts:2 sets clientId"), "\(words)")
    #expect(words.contains("src/environments"), "\(words)")
  }

  /// If one of two projects cannot be read, the other is checked, and the file is named.
  @Test func aProjectThatCannotBeReadDoesNotHideTheOther() throws {
    var files = XcodeFixture().files
    files["Old/Old.xcodeproj/project.pbxproj"] = "{ objects = "
    let diagnosis = try Self.diagnosis(files)
    #expect(diagnosis.apple.map(\.name) == ["Mail", "Calendar"])
    #expect(diagnosis.unread.count == 1 && diagnosis.fails)
    let error = #expect(throws: UnreadableProject.self) {
      try Self.diagnosis(["Old.xcodeproj/project.pbxproj": "{ objects = "])
    }
    #expect(error?.path.hasSuffix("Old.xcodeproj/project.pbxproj") == true)
  }
}
