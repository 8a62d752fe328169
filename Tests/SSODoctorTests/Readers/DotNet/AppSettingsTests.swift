import DoctorTestSupport
import Testing

@testable import SSODoctor

/// The values of `appsettings.json` that C# code copies to the properties of an object.
@Suite struct AppSettingsTests {
  private static let clientID = AndroidFixture.clientID

  private static func files(_ old: String = "", _ new: String = "") -> [String: String] {
    let settings = """
      {
        "Entra": {
          "Authority": "https://login.microsoftonline.com/{0}",
          "TenantId": "lamp.onmicrosoft.com",
          "ClientId": "\(clientID)",
          "AndroidRedirectUri": "msal\(clientID)://auth"
        },
        "Other": { "ClientId": "bulb" }
      }
      """
    return [
      "Lamp.csproj": """
      <Project>
        <TargetFrameworks>net9.0-android</TargetFrameworks>
        <OutputType>Exe</OutputType>
        <PackageReference Include="Microsoft.Identity.Client" Version="4.66.0" />
      </Project>
      """,
      "appsettings.json": settings.replacing(old, with: new),
      "SignIn.cs": """
      using Microsoft.Identity.Client;
      public class EntraOptions { public string ClientId { get; set; } public string Authority { get; set; } }
      public class SignIn {
        EntraOptions options = configuration.GetSection("Entra").Get<EntraOptions>();
        void Begin() {
          app = PublicClientApplicationBuilder.Create(options.ClientId)
            .WithAuthority(string.Format(options.Authority, options.TenantId))
            .WithRedirectUri(Platform.RedirectUri).Build();
          app.AcquireTokenInteractive(scopes).WithUseEmbeddedWebView(true);
          app.AcquireTokenInteractive(scopes).ExecuteAsync();
        }
      }
      """,
      "Platforms/Android/MainActivity.cs": """
      public class MainActivity : MauiAppCompatActivity {
        void Start() { Platform.RedirectUri = options.AndroidRedirectUri; }
        void Continue() { AuthenticationContinuationHelper.SetAuthenticationContinuationEventArgs(code, result, data); }
      }
      """,
      "Platforms/Android/MsalActivity.cs": """
      [Activity(Exported = true)]
      [IntentFilter(new[] { Intent.ActionView },
        Categories = new[] { Intent.CategoryBrowsable, Intent.CategoryDefault },
        DataScheme = "msal\(clientID)", DataHost = "auth")]
      public class MsalActivity : BrowserTabActivity { }
      """,
    ]
  }

  @Test(arguments: [
    ("", "", "", ""),
    (clientID + "\",", "1a2b3c4d-0000\",", "The client ID is not a GUID", "appsettings.json"),
    (
      "\"ClientId\": \"\(clientID)", "\"Client_Id\": \"\(clientID)", "ClientId is misspelt",
      "appsettings.json"
    ),
    ("microsoftonline.com", "microsoftonlin.com", "The authority's host is misspelt", "appsettings.json"),
    ("https://", "http://", "The authority is not an https URL", "appsettings.json"),
    ("://auth", "://done", "BrowserTabActivity takes another redirect URI", "MsalActivity.cs"),
  ])
  func theSettingsAreTheCodes(_ old: String, _ new: String, _ mistake: String, _ file: String) throws {
    let findings = try withFolder(of: Self.files(old, new)) { try Doctor.examine([$0]) }.findings
    #expect(findings.map(\.mistake) == (mistake.isEmpty ? [] : [mistake]), "\(findings)")
    #expect(findings.allSatisfy { $0.severity == .fails && $0.place.path.hasSuffix(file) })
  }

  /// The value of an initializer replaces that with which a class of options begins.
  @Test(arguments: [("lamp://callback", 0), ("bulb://callback", 1)])
  func aSettingReplacesTheFirstValue(_ redirect: String, _ count: Int) throws {
    let findings = try withFolder(of: [
      "Lamp.csproj":
        "<Project><TargetFrameworks>net8.0-android</TargetFrameworks><OutputType>Exe</OutputType></Project>",
      "appsettings.json": #"{ "Auth": { "RedirectUri": "\#(redirect)" } }"#,
      "Options.cs": """
      public class Options { public Options() { RedirectUri = "app://callback"; } public string RedirectUri { get; set; } }
      """,
      "Program.cs": """
      using IdentityModel.OidcClient;
      var settings = configuration.Get<Settings>();
      var client = new Client(new Options { RedirectUri = settings.Auth.RedirectUri });
      class Browser { void Open(Uri start, Uri end) { WebAuthenticator.Default.AuthenticateAsync(start, end); } }
      """,
      "Callback.cs": """
      [Activity(Exported = true)]
      [IntentFilter(new[] { Intent.ActionView },
        Categories = new[] { Intent.CategoryDefault, Intent.CategoryBrowsable }, DataScheme = "lamp")]
      public class Callback : WebAuthenticatorCallbackActivity { }
      """,
    ]) { try Doctor.examine([$0]) }.findings
    #expect(findings.count == count, "\(findings)")
    #expect(findings.allSatisfy { $0.place.path.hasSuffix("appsettings.json") })
  }
}
