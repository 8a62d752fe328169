import SSOCore
import SSODevice
import SSOProvider
import SafeText

/// The files that a developer writes for an app of the lab, as its platform's article shows them.
///
/// Doctor reads them again.
package struct ProjectExport {
  /// The part of a project.
  package enum Form: String, CaseIterable, Sendable {
    /// Info.plist, entitlements, and the code that sets the developer's own keychain group, for Apple's platforms.
    case plist
    /// The manifest of the app registration.
    case manifest
    /// The build file, AndroidManifest.xml, and MSAL's configuration.
    case android
  }

  /// A file with its path in the project.
  package struct File: Hashable, Sendable {
    package var path: String
    package var text: String
  }

  let app: InstalledApp
  let registration: ClientRegistration?

  /// Creates the export of an app, whose registration is that of its client ID, if there is one.
  package init(of app: InstalledApp, _ registration: ClientRegistration?) {
    (self.app, self.registration) = (app, registration)
  }

  /// The form of the app's own platform, or `nil` on Windows, whose apps the lab does not simulate.
  package var ownForm: Form? {
    switch app.builtDefaults.platform {
    case .iOS, .macOS: .plist
    case .android: .android
    case .windows: nil
    }
  }

  package func files(_ form: Form) -> [File] {
    switch form {
    case .plist:
      [File(path: "Info.plist", text: infoPlist), File(path: "App.entitlements", text: entitlements)]
        + (setsGroup ? [File(path: "Setup.swift", text: setUp)] : [])
    case .manifest: [File(path: "registration.json", text: manifest)]
    case .android:
      [
        File(path: "app/build.gradle", text: buildFile),
        File(path: "app/src/main/AndroidManifest.xml", text: androidManifest),
        File(path: "app/src/main/res/raw/auth_config.json", text: configuration),
      ]
    }
  }

  // MARK: Apple

  private var infoPlist: String {
    let types: PropertyListText = .array([
      .dictionary([
        ("CFBundleTypeRole", .string("Editor")), ("CFBundleURLName", .string(app.bundleID)),
        ("CFBundleURLSchemes", .array(app.urlSchemes.map(PropertyListText.string))),
      ])
    ])
    let keys: [(String, PropertyListText)] = [
      ("CFBundleDisplayName", .string(app.displayName)), ("CFBundleIdentifier", .string(app.bundleID)),
      ("CFBundleShortVersionString", .string(app.version)), ("CFBundleURLTypes", types),
      ("LSApplicationQueriesSchemes", .array(app.queriesSchemes.map(PropertyListText.string))),
    ]
    return PropertyListText.dictionary(keys + platformKeys).document
  }

  /// The key that marks an Info.plist as a Mac app's, with the value that Xcode writes.
  private var platformKeys: [(String, PropertyListText)] {
    app.platform == .macOS ? [("LSMinimumSystemVersion", .string("$(MACOSX_DEPLOYMENT_TARGET)"))] : []
  }

  private var entitlements: String {
    PropertyListText.dictionary([
      ("keychain-access-groups", .array(app.keychainAccessGroups.map(PropertyListText.string)))
    ]).document
  }

  /// Whether the app's code sets a keychain group, because the SDK would use another one.
  private var setsGroup: Bool { app.keychainSharingGroup != app.builtDefaults.sharingGroup }

  /// The code that gives the SDK the app's keychain group.
  private var setUp: String {
    let group = app.keychainSharingGroup.map(Self.literal) ?? "Bundle.main.bundleIdentifier!"
    if app.sdk == .adal {
      return """
        import ADAL

        func setUpADAL() {
          ADAuthenticationSettings.sharedInstance().setDefaultKeychainGroup(\(group))
        }

        """
    }
    let delegate =
      app.builtDefaults.platform == .iOS
      ? """

      import UIKit

      final class AppDelegate: UIResponder, UIApplicationDelegate {
        func application(
          _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
        ) -> Bool {
          MSALPublicClientApplication.handleMSALResponse(
            url, sourceApplication: options[.sourceApplication] as? String)
        }
      }

      """ : ""
    return """
      import MSAL

      func makeApplication() throws -> MSALPublicClientApplication {
        let config = MSALPublicClientApplicationConfig(clientId: \(Self.literal(app.clientID)))
        config.cacheConfig.keychainSharingGroup = \(group)
        return try MSALPublicClientApplication(configuration: config)
      }

      """ + delegate
  }

  /// Returns a text as a Swift string literal.
  private static func literal(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      + "\""
  }

  // MARK: Registration

  /// The document that the Microsoft Entra admin center calls the manifest, in Microsoft Graph's format.
  ///
  /// The center has neither shown nor accepted the format of Azure AD Graph since January 2025 (Microsoft: Azure Active
  /// Directory Graph app manifest deprecation).
  private var manifest: String {
    let programs = registration?.redirectURIs ?? [app.redirectURI].filter { !$0.isEmpty }
    func platform(_ uris: [String]?) -> JSONValue {
      ["redirectUris": .array((uris ?? []).map(JSONValue.string))]
    }
    let audience = registration.map(Self.audience) ?? Self.everyAccount
    let version = registration?.accessTokenVersion.map { JSONValue.integer(Int64($0)) } ?? .null
    var document: [String: JSONValue] = [
      "appId": .string(registration?.clientID ?? app.clientID),
      "displayName": .string(registration?.displayName ?? app.displayName),
      "signInAudience": .string(audience),
      "isFallbackPublicClient": .bool(
        registration?.allowsPublicClient ?? (registration?.isConfidential != true)),
      "publicClient": platform(programs),
      "web": platform(registration?.webRedirectURIs),
      "spa": platform(registration?.spaRedirectURIs),
      // Entra requires version 2 of a registration that accepts personal accounts.
      "api": ["requestedAccessTokenVersion": audience.hasPrefix("AzureADM") ? version : .integer(2)],
    ]
    document["optionalClaims"] = registration?.optionalClaims?.manifest
    return JSONValue.object(document).text(.document) + "\n"
  }

  private static let everyAccount = "AzureADandPersonalMicrosoftAccount"

  private static func audience(of registration: ClientRegistration) -> String {
    switch registration.accounts {
    case .personal: "PersonalMicrosoftAccount"
    case _ where !registration.isMultiTenant: "AzureADMyOrg"
    case .organizations: "AzureADMultipleOrgs"
    case nil: everyAccount
    }
  }

  // MARK: Android

  private var buildFile: String {
    """
    android {
      defaultConfig {
        applicationId "\(app.bundleID)"
        targetSdkVersion 34
      }
    }

    dependencies {
      implementation "com.microsoft.identity.client:msal:\(app.sdkVersion)"
    }

    """
  }

  private var androidManifest: String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
      <application android:label="\(Escaping.xml.signs(in: app.displayName))">
    \(browserActivity)  </application>
    </manifest>

    """
  }

  /// The activity that receives the app's redirect URI, or an empty string if the app does not need one.
  private var browserActivity: String {
    guard app.urlForwarding != .neither else { return "" }
    let uri = PlatformDefaults.parts(ofAndroid: app.redirectURI)
    let host = uri?.package ?? app.bundleID
    let path = uri?.signatureHash ?? app.teamID
    return """
          <activity
            android:name="com.microsoft.identity.client.BrowserTabActivity"
            android:exported="true">
            <intent-filter>
              <action android:name="android.intent.action.VIEW" />
              <category android:name="android.intent.category.DEFAULT" />
              <category android:name="android.intent.category.BROWSABLE" />
              <data
                android:scheme="msauth"
                android:host="\(Escaping.xml.signs(in: host))"
                android:path="\(Escaping.xml.signs(in: "/" + path))" />
            </intent-filter>
          </activity>

      """
  }

  /// The `type` of the authority in MSAL's configuration (microsoft-authentication-library-common-for-android,
  /// `AuthorityDeserializer`).
  private var authorityType: String {
    switch (try? Authority(app.authority))?.ownClass {
    case .b2c: "B2C"
    case .ciam: "CIAM"
    case .adfs: "ADFS"
    case .aad, nil: "AAD"
    }
  }

  private var configuration: String {
    var document: [String: JSONValue] = [
      "client_id": .string(app.clientID), "redirect_uri": .string(app.redirectURI),
      "broker_redirect_uri_registered": .bool(app.brokerUse == .auto),
      "authorities": [
        ["type": .string(authorityType), "authority_url": .string(app.authority), "default": .bool(true)]
      ],
    ]
    if app.webView == .embedded { document["authorization_user_agent"] = "WEBVIEW" }
    if let mode = app.accountMode { document["account_mode"] = .string(mode.rawValue) }
    return JSONValue.object(document).text(.document) + "\n"
  }
}

/// A property list as Xcode writes it.
private indirect enum PropertyListText {
  case string(String)
  case array([PropertyListText])
  case dictionary([(String, PropertyListText)])

  var document: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(lines(indent: "").joined(separator: "\n"))
    </plist>

    """
  }

  private func lines(indent: String) -> [String] {
    let deeper = indent + "\t"
    switch self {
    case .string(let text): return ["\(indent)<string>\(Escaping.xml.signs(in: text))</string>"]
    case .array(let list):
      guard !list.isEmpty else { return ["\(indent)<array/>"] }
      return ["\(indent)<array>"] + list.flatMap { $0.lines(indent: deeper) } + ["\(indent)</array>"]
    case .dictionary(let pairs):
      return ["\(indent)<dict>"]
        + pairs.flatMap { ["\(deeper)<key>\(Escaping.xml.signs(in: $0))</key>"] + $1.lines(indent: deeper) }
        + ["\(indent)</dict>"]
    }
  }
}
