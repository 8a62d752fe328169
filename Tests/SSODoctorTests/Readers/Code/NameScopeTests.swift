import DoctorTestSupport
import Foundation
import SSODevice
import Testing

@testable import SSODoctor

/// A name is the value of the declaration that the code sees at that place, and no value if several may be meant.
@Suite struct NameScopeTests {
  private static func source(_ files: [String: String], bundleID: String = "com.contoso.mail") -> SourceFacts
  {
    SourceFacts(
      files.sorted { $0.key < $1.key }.map { SourceScan($0.value, path: $0.key) }, bundleID: bundleID)
  }

  private static func configuration(_ redirect: String) -> String {
    """
    import MSAL
    func makeApplication() throws -> MSALPublicClientApplication {
      let config = MSALPublicClientApplicationConfig(
        clientId: "\(XcodeFixture.clientID)", redirectUri: \(redirect), authority: nil)
      return try MSALPublicClientApplication(configuration: config)
    }
    """
  }

  private static let twoTypes = """
    enum Staging { static let redirect = "msauth.com.contoso.staging://auth" }
    enum Live { static let redirect = "msauth.com.contoso.mail://auth" }
    extension Live { static let other = "msauth.com.contoso.mail://auth" }
    """

  @Test(
    arguments: [
      ("Live.redirect", "msauth.com.contoso.mail://auth"),
      ("Staging.redirect", "msauth.com.contoso.staging://auth"),
      ("Live.other", "msauth.com.contoso.mail://auth"), ("configuration.redirect", nil),
      ("\"\\(Live.redirect)\"", "msauth.com.contoso.mail://auth"),
    ] as [(String, String?)])
  func theTypeOfANameDecides(_ name: String, _ value: String?) {
    let source = Self.source(["A.swift": Self.twoTypes, "B.swift": Self.configuration(name)])
    #expect(source.redirectURI.found?.value == value)
  }

