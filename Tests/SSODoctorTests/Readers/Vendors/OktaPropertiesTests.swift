import DoctorTestSupport
import Testing

@testable import SSODoctor

/// The properties file from which a build takes Okta's configuration.
@Suite struct OktaPropertiesTests {
  private static let scheme =
    #""webAuthenticationRedirectScheme": parseScheme(okta.getProperty('signInRedirectUri'))"#

  private static func mistakes(
    _ old: String = "", _ new: String = "", placeholder: String = scheme
  ) throws -> [String] {
    let properties = """
      # Okta's application
      issuer=https://lamp.okta.com/oauth2/default
      clientId=0oa1b2c3d4
      signInRedirectUri=com.contoso.lamp:/callback
      """
    let build = """
      def okta = new Properties()
      rootProject.file("okta.properties").withInputStream { okta.load(it) }
      android {
        defaultConfig {
          applicationId "com.contoso.lamp"
          buildConfigField "String", 'ISSUER', "\\"${okta.getProperty('issuer')}\\""
          buildConfigField "String", 'CLIENT_ID', "\\"${okta.getProperty('clientId')}\\""
          buildConfigField "String", 'REDIRECT', "\\"${okta.getProperty('signInRedirectUri')}\\""
          manifestPlaceholders = [
            \(placeholder)
          ]
        }
      }
      dependencies { implementation 'com.okta.kotlin:web-authentication-ui:2.0.0' }
      """
    return try withFolder(of: [
      "okta.properties": properties.replacing(old, with: new), "app/build.gradle": build,
      "app/src/main/AndroidManifest.xml": "<manifest><application></application></manifest>",
    ]) { try Doctor.examine([$0]) }.findings.filter { $0.severity == .fails }.map(\.mistake)
  }

  @Test(arguments: [
    ("", "", [String]()),
    ("issuer=https://", "issuer=", ["The provider's address is not a URL"]),
    ("lamp.okta.com", "lamp-admin.okta.com", ["The issuer is mistyped"]),
    ("clientId=", "client_Id=", ["clientId is misspelt"]),
    ("clientId=0oa1b2c3d4\n", "", ["The configuration lacks clientId"]),
    ("com.contoso.lamp:/callback", "/callback", ["The redirect URI has no scheme"]),
  ])
  func thePropertiesFit(_ old: String, _ new: String, _ mistakes: [String]) throws {
    #expect(try Self.mistakes(old, new) == mistakes)
  }

  @Test(arguments: [
    (#""webAuthenticationRedirectScheme": "com.contoso.bulb""#, ["The redirect URI has another scheme"]),
    (
      #""webAuthenticationRedirectScheme": okta.getProperty('signInRedirectUri')"#,
      ["webAuthenticationRedirectScheme is not only a scheme"]
    ),
  ])
  func thePlaceholderIsTheScheme(_ placeholder: String, _ mistakes: [String]) throws {
    #expect(try Self.mistakes(placeholder: placeholder) == mistakes)
  }
}
