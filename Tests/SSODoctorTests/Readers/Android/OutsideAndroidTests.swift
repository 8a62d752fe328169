import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// The lessons of public projects for Android.
extension OutsideTests {
  @Test func theDocumentationsRedirectURIIsAPlaceholder() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "com.contoso.notes/\(AndroidFixture.encodedHash)", with: "package-name/sha1-hash",
      in: AndroidFixture.configuration)
    #expect(
      try Self.findings(fixture.files.filter { $0.key != "registration.json" }).map(\.severity) == [
        .notFilledIn
      ])
  }

  /// A configuration matches only one of the package names that flavours and build types create.
  @Test func aRuleOfAndroidFailsOnlyIfNoBuildFits() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "defaultConfig {",
      with:
        "productFlavors { local { applicationIdSuffix '.local' }\n dist { applicationIdSuffix '.dist' } }\n  defaultConfig {",
      in: "app/build.gradle")
    fixture.files["app/src/local/res/raw/auth_config.json"] = fixture.files[AndroidFixture.configuration]?
      .replacing("com.contoso.notes", with: "com.contoso.notes.local")
    let diagnosis = try withFolder(of: fixture.files) { try Doctor.examine([$0]) }
    #expect(diagnosis.android.count == 1 && diagnosis.android[0].configurations.count == 2)
    #expect(diagnosis.findings.filter { $0.severity == .fails } == [], "\(diagnosis.findings)")
    let finding = try #require(diagnosis.findings.first)
    #expect(
      finding.rule == .androidRedirect && finding.check.found.hasPrefix("none for com.contoso.notes.dist"))
  }

  @Test func aManifestPlaceholderIsReplaced() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "defaultConfig {",
      with:
        "defaultConfig {\n    manifestPlaceholders = [msalHost: \"com.contoso.notes\", msalHash: \"\(AndroidFixture.hash)\"]",
      in: "app/build.gradle")
    fixture.replace("${applicationId}", with: "${msalHost}", in: AndroidFixture.manifest)
    fixture.replace("/\(AndroidFixture.hash)", with: "/${msalHash}", in: AndroidFixture.manifest)
    #expect(try Self.findings(fixture.files) == [])
    fixture.replace(
      "msalHost: \"com.contoso.notes\"", with: "msalHost: \"com.contoso.old\"", in: "app/build.gradle")
    #expect(try Self.errors(fixture.files) == [.browserTabActivity])
  }

  @Test(arguments: [
    ("single", "SINGLE", [DoctorRule]()), ("single", "MULTIPLE", [.androidConfiguration]),
    ("other", "MULTIPLE", [.androidConfiguration]),
  ])
  func theCallNamesItsConfiguration(_ resource: String, _ mode: String, _ rules: [DoctorRule]) throws {
    var fixture = AndroidFixture()
    let text = fixture.files[AndroidFixture.configuration] ?? ""
    fixture.files["app/src/main/res/raw/single.json"] = text.replacing(
      "{\n  \"client_id\"", with: "{\n  \"account_mode\": \"\(mode)\",\n  \"client_id\"")
    fixture.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      fun make(c: Context) = PublicClientApplication.createSingleAccountPublicClientApplication(c, R.raw.\(resource), listener)
      """
    #expect(try Self.errors(fixture.files) == rules)
  }

  /// A call that waits has no listener, and reports a different code from a call with a listener.
  @Test(arguments: [
    ("c, R.raw.auth_config", "multiple_account_pca_init_fail_account_mode"),
    ("context(), R.raw.auth_config, listener", "multiple_account_pca_init_fail_unknown_reason"),
    ("c, R.raw.auth_config, object : Listener {", "multiple_account_pca_init_fail_unknown_reason"),
  ])
  func theCodeOfTheWrongModeFollowsTheCall(_ arguments: String, _ code: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "{\n  \"client_id\"", with: "{\n  \"account_mode\": \"SINGLE\",\n  \"client_id\"",
      in: AndroidFixture.configuration)
    fixture.files["app/src/main/java/Sign.kt"] = """
      import com.microsoft.identity.client.PublicClientApplication
      val app = PublicClientApplication.createMultipleAccountPublicClientApplication(\(arguments))
      """
    #expect(try Self.findings(fixture.files).map(\.refusal?.code) == [code])
  }

  /// MSAL's own manifest exports the activity, unless the app's says otherwise or takes its place.
  @Test(arguments: [
    ("\n      android:exported=\"false\"", DoctorCheck.Severity.fails), ("", .worksInSomeCases),
    ("\n      tools:node=\"replace\"", .fails),
  ])
  func anActivityThatIsNotExportedIsAnError(_ text: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = AndroidFixture()
    fixture.replace("\n      android:exported=\"true\"", with: text, in: AndroidFixture.manifest)
    #expect(try Self.findings(fixture.files).map(\.severity) == [severity])
  }

  /// Only the call shows which of several configurations is used.
  @Test func aConfigurationThatFitsSoftensAnotherThatDoesNot() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/assets/old.json"] = fixture.files[AndroidFixture.configuration]?
      .replacing(AndroidFixture.encodedHash, with: "8wqhslKBrD0XppDpZsZCTEOan%2B8%3D")
    #expect(try Self.findings(fixture.files).map(\.severity) == [.worksInSomeCases])
  }

  @Test func anEmptyTemplateIsNotFilledInYet() throws {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = """
      { "client_id": "", "redirect_uri": "", "authorities": [{ "type": "", "audience": { "type": "" } }] }
      """
    #expect(try Self.findings(fixture.files).map(\.severity) == [.notFilledIn])
  }

  /// It is also unknown then what a wrapper adds to the configuration.
  @Test(arguments: [
    (AndroidFixture.manifest, "identity.client.BrowserTabActivity", "OtherActivity"),
    (AndroidFixture.configuration, "  \"client_id\": \"\(AndroidFixture.clientID)\",\n", ""),
  ])
  func aConfigurationThatNoCodeUsesMayBeLeftOver(_ file: String, _ old: String, _ new: String) throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Account.kt"] = nil
    fixture.files["registration.json"] = nil
    fixture.replace(old, with: new, in: file)
    #expect(try Self.findings(fixture.files).map(\.severity) == [.worksInSomeCases])
  }

  /// An application object that is created from values in code does not need a configuration.
  @Test func aConfigurationBesideValuesInCodeIsLeftOver() throws {
    var fixture = AndroidFixture()
    fixture.replace(AndroidFixture.hash, with: "other", in: AndroidFixture.manifest)
    fixture.files["registration.json"] = nil
    #expect(try Self.errors(fixture.files) == [.browserTabActivity])
    fixture.files["app/src/main/java/Account.kt"] =
      "import com.microsoft.identity.client.*\nval app = PublicClientApplication.create(this, ID, AUTHORITY, REDIRECT, made)"
    #expect(try Self.errors(fixture.files) == [])
  }

  /// The types of a template's authorities are not filled in either.
  @Test func theTypesOfATemplateAreNotMistakes() throws {
    var fixture = AndroidFixture()
    fixture.files["registration.json"] = nil
    fixture.files[AndroidFixture.configuration] = """
      { "client_id": "YOUR_CLIENT_ID", "redirect_uri": "YOUR_REDIRECT_URI",
        "authorities": [{ "type": "YOUR_TYPE", "audience": { "type": "YOUR_ACCESS_TYPE" } }] }
      """
    let findings = try Self.findings(fixture.files)
    #expect(findings.allSatisfy { $0.severity == .notFilledIn })
    #expect(findings.first?.mistake == "The client ID is not filled in")
  }

  /// Other imports of the file do not count either.
  @Test(arguments: [("", DoctorCheck.Severity.fails), ("import lamp.Lamp\n// ", .worksInSomeCases)])
  func anImportInACommentDoesNotUseMSAL(_ start: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Account.kt"] = start + "import com.microsoft.identity.client.IAccount"
    fixture.replace("/\(AndroidFixture.hash)", with: "/lamp", in: AndroidFixture.manifest)
    #expect(try Self.findings(fixture.files).map(\.severity) == [severity])
  }

  /// Code names the configuration that it uses, so another configuration beside it is left over.
  @Test(arguments: [
    ("R.raw.msal_config", DoctorCheck.Severity.worksInSomeCases), ("R.raw.auth_config", .fails),
    ("file", .fails),
  ])
  func aConfigurationThatCodeDoesNotNameIsLeftOver(_ name: String, _ severity: DoctorCheck.Severity) throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/msal_config.json"] = fixture.files[AndroidFixture.configuration]
    fixture.replace(AndroidFixture.encodedHash, with: "callback", in: AndroidFixture.configuration)
    fixture.files["app/src/main/java/Account.kt"] =
      "import com.microsoft.identity.client.IAccount\nval app = PublicClientApplication.create(this, \(name))"
    fixture.files["registration.json"] = nil
    if severity == .fails { fixture.files["app/src/main/res/raw/msal_config.json"] = nil }
    let findings = try Self.findings(fixture.files).filter { $0.rule == .androidRedirect }
    #expect(findings.map(\.severity) == [severity], "\(findings)")
  }

  @Test(arguments: [
    "\"challenge_types\": [\"oob\"], \"account_mode\": \"SINGLE\", \"authorities\": [{ \"type\": \"CIAM\", \"authority_url\": \"https://contoso.ciamlogin.com/contoso\" }]",
    "\"redirect_uri\": \"msauth://com.contoso.notes/\(AndroidFixture.encodedHash)\", \"authorities\": [{ \"type\": \"B2C\", \"authority_url\": \"https://contoso.b2clogin.com/tfp/contoso/b2c_1_in\" }]",
  ])
  func anAppWithoutABrokerNeedsNone(_ text: String) throws {
    var fixture = AndroidFixture()
    fixture.files[AndroidFixture.configuration] = "{ \"client_id\": \"\(AndroidFixture.clientID)\", \(text) }"
    #expect(try Self.findings(fixture.files) == [])
  }

  @Test func anAppWhoseConfigurationIsNotPublishedIsAnApp() throws {
    let diagnosis = try withFolder(of: [
      "app/build.gradle": "android { defaultConfig { applicationId \"com.contoso.notes\" } }",
      "app/src/main/AndroidManifest.xml":
        "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\"/>",
      "app/src/dist/java/Sign.java": "import com.microsoft.identity.client.PublicClientApplication;",
    ]) { try Doctor.examine([$0]) }
    #expect(diagnosis.android.map(\.packageName?.value) == ["com.contoso.notes"])
    #expect(diagnosis.subjects.first?.notSeen?.hasPrefix("No configuration of MSAL") == true)
  }

  /// A library's manifest and configuration belong to the app.
  @Test func aLibraryBelongsToItsApp() throws {
    var fixture = AndroidFixture()
    fixture.files["auth/build.gradle"] = "plugins { id 'com.android.library' }"
    for file in [AndroidFixture.configuration, AndroidFixture.manifest] {
      fixture.files[file.replacing("app/", with: "auth/")] = fixture.files[file]
    }
    fixture.files[AndroidFixture.configuration] = nil
    fixture.files[AndroidFixture.manifest] =
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\"/>"
    fixture.files["auth/src/main/AndroidManifest.xml"] = fixture.files["auth/src/main/AndroidManifest.xml"]?
      .replacing("${applicationId}", with: "com.contoso.notes")
    let diagnosis = try fixture.diagnosis()
    #expect(diagnosis.android.map(\.name) == ["notes"] && diagnosis.android[0].configurations.count == 1)
    #expect(diagnosis.findings == [], "\(diagnosis.findings)")
  }

  /// Flavours of one dimension exclude each other; those of two are combined.
  @Test(arguments: [("'store'", "'store'", 0), ("'store'", "'stage'", 1)])
  func flavoursOfOneDimensionAreNotCombined(_ first: String, _ second: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "defaultConfig {",
      with:
        "productFlavors {\n free { dimension \(first); applicationIdSuffix '.free' }\n pro { dimension \(second); applicationIdSuffix '.pro' }\n }\n  defaultConfig {",
      in: "app/build.gradle")
    for name in ["free", "pro"] {
      fixture.files["app/src/\(name)/res/raw/auth_config.json"] = fixture.files[AndroidFixture.configuration]?
        .replacing("com.contoso.notes", with: "com.contoso.notes.\(name)")
    }
    fixture.files["registration.json"] = nil
    let findings = try Self.findings(fixture.files)
    #expect(
      findings.map(\.mistake) == Array(repeating: "A build has no redirect URI", count: count), "\(findings)")
  }
}
