import DoctorTestSupport
import SSOCore
import SSODevice
import Testing

@testable import SSODoctor

/// The lessons of public projects about Android activities, and about configurations that are not the app's.
@Suite struct OutsideManifestTests {
  private static let activity = "com.microsoft.identity.client.BrowserTabActivity"

  private static func diagnosis(_ fixture: AndroidFixture) throws -> Diagnosis {
    try withFolder(of: fixture.files.filter { $0.key != "registration.json" }) { try Doctor.examine([$0]) }
  }

  @Test(arguments: [
    ("com.microsoft.identity.client.BrowserTabActvity", "The name of BrowserTabActivity is misspelt"),
    (".CallbackActivity", "Another activity takes the redirect URI"),
  ])
  func anotherNameIsCorrected(_ name: String, _ mistake: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(Self.activity, with: name, in: AndroidFixture.manifest)
    let findings = try Self.diagnosis(fixture).findings
    #expect(findings.map(\.mistake) == [mistake] && findings.map(\.severity) == [.fails], "\(findings)")
    #expect(findings.first?.fix == "android:name=\"\(Self.activity)\"")
    #expect(findings.first?.place.line == 5)
  }

  /// MSAL rejects a redirect URI that a second activity also takes.
  @Test(arguments: [("android:path=\"/\(AndroidFixture.hash)\"", 1), ("android:pathPrefix=\"/x\"", 0)])
  func aSecondActivityIsAMistake(_ path: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "</application>",
      with: """
        <activity android:name=".DeepLink" android:exported="true">
          <intent-filter>
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data android:scheme="msauth" android:host="com.contoso.notes" \(path) />
          </intent-filter>
        </activity>
        </application>
        """, in: AndroidFixture.manifest)
    let findings = try Self.diagnosis(fixture).findings
    #expect(findings.map(\.rule) == Array(repeating: .browserTabActivity, count: count), "\(findings)")
    #expect(findings.allSatisfy { $0.refusal?.code == "multiple_apps_listening_url_scheme" })
  }

  /// The lab shows the name that the launcher shows, and not that of the module.
  @Test(arguments: [
    ("Notes", "Notes"), ("@string/app_name", "Ada's notes"), ("@string/unknown", "notes"),
    ("${label}", "notes"),
  ])
  func theLabelNamesTheApp(_ label: String, _ name: String) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "android:label=\"Notes\"", with: "android:label=\"\(label)\"", in: AndroidFixture.manifest)
    for (set, text) in [("debug", "Notes (debug)"), ("main", "Ada\\'s notes")] {
      fixture.files["app/src/\(set)/res/values/strings.xml"] =
        "<resources><string name=\"app_name\">\(text)</string></resources>"
    }
    #expect(try Self.diagnosis(fixture).android.map { InstalledApp($0)?.displayName } == [name])
  }

  @Test func aRemovedActivityIsNotThere() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "android:exported=\"true\"", with: "tools:node=\"remove\"", in: AndroidFixture.manifest)
    let findings = try Self.diagnosis(fixture).findings
    #expect(findings.map(\.mistake) == ["The manifest removes BrowserTabActivity"], "\(findings)")
    #expect(findings.first?.place.line == 4)
  }

  @Test func aVariableForTheHashIsNotFilledIn() throws {
    var fixture = AndroidFixture()
    fixture.replace(AndroidFixture.encodedHash, with: "TU_HASH_AQUI", in: AndroidFixture.configuration)
    #expect(try Self.diagnosis(fixture).findings.map(\.severity) == [.notFilledIn])
  }

  /// MSAL's own default is true.
  @Test func theBrokerIsTheDefault() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "  \"broker_redirect_uri_registered\": true,\n", with: "", in: AndroidFixture.configuration)
    #expect(try Self.diagnosis(fixture).findings == [])
    fixture.replace(AndroidFixture.encodedHash, with: AndroidFixture.hash, in: AndroidFixture.configuration)
    let findings = try Self.diagnosis(fixture).findings
    #expect(findings.map(\.rule) == [.androidRedirect] && findings.map(\.severity) == [.fails], "\(findings)")
    #expect(findings.first?.place.line == 3)
  }

  /// The app did not request the broker, so a redirect URI that does not match it is a question.
  @Test func anotherRedirectURIDoesWithoutTheBroker() throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "  \"broker_redirect_uri_registered\": true,\n", with: "", in: AndroidFixture.configuration)
    fixture.replace(
      "msauth://com.contoso.notes/\(AndroidFixture.encodedHash)",
      with: "msal\(AndroidFixture.clientID)://auth", in: AndroidFixture.configuration)
    fixture.replace("\"msauth\"", with: "\"msal\(AndroidFixture.clientID)\"", in: AndroidFixture.manifest)
    fixture.replace("\"${applicationId}\"", with: "\"auth\"", in: AndroidFixture.manifest)
    fixture.replace(
      "\n          android:path=\"/\(AndroidFixture.hash)\"", with: "", in: AndroidFixture.manifest)
    let findings = try Self.diagnosis(fixture).findings
    #expect(findings.map(\.rule) == [.brokerUnused], "\(findings)")
    #expect(findings.map(\.severity) == [.worksInSomeCases])
  }

  /// The library's default, which the app replaces: the rest is passed in code.
  @Test func aReplacedDefaultIsNotTheAppsConfiguration() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/res/raw/msal_default_config.json"] =
      #"{ "authorities": [ { "type": "B2C" } ], "account_mode": "MULTIPLE" }"#
    let diagnosis = try Self.diagnosis(fixture)
    #expect(diagnosis.findings == [], "\(diagnosis.findings)")
    #expect(diagnosis.android.map(\.configurations.count) == [1])
  }

  private static let ofOkta = """
    { "client_id": "0oa1", "redirect_uri": "com.okta.contoso:/callback", "scopes": ["openid"],
      "issuer_uri": "https://contoso.okta.com/oauth2/default" }
    """

  @Test func aConfigurationOfOktaIsNotMSALs() throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Account.kt"] = nil
    fixture.files[AndroidFixture.configuration] = nil
    fixture.files["app/src/main/AndroidManifest.xml"] = "<manifest><application/></manifest>"
    fixture.files["app/src/main/res/raw/okta_app_auth_config.json"] = Self.ofOkta
    #expect(try Self.diagnosis(fixture).android == [])
  }

  @Test(arguments: [
    ("implementation libs.msal", 1), ("/* implementation libs.msal */", 0),
    ("// implementation libs.msal", 0),
  ])
  func aProjectWithoutTheDependencyHasNoMSAL(_ line: String, _ count: Int) throws {
    var fixture = AndroidFixture()
    fixture.files["app/src/main/java/Account.kt"] = nil
    fixture.replace("implementation libs.msal", with: line, in: "app/build.gradle")
    #expect(try Self.diagnosis(fixture).android.count == count)
  }

  @Test(arguments: [
    (
      "\"type\": \"AAD\"", "\"type\": \"AzureAD\"",
      "Unrecognized authority type -- null, invalid or unknown type specified.", "\"type\": \"AAD\""
    ),
    (
      "AzureADMultipleOrgs", "AzureADMultipleOrg",
      "Unrecognized audience type for AzureActiveDirectoryAuthority -- null, invalid, or unknown type specified",
      "\"type\": \"AzureADMultipleOrgs\""
    ),
  ])
  func anUnknownTypeIsOfTheAuthorityOrTheAudience(
    _ right: String, _ wrong: String, _ words: String, _ fix: String
  ) throws {
    var fixture = AndroidFixture()
    fixture.replace(right, with: wrong, in: AndroidFixture.configuration)
    let findings = try Self.diagnosis(fixture).findings
    #expect(findings.map(\.refusal?.text) == [words] && findings.map(\.fix) == [fix], "\(findings)")
  }

  /// A question adds missing values, and leaves what the developer has written.
  @Test(arguments: [("", true), ("false", false)])
  func aQuestionReplacesNoValue(_ value: String, _ isMended: Bool) throws {
    var fixture = AndroidFixture()
    fixture.replace(
      "\"broker_redirect_uri_registered\": true,",
      with: value.isEmpty ? "" : "\"broker_redirect_uri_registered\": \(value),",
      in: AndroidFixture.configuration)
    if value.isEmpty {
      fixture.replace("android:exported=\"true\"", with: "", in: AndroidFixture.manifest)
    }
    let findings = try withFolder(of: fixture.files.filter { $0.key != "registration.json" }) { folder in
      try Doctor.examine([folder]).findings.map { ($0.severity, Repair($0) != nil) }
    }
    #expect(findings.map(\.0) == [.worksInSomeCases] && findings.map(\.1) == [isMended], "\(findings)")
  }
}
