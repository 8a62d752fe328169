import DoctorTestSupport
import Testing

@testable import SSODoctor

/// BrowserTabActivity of an Android app with MSAL.NET, for MAUI, .NET for Android, or Xamarin.
@Suite struct DotNetAndroidTests {
  private static let clientID = AndroidFixture.clientID
  private static let builder = "PublicClientApplicationBuilder.Create(Ids.Client)"
  private static let interactive = "await app.AcquireTokenInteractive(scopes).ExecuteAsync();"

  private static func activity(_ parts: String) -> String {
    """
    [Activity(Exported = true)]
    [IntentFilter(new[] { Intent.ActionView },
      Categories = new[] { Intent.CategoryBrowsable, Intent.CategoryDefault }, \(parts))]
    public class MsalActivity : BrowserTabActivity { }
    """
  }

  private static func findings(_ files: [String: String], project: String = maui) throws -> [DoctorCheck] {
    let ids = "namespace Mail; public static class Ids { public const string Client = \"\(clientID)\"; }"
    let all = files.merging(["Mail.csproj": project, "Ids.cs": ids]) { $1 }
    return try withFolder(of: all) { try Doctor.examine([$0]) }.findings.filter {
      $0.rule == .browserTabActivity
    }
  }

  private static let maui = """
    <Project>
      <TargetFrameworks>net9.0-android;net9.0-ios</TargetFrameworks>
      <OutputType>Exe</OutputType>
      <UseMaui>true</UseMaui>
      <ApplicationId>com.contoso.mail</ApplicationId>
      <PackageReference Include="Microsoft.Identity.Client" Version="4.66.0" />
    </Project>
    """

  @Test(arguments: [
    (
      ".WithRedirectUri($\"msal{Ids.Client}://auth\")",
      "DataScheme = \"msal\(clientID)\", DataHost = \"auth\"", ""
    ),
    (".WithRedirectUri(\"msal\" + Ids.Client + \"://auth\")", "DataScheme = $\"msal{Ids.Client}\"", ""),
    ("", "DataScheme = \"msal\(clientID)\", DataHost = \"auth\"", ""),
    ("", "DataSchemes = new[] { \"msal\(clientID)\", \"contoso\" }, DataHost = \"auth\"", ""),
    ("", "DataScheme = Build.Scheme, DataHost = \"auth\"", ""),
    (".WithRedirectUri(Settings.Read(\"uri\"))", "DataScheme = \"other\", DataHost = \"auth\"", ""),
    (".WithRedirectUri(\"msalYOUR_CLIENT_ID://auth\")", "DataScheme = \"msal0\", DataHost = \"auth\"", ""),
    (
      "", "DataScheme = \"msal00001111-aaaa-2222-bbbb-3333cccc4444\", DataHost = \"auth\"",
      "BrowserTabActivity takes another redirect URI"
    ),
    (
      ".WithRedirectUri(\"http://localhost\").WithRedirectUri(\"msauth://com.contoso.mail/\(AndroidFixture.encodedHash)\")",
      "DataScheme = \"msauth\", DataHost = \"com.contoso.mail\", DataPath = \"/\(AndroidFixture.hash)\"", ""
    ),
    (
      ".WithRedirectUri(\"msauth://com.contoso.mail/\(AndroidFixture.encodedHash)\")",
      "DataScheme = \"msauth\", DataHost = \"com.contoso.mail\", DataPath = \"\(AndroidFixture.hash)\"",
      "BrowserTabActivity takes another redirect URI"
    ),
  ])
  func theFilterTakesTheRedirectURI(_ redirect: String, _ parts: String, _ mistake: String) throws {
    let findings = try Self.findings([
      "SignIn.cs": "var app = \(Self.builder)\(redirect).Build();\n\(Self.interactive)",
      "Platforms/Android/MsalActivity.cs": Self.activity(parts),
    ])
    #expect(findings.map(\.mistake) == (mistake.isEmpty ? [] : [mistake]), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix("MsalActivity.cs") })
  }

