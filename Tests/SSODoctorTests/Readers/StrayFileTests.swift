import DoctorTestSupport
import Foundation
import SSOCore
import Testing

@testable import SSODoctor

/// Files that are not the doctor's, or that the build ignores, do not make it fail.
@Suite struct StrayFileTests {
  private static func diagnosis(_ files: [String: String]) throws -> Diagnosis {
    try withFolder(of: files) { try Doctor.examine([$0]) }
  }

  /// Resources of any size are beside the configuration.
  @Test func aLargeAnimationIsNotAConfiguration() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    let animation = "{ \"v\": \"5.9.0\", \"layers\": [" + String(repeating: "0,", count: 600_000) + "0] }"
    fixture.files["app/src/main/res/raw/animation.json"] = animation
    let diagnosis = try Self.diagnosis(fixture.files)
    #expect(diagnosis.unread == [] && diagnosis.findings == [])
    fixture.files["app/src/main/java/Sign.kt"] =
      "import com.microsoft.identity.client.*\nPublicClientApplication.createMultipleAccountPublicClientApplication(c, R.raw.animation, l)"
    #expect(try Self.diagnosis(fixture.files).unread.map { fileName($0.path) } == ["animation.json"])
  }

  /// Archives made on a Mac contain a file `._NAME` for each file or folder.
  @Test func appleDoubleFilesAreNotRead() throws {
    var fixture = XcodeFixture()
    fixture.files["._Suite.xcodeproj"] = "\0"
    fixture.files["Mail/._Info.plist"] = "\0"
    fixture.files["Other.xcodeproj"] = "not a folder"
    let diagnosis = try Self.diagnosis(fixture.files)
    #expect(diagnosis.unread == [] && diagnosis.apple.count == 2 && diagnosis.findings == [])
  }

  /// A file that cannot be read does not hide what was found.
  @Test func aFindingComesBeforeAnUnreadFile() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.replace("true,", with: "false,", in: AndroidFixture.configuration)
    fixture.files["app/src/debug/AndroidManifest.xml"] = "<<<<<<< HEAD"
    let diagnosis = try Self.diagnosis(fixture.files)
    #expect(diagnosis.unread.count == 1 && diagnosis.fails)
    #expect(diagnosis.verdict.cause == "broker-unused", "\(diagnosis.verdict)")
  }

  /// Gradle uses build.gradle, and ignores build.gradle.kts beside it.
  @Test func ofTwoBuildFilesOneIsRead() throws {
    var files = VendorTests.module(.appAuth, "'appAuthRedirectScheme': 'com.contoso.notes'")
    files["app/build.gradle.kts"] = """
      plugins { id("com.android.application") }
      android { defaultConfig { applicationId = "com.contoso.template" } }
      dependencies { implementation("net.openid:appauth:0.11.1") }
      """
    let diagnosis = try Self.diagnosis(files)
    #expect(diagnosis.findings == [], "\(diagnosis.findings)")
    #expect(diagnosis.vendors.count == 1)
  }

  /// The contents of a comment are not used.
  @Test(arguments: [
    ("a.ts", "// import { x } from '@azure/msal-node';"), ("requirements.txt", "# msal\nflask\n"),
  ])
  func aCommentNamesNoLibrary(_ name: String, _ text: String) throws {
    #expect(try Self.diagnosis([name: text]).uses == [])
  }

  /// Flutter's project file may name a package that no Dart code imports anymore.
  @Test(arguments: [
    ("// import 'package:msal_auth/msal_auth.dart';", false), ("import 'package:msal_auth/a.dart';", true),
  ])
  func aDependencyThatNothingImportsIsNotAnApp(_ code: String, _ isUsed: Bool) throws {
    let diagnosis = try Self.diagnosis([
      "pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n  msal_auth: ^3.0.0\n",
      "lib/main.dart": "import 'dart:io';\n" + code,
    ])
    #expect(diagnosis.notes.contains { $0.library != nil } == isUsed)
  }

  /// A file that cannot be read may belong to an app with MSAL.
  @Test func anUnreadFileMayUseIt() throws {
    let diagnosis = try Self.diagnosis(["app/src/main/AndroidManifest.xml": "<<<<<<< HEAD"])
    #expect(!diagnosis.hasNoSDK && diagnosis.unread.count == 1)
  }

  /// "No app here uses MSAL or ADAL" is said only if it is true.
  @Test(arguments: [
    ("App.h", "#import <ADAL/ADAL.h>", "ADAL for iOS and macOS"),
    ("App.swift", "import IntuneMAMSwift", "MSAL through the Intune SDK"),
  ])
  func aLibraryOfAppleIsNamed(_ name: String, _ text: String, _ library: String) throws {
    // No source of a target names it.
    let project = "Suite.xcodeproj/project.pbxproj"
    let diagnosis = try Self.diagnosis([project: XcodeFixture().files[project] ?? "", name: text])
    #expect(diagnosis.uses.map(\.library) == [library] && !diagnosis.hasNoSDK)
  }
}
