import DoctorTestSupport
import SSOCore
import Testing

@testable import SSODoctor

/// The lessons of public projects about libraries that are not checked.
@Suite struct OutsideLibraryTests {
  /// A library that is not checked is named, and not denied.
  @Test(arguments: [
    ("package.json", #"{ "dependencies": { "@azure/msal-node": "2.0.0" } }"#, "MSAL Node"),
    (
      "Mail.csproj", #"<PackageReference Include="Microsoft.Identity.Client" Version="4.61.0" />"#, "MSAL.NET"
    ),
    ("app.py", "import msal\n", "MSAL Python"),
    ("public/auth.js", "const app = new msal.PublicClientApplication(config);", "MSAL.js"),
    ("requirements.txt", "ms_identity_python[flask] @ https://example.com/main.zip\n", "MSAL Python"),
    ("app.py", "from identity.django import Auth\n", "MSAL Python"),
    ("Sign.kt", "import com.microsoft.identity.client.IAccount", "MSAL for Android"),
    (
      "Old.csproj", #"<PackageReference Include="Microsoft.IdentityModel.Clients.ActiveDirectory" />"#,
      "ADAL.NET"
    ),
    ("app.py", "from azure.identity import DefaultAzureCredential\n", "Azure Identity for Python"),
    ("package.json", #"{ "dependencies": { "@azure/msal-angular": "^0.1.4" } }"#, "MSAL.js 1"),
    ("lamp.ts", "const app = new Msal.UserAgentApplication(id);", "MSAL.js 1"),
    (
      "package.json", #"{ "dependencies": { "react-native-google-signin": "^2.1.0" } }"#,
      "Google Sign-In for React Native"
    ),
  ])
  func aLibraryThatIsNotCheckedIsNamed(_ file: String, _ text: String, _ library: String) throws {
    let diagnosis = try withFolder(of: [file: text]) { try Doctor.examine([$0]) }
    #expect(diagnosis.isEmpty && diagnosis.uses.map(\.library) == [library])
    #expect(diagnosis.uses.first?.place.line == 1)
  }

  @Test func aProjectThatIsOnlyNamedAfterALibraryDoesNotUseIt() throws {
    let package = #"{ "name": "msal-like", "dependencies": { "react-native-lamp": "7.0.0" } }"#
    #expect(try withFolder(of: ["package.json": package]) { try Doctor.examine([$0]) }.uses == [])
  }
}