  /// Without an activity, the browser's response is lost, unless there is no browser; with a broker, it is rarely
  /// needed.
  @Test(arguments: [
    (".Build();\n\(interactive)", [DoctorCheck.Severity.fails]),
    (".WithBroker().Build();\n\(interactive)", [.worksInSomeCases]),
    (".Build();\nawait app.AcquireTokenInteractive(scopes).WithUseEmbeddedWebView(true).ExecuteAsync();", []),
    (
      ".Build();\nvar call = app.AcquireTokenInteractive(scopes);\nif (phone) call.WithUseEmbeddedWebView(false); else call.WithUseEmbeddedWebView(true);",
      [.worksInSomeCases]
    ),
    (".Build();\nawait app.AcquireTokenWithDeviceCode(scopes, show).ExecuteAsync();", []),
  ])
  func theAppNeedsTheActivity(_ code: String, _ severities: [DoctorCheck.Severity]) throws {
    let findings = try Self.findings(["SignIn.cs": "var app = \(Self.builder)\(code)"])
    #expect(findings.map(\.severity) == severities, "\(findings)")
    #expect(findings.allSatisfy { $0.mistake == "The app lacks BrowserTabActivity's filter" })
  }

  /// A Xamarin app may have the activity in its manifests, one for each build, and set the URI elsewhere; a class for
  /// another client takes nothing away.
  @Test(arguments: [("auth", "", 0), ("redirect", "", 1), ("auth", activity("DataScheme = \"msal0\""), 0)])
  func aManifestMayHaveTheActivity(_ host: String, _ activity: String, _ count: Int) throws {
    let project = "<Project><AndroidApplication>True</AndroidApplication></Project>"
    let manifest = androidManifest(
      activity: "microsoft.identity.client.BrowserTabActivity",
      data: #"<data android:scheme="msal\#(Self.clientID)" android:host="\#(host)" />"#)
    let findings = try Self.findings(
      [
        "SignIn.cs":
          "var app = \(Self.builder).WithRedirectUri(Setup.Instance.Uri).Build();\n\(Self.interactive)",
        "Setup.cs": "public string Uri { get; set; } = string.Empty;",
        "MainActivity.cs": "Setup.Instance.Uri = $\"msal{Ids.Client}://auth\";",
        "iOS/AppDelegate.cs": "Setup.Instance.Uri = compute();", "MsalActivity.cs": activity,
        "Properties/AndroidManifest_play.xml": manifest,
      ], project: project)
    #expect(findings.count == count, "\(findings)")
  }

  /// The client ID may be a value of appsettings.json.
  @Test(arguments: [
    ("config[\"AzureAd:ClientId\"]", clientID, 0),
    ("config.GetSection(\"AzureAd\")[\"ClientId\"]", "00001111-aaaa-2222-bbbb-3333cccc4444", 1),
    (
      "config.GetSection(\"AzureAd\").GetSection(\"ClientId\").Value", "00001111-aaaa-2222-bbbb-3333cccc4444",
      1
    ),
    ("config[\"ClientId\"]", "00001111-aaaa-2222-bbbb-3333cccc4444", 0),
  ])
  func settingsAreRead(_ code: String, _ value: String, _ count: Int) throws {
    let findings = try Self.findings([
      "appsettings.json": #"{ "AzureAd": { "ClientId": "\#(value)" } }"#,
      "SignIn.cs":
        "id = \(code);\nvar app = \(Self.builder).WithRedirectUri($\"msal{id}://auth\").Build();\n\(Self.interactive)",
      "MsalActivity.cs": Self.activity("DataScheme = \"msal\(Self.clientID)\", DataHost = \"auth\""),
    ])
    #expect(findings.count == count, "\(findings)")
  }

  /// Only the branches of conditional compilation for Android count.
  @Test(arguments: [
    ("#if ANDROID\n\(own)\n#elif IOS\n\(other)\n#else\n\(other)\n#endif", 0),
    ("#if ANDROID\n\(other)\n#elif IOS\n\(own)\n#else\n\(own)\n#endif", 1),
    ("#if WINDOWS || __IOS__\n\(own)\n#else\n\(other)\n#endif", 1),
    ("#if !ANDROID // others\n\(other)\n#endif\n\(own)", 0),
    ("#if DEBUG\n\(other)\n#else\n\(own)\n#endif", 0),
    ("#if ANDROID && DEBUG\n\(other)\n#elif ANDROID\n\(own)\n#endif", 0),
    ("#if (IOS)\n\(own).WithUseEmbeddedWebView(true);\n#endif\n\(other)", 1),
  ])
  func aBranchMayBeForAnotherPlatform(_ code: String, _ count: Int) throws {
    let findings = try Self.findings([
      "SignIn.cs": "var builder = \(Self.builder);\n\(code)\n\(Self.interactive)",
      "MsalActivity.cs": Self.activity("DataScheme = \"msal\(Self.clientID)\", DataHost = \"auth\""),
    ])
    #expect(findings.count == count, "\(findings)")
  }

  private static let own = "builder.WithRedirectUri($\"msal{Ids.Client}://auth\");"
  private static let other =
    "builder.WithRedirectUri(\"msal00001111-aaaa-2222-bbbb-3333cccc4444://auth\");"

  private static func rules(_ files: [String: String]) throws -> [DoctorRule] {
    let ids = "namespace Mail; public static class Ids { public const string Client = \"\(clientID)\"; }"
    let all = files.merging(["Mail.csproj": maui, "Ids.cs": ids]) { $1 }
    return try withFolder(of: all) { try Doctor.examine([$0]) }.findings.map(\.rule)
  }

  private static let filter = activity("DataScheme = \"msal\(clientID)\", DataHost = \"auth\"")
  private static let launcher =
    "using Microsoft.Identity.Client;\n[Activity(MainLauncher = true)]\npublic class MainActivity : MauiAppCompatActivity { "

  /// The response is the result of an activity, which code passes on, wherever it does so.
  @Test(arguments: [
    (launcher + "}", [DoctorRule.callback]),
    (
      launcher
        + "void A() { AuthenticationContinuationHelper.SetAuthenticationContinuationEventArgs(1, r, d); } }",
      []
    ),
  ])
  func theResultOfTheActivityIsHandedOn(_ code: String, _ rules: [DoctorRule]) throws {
    #expect(
      try Self.rules([
        "SignIn.cs": "var app = \(Self.builder).Build();\n\(Self.interactive)",
        "Platforms/Android/MsalActivity.cs": Self.filter, "Platforms/Android/MainActivity.cs": code,
      ]) == rules)
  }

