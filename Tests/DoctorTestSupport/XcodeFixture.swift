import Foundation
import SSODoctor

/// A correct project with two apps of one team that share a sign-in, and their registration.
///
/// It was written for these tests in the shape of public projects. A test changes one thing and writes it to a folder.
package struct XcodeFixture {
  package static let clientID = "8a2c1d4e-6f3b-4a57-9c80-1e2d3f4a5b6c"

  package var files: [String: String]
  package var registration: String

  package init() {
    files = [
      "Suite.xcodeproj/project.pbxproj": Self.project,
      "Mail/Info.plist": Self.info("com.contoso.mail"),
      "Mail/Mail.entitlements": Self.entitlements,
      "Mail/SignIn.swift": Self.signIn,
      "Mail/SceneDelegate.swift": Self.sceneDelegate,
      "Calendar/Info.plist": Self.info("com.contoso.calendar"),
      "Calendar/Calendar.entitlements": Self.entitlements,
      "Calendar/SignIn.m": Self.objectiveC,
      "Calendar/SceneDelegate.swift": Self.sceneDelegate,
    ]
    registration = """
      {
        "appId": "\(Self.clientID)",
        "displayName": "Contoso Suite",
        "signInAudience": "AzureADMultipleOrgs",
        "isFallbackPublicClient": true,
        "publicClient": {
          "redirectUris": [
            "msauth.com.contoso.mail://auth",
            "msauth.com.contoso.calendar://auth"
          ]
        },
        "web": { "redirectUris": ["https://contoso.example/callback"] },
        "spa": { "redirectUris": [] }
      }
      """
  }

  /// Replaces text in a file.
  ///
  /// It is a mistake in the test if the text does not exist.
  package mutating func replace(_ old: String, with new: String, in file: String) {
    precondition(files[file]?.contains(old) == true, "\(old) is not in \(file)")
    files[file] = files[file]?.replacing(old, with: new)
  }

  /// Writes the project and returns the doctor's diagnosis.
  package func diagnosis(clientID: String? = nil) throws -> Diagnosis {
    try inFolder { folder in
      try Doctor.examine([folder, folder + "/registration.json"], clientID: clientID)
    }
  }

  package func inFolder<T>(_ body: (String) throws -> T) throws -> T {
    let folder = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in files.merging(["registration.json": registration], uniquingKeysWith: { $1 }) {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return try body(folder.path)
  }

  // MARK: - Files

  package static func info(_ bundleID: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
      <key>CFBundleURLTypes</key>
      <array>
        <dict>
          <key>CFBundleURLSchemes</key>
          <array>
            <string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>
          </array>
        </dict>
      </array>
      <key>LSApplicationQueriesSchemes</key>
      <array>
        <string>msauthv2</string>
        <string>msauthv3</string>
      </array>
      <key>UIApplicationSceneManifest</key>
      <dict/>
    </dict>
    </plist>
    """
  }

  package static let entitlements = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
      <key>keychain-access-groups</key>
      <array>
        <string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>
      </array>
    </dict>
    </plist>
    """

  package static let signIn = """
    import MSAL

    enum Constants {
      /* let clientID = "not this one" */
      static let clientID = "\(clientID)"
      static let authority = "https://login.microsoftonline.com/common"  // "nor this"
    }

    func makeApplication() throws -> MSALPublicClientApplication {
      guard let url = URL(string: Constants.authority) else { throw Problem.url }
      let authority = try MSALAADAuthority(url: url)
      let config = MSALPublicClientApplicationConfig(
        clientId: Constants.clientID, redirectUri: "msauth.\\(Bundle.main.bundleIdentifier!)://auth",
        authority: authority)
      return try MSALPublicClientApplication(configuration: config)
    }
    """

  package static let objectiveC = """
    #import <MSAL/MSAL.h>

    #define kClientID @"\(clientID)"
    static NSString * const kAuthority = @"https://login.microsoftonline.com/organizations";

    - (MSALPublicClientApplication *)makeApplication:(NSError **)error {
      NSURL *authorityURL = [NSURL URLWithString:kAuthority];
      MSALAADAuthority *authority = [[MSALAADAuthority alloc] initWithURL:authorityURL error:error];
      MSALPublicClientApplicationConfig *config =
        [[MSALPublicClientApplicationConfig alloc] initWithClientId:kClientID
                                                        redirectUri:nil
                                                          authority:authority];
      return [[MSALPublicClientApplication alloc] initWithConfiguration:config error:error];
    }
    """

  package static let sceneDelegate = """
    import UIKit
    import MSAL

    class SceneDelegate: UIResponder, UIWindowSceneDelegate {
      func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        guard let context = contexts.first else { return }
        MSALPublicClientApplication.handleMSALResponse(
          context.url, sourceApplication: context.options.sourceApplication)
      }
    }
    """

  private static func target(_ name: String, _ letter: String) -> String {
    """
    \(letter)01 /* \(name) */ = {
    \tisa = PBXNativeTarget;
    \tname = \(name);
    \tproductType = "com.apple.product-type.application";
    \tbuildConfigurationList = \(letter)02;
    \tbuildPhases = ( \(letter)03 );
    };
    \(letter)02 = { isa = XCConfigurationList; buildConfigurations = ( \(letter)04, \(letter)05 );
    \tdefaultConfigurationName = Release; };
    \(letter)04 = { isa = XCBuildConfiguration; name = Debug; buildSettings = {
    \tPRODUCT_BUNDLE_IDENTIFIER = com.contoso.\(name.lowercased());
    \tINFOPLIST_FILE = \(name)/Info.plist;
    \tCODE_SIGN_ENTITLEMENTS = \(name)/\(name).entitlements;
    \tDEVELOPMENT_TEAM = A1B2C3D4E5;
    }; };
    \(letter)05 = { isa = XCBuildConfiguration; name = Release; buildSettings = {
    \tPRODUCT_BUNDLE_IDENTIFIER = com.contoso.\(name.lowercased());
    \tINFOPLIST_FILE = "$(SRCROOT)/\(name)/Info.plist";
    \tCODE_SIGN_ENTITLEMENTS = \(name)/\(name).entitlements;
    \tDEVELOPMENT_TEAM = A1B2C3D4E5;
    }; };
    \(letter)03 = { isa = PBXSourcesBuildPhase; files = ( \(letter)06, \(letter)07, ); };
    \(letter)06 = { isa = PBXBuildFile; fileRef = \(letter)08; };
    \(letter)07 = { isa = PBXBuildFile; fileRef = \(letter)09; };
    """
  }

  package static let project = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tobjects = {
    \(target("Mail", "A"))
    A08 = { isa = PBXFileReference; path = SignIn.swift; sourceTree = "<group>"; };
    A09 = { isa = PBXFileReference; path = SceneDelegate.swift; sourceTree = "<group>"; };
    A10 = { isa = PBXGroup; path = Mail; children = ( A08, A09 ); sourceTree = "<group>"; };
    \(target("Calendar", "B"))
    B08 = { isa = PBXFileReference; path = SignIn.m; sourceTree = "<group>"; };
    B09 = { isa = PBXFileReference; path = SceneDelegate.swift; sourceTree = "<group>"; };
    B10 = { isa = PBXGroup; path = Calendar; children = ( B08, B09 ); sourceTree = "<group>"; };
    C01 = { isa = PBXGroup; children = ( A10, B10 ); sourceTree = "<group>"; };
    C02 = { isa = XCConfigurationList; buildConfigurations = ( C03, C04 ); defaultConfigurationName = Release; };
    C03 = { isa = XCBuildConfiguration; name = Debug; buildSettings = { SDKROOT = iphoneos; }; };
    C04 = { isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = iphoneos; }; };
    C00 = { isa = PBXProject; mainGroup = C01; buildConfigurationList = C02; targets = ( A01, B01 ); };
    \t};
    \trootObject = C00;
    }
    """
}

extension XcodeFixture {
  package mutating func buildForMac() {
    replace("SDKROOT = iphoneos", with: "SDKROOT = macosx", in: "Suite.xcodeproj/project.pbxproj")
    for file in ["Mail/Mail.entitlements", "Calendar/Calendar.entitlements"] {
      replace("com.microsoft.adalcache", with: "com.microsoft.identity.universalstorage", in: file)
    }
  }

  /// Uses a redirect URI of MSAL 0.x that is registered everywhere.
  package mutating func useOldRedirect(authority: String) {
    let uri = "msal\(Self.clientID)://auth"
    replace("msauth.\\(Bundle.main.bundleIdentifier!)://auth", with: uri, in: "Mail/SignIn.swift")
    replace("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", with: "msal\(Self.clientID)", in: "Mail/Info.plist")
    replace("/common", with: "/" + authority, in: "Mail/SignIn.swift")
    registration = registration.replacing("msauth.com.contoso.mail://auth", with: uri)
  }

  /// Makes Mail an app extension without URL types and query schemes, by its target or by its Info.plist.
  package mutating func becomeExtension(isTarget: Bool, hasRedirectURI: Bool) {
    let project = "Suite.xcodeproj/project.pbxproj"
    let type = "com.apple.product-type.application"
    if isTarget {
      files[project] = files[project]?.replacing(
        type, with: "com.apple.product-type.app-extension", maxReplacements: 1)
    }
    files["Mail/Info.plist"] = """
      <plist version="1.0">
      <dict>
        <key>CFBundleIdentifier</key>
        <string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        \(isTarget ? "" : "<key>NSExtension</key><dict/>")
      </dict>
      </plist>
      """
    guard !hasRedirectURI else { return }
    replace("\"msauth.\\(Bundle.main.bundleIdentifier!)://auth\"", with: "nil", in: "Mail/SignIn.swift")
  }

  /// Gives Calendar a scene delegate in Objective-C, which does not forward the URL.
  package mutating func useObjectiveCDelegate(_ file: String, declares: Bool) {
    replace(
      "path = SceneDelegate.swift; sourceTree = \"<group>\"; };\nB10",
      with: "path = \(file); sourceTree = \"<group>\"; };\nB10", in: "Suite.xcodeproj/project.pbxproj")
    files["Calendar/SceneDelegate.swift"] = nil
    files["Calendar/SceneDelegate.h"] = """
      #import <MSAL/MSAL.h>
      #import <UIKit/UIKit.h>
      @interface SceneDelegate : UIResponder <UIWindowSceneDelegate>
      \(declares ? "- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)contexts;" : "")
      @end
      """
    files["Calendar/" + file] = "#import \"SceneDelegate.h\"\n\n@implementation SceneDelegate\n@end\n"
  }
}