  /// Each file of Objective-C has its own macros and static variables.
  @Test(arguments: ["#define kRedirect @\"%\"", "static NSString * const kRedirect = @\"%\";"])
  func theNamesOfAFileAreItsOwn(_ line: String) {
    let code = """
      #import <MSAL/MSAL.h>
      \(line.replacing("%", with: "msauth.com.contoso.mail://auth"))
      @implementation Account
      - (void)signIn {
        self.config = [[MSALPublicClientApplicationConfig alloc] initWithClientId:@"\(XcodeFixture.clientID)"
                                                                      redirectUri:kRedirect authority:nil];
      }
      @end
      """
    let old = "#import <MSAL/MSAL.h>\n" + line.replacing("%", with: "msauth.com.contoso.old://auth") + "\n"
    #expect(
      Self.source(["A.m": old, "B.m": code]).redirectURI.found?.value == "msauth.com.contoso.mail://auth")
    let bare = code.replacing(line.replacing("%", with: "msauth.com.contoso.mail://auth"), with: "")
    let other = old.replacing("contoso.old", with: "contoso.older")
    // Both may be meant, until an import names the file.
    #expect(Self.source(["A.h": old, "B.m": bare, "C.h": other]).redirectURI.found == nil)
    let importing = bare.replacing("#import <MSAL/MSAL.h>", with: "#import <MSAL/MSAL.h>\n#import \"C.h\"")
    #expect(
      Self.source(["A.h": old, "B.m": importing, "C.h": other]).redirectURI.found?.value
        == "msauth.com.contoso.older://auth")
  }

  /// Only the build knows which branch is compiled.
  @Test func aNameWithTwoValuesIsNotChecked() {
    let constants = """
      struct Settings {
        #if DEBUG
        static let redirect = "msauth.com.contoso.debug://auth"
        #else
        static let redirect = "msauth.com.contoso.mail://auth"
        #endif
      }
      """
    let source = Self.source(["A.swift": constants, "B.swift": Self.configuration("Settings.redirect")])
    #expect(source.redirectURI.found == nil && source.redirectURI.place != nil)
  }

  /// A local variable of another function is another one.
  @Test func aLocalVariableIsOfItsFunction() {
    let code = """
      import MSAL
      final class Account {
        private let redirect: String
        init(redirect: String) { self.redirect = redirect }
        func signIn() throws {
          let config = MSALPublicClientApplicationConfig(
            clientId: "\(XcodeFixture.clientID)", redirectUri: redirect, authority: nil)
        }
        func help() { let redirect = "https://contoso.example/help" }
      }
      """
    #expect(Self.source(["A.swift": code]).redirectURI.found == nil)
    let assigned = code.replacing("self.redirect = redirect", with: "self.redirect = \"msauth.a.b://auth\"")
    #expect(Self.source(["A.swift": assigned]).redirectURI.found?.value == "msauth.a.b://auth")
  }

  /// The value of a call is not the text on which it is called.
  @Test(arguments: [
    "\"https://login.microsoftonline.com/TENANT\".replacingOccurrences(of: \"TENANT\", with: tenant)",
    "flag ? \"a\" : \"b\"",
  ])
  func aChangedTextIsNotChecked(_ value: String) {
    let code =
      Self.configuration("nil") + "\nlet authority = try MSALAADAuthority(url: URL(string: \(value))!)\n"
    #expect(Self.source(["A.swift": code]).authority.found == nil)
  }

  /// A request asks for the scopes of its own class.
  @Test func theScopesOfARequestAreItsOwn() {
    let other = "class Files { let scopes = [\"Files.Read\"] }\n"
    let code = """
      import MSAL
      class Account {
        private let scopes = ["User.Read", "api://0a1b2c3d-1111-4222-8333-444455556666/access"]
        func signIn() {
          let parameters = MSALInteractiveTokenParameters(scopes: scopes, webviewParameters: view)
          let again = MSALSilentTokenParameters(scopes: self.scopes, account: account)
        }
      }
      """
    let source = Self.source(["A.swift": other, "B.swift": code])
    #expect(
      source.scopes.map(\.values) == [["User.Read", "api://0a1b2c3d-1111-4222-8333-444455556666/access"]])
    let longer = code.replacing("[\"User.Read\",", with: "[\"openid\"] + [\"User.Read\",")
    #expect(Self.source(["A.swift": other, "B.swift": longer]).scopes == [])
  }

  /// The user gives a variable of a view its value, and other code an empty one.
  @Test(arguments: [
    "var clientID = \"\"", "@AppStorage(\"id\") private var clientID = \"abc\"", "let clientID = \"\"",
  ])
  func aVariableMayGetItsValueLater(_ line: String) {
    let code = """
      import MSAL
      final class Account {
        \(line)
        func signIn() throws {
          let config = MSALPublicClientApplicationConfig(clientId: clientID, redirectUri: nil, authority: nil)
        }
      }
      """
    #expect(Self.source(["A.swift": code]).clientID.found?.value == (line.hasPrefix("let") ? "" : nil))
  }

  /// A list of scopes may consist of names.
  @Test func scopesMayBeNames() {
    let code = """
      import MSAL
      enum Scope { static let mail = "Mail.Read"; static let host = "api://0a1b2c3d-1111-4222-8333-444455556666" }
      func signIn() {
        let parameters = MSALInteractiveTokenParameters(
          scopes: [Scope.mail, "\\(Scope.host)/access"], webviewParameters: view)
        let others = MSALSilentTokenParameters(scopes: [Scope.mail, chosen()], account: account)
      }
      """
    #expect(
      Self.source(["A.swift": code]).scopes.map(\.values)
        == [["Mail.Read", "api://0a1b2c3d-1111-4222-8333-444455556666/access"]])
  }

  /// More arguments than specifiers change nothing.
  @Test func aFormatIgnoresFurtherArguments() {
    let code = Self.configuration("String(format: \"msauth.%@://auth\", \"com.contoso.mail\", \"unused\")")
    #expect(Self.source(["A.swift": code]).redirectURI.found?.value == "msauth.com.contoso.mail://auth")
  }

  /// A literal of Objective-C may have several parts, of which some are macros.
  @Test(arguments: ["@\"msauth.\" @\"com.contoso.mail://auth\"", "@\"msauth.com.contoso.mail\" HOST"])
  func aLiteralMayHaveParts(_ literal: String) {
    let code = """
      #import <MSAL/MSAL.h>
      #define HOST @"://auth"
      #define REDIRECT \(literal)
      - (void)signIn {
        id config = [[MSALPublicClientApplicationConfig alloc] initWithClientId:@"\(XcodeFixture.clientID)"
                                                                    redirectUri:REDIRECT authority:nil];
      }
      """
    let source = Self.source(["A.m": code])
    #expect(source.redirectURI.found?.value == "msauth.com.contoso.mail://auth")
    #expect(source.clientID.found?.value == XcodeFixture.clientID)
  }
}