  @Test func theActivityIsExported() throws {
    #expect(
      try Self.rules([
        "SignIn.cs": "var app = \(Self.builder).Build();\n\(Self.interactive)",
        "Platforms/Android/MsalActivity.cs": Self.filter.replacing("= true", with: "= false"),
      ]) == [.browserTabActivity])
  }

  /// Info.plist has the scheme that the C# code for iOS gives to MSAL.NET; a branch for Android has a different one.
  @Test(arguments: [("msal\(clientID)", [DoctorRule]()), ("msauth.com.contoso.mail", [.urlScheme])])
  func theSchemeOfTheCodeIsRegistered(_ scheme: String, _ rules: [DoctorRule]) throws {
    let code = """
      var app = \(Self.builder)
      #if ANDROID
        .WithRedirectUri("msauth://com.contoso.mail/\(AndroidFixture.encodedHash)")
      #else
        .WithRedirectUri($"msal{Ids.Client}://auth")
      #endif
        .WithIosKeychainSecurityGroup("com.microsoft.adalcache").Build();
      \(Self.interactive)
      """
    let list = """
      <plist version="1.0">
      <dict>
        <key>CFBundleURLTypes</key>
        <array><dict><key>CFBundleURLSchemes</key><array><string>\(scheme)</string></array></dict></array>
      </dict>
      </plist>
      """
    let entitlements = """
      <plist version="1.0">
      <dict>
        <key>keychain-access-groups</key>
        <array><string>$(AppIdentifierPrefix)com.microsoft.adalcache</string></array>
      </dict>
      </plist>
      """
    let findings = try Self.rules([
      "SignIn.cs": "using Microsoft.Identity.Client;\n" + code, "Platforms/iOS/Info.plist": list,
      "Platforms/iOS/Entitlements.plist": entitlements,
    ])
    #expect(findings.filter { $0 == .urlScheme } == rules, "\(findings)")
  }

  /// An Android app whose code does not sign in interactively is not checked, and does not vanish beside the iOS app.
  @Test func anAppThatIsNotCheckedIsNamed() throws {
    let ids = "public static class Ids { public const string Client = \"\(Self.clientID)\"; }"
    let diagnosis = try withFolder(of: [
      "Mail.csproj": Self.maui, "Ids.cs": ids,
      "SignIn.cs": "using Microsoft.Identity.Client;\nvar app = \(Self.builder).Build();",
      "Platforms/iOS/Info.plist":
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>com.contoso.mail</string></dict></plist>",
    ]) { try Doctor.examine([$0]) }
    #expect(diagnosis.uses.map(\.library) == ["MSAL.NET on Android"])
  }
}
