import Essentials
import SSOCore
import SSODevice

/// The facts from the files of one app for iOS or macOS: a target of an Xcode project, or a built app.
///
/// A value that is `nil` was not read, and the rules that need it are skipped.
package struct AppleFacts: Hashable, Sendable {
  /// The entitlements of an app, as far as they are known.
  package enum Entitlements: Hashable, Sendable {
    /// The entitlements were not read, for example because only an Info.plist was given.
    case unread
    /// The app has no entitlements, because no build setting specifies a file or the signature does not contain any.
    ///
    /// `unused` is a file that exists but is not used.
    case none(FilePlace, unused: String?)
    /// The `keychain-access-groups`, or `nil` if the file does not have that key.
    case groups(FoundList?, FilePlace)
  }

  /// The `IntuneMAMSettings` of the Info.plist.
  package struct Intune: Hashable, Sendable {
    package var clientID: Found<String>?
    package var redirectURI: Found<String>?
    package var redirectScheme: Found<String>?
  }

  package var name: String
  /// The target in its project, or the built app.
  package var origin: FilePlace
  /// The name of a configuration that differs from the default one, such as `Debug`, or `nil` for the default one.
  package var configuration: String?
  package var platform = Platform.iOS
  package var isExtension = false
  package var sdkVersion: String?
  /// Whether the project names a commit of the SDK, whose version is not known.
  var isOfCommit = false
  package var bundleID: Found<String>?
  package var teamID: Found<String>?
  package var displayName: String?
  /// `CFBundleURLSchemes`.
  package var urlSchemes: FoundList?
  /// `LSApplicationQueriesSchemes`.
  package var querySchemes: FoundList?
  package var usesScenes: FilePlace?
  /// The class of the scene delegate, as Info.plist names it.
  var sceneDelegate: Found<String>?
  /// The place of the scenes of Info.plist, if no scene has a delegate.
  var lackingSceneDelegate: FilePlace?
  /// Whether the code declares a class of that name, or `nil` if that is not known.
  var hasSceneDelegate: Bool?
  package var entitlements = Entitlements.unread
  /// The missing entitlements file that a build setting names, with the place of the setting.
  var missingEntitlements: Found<String>?
  /// The missing Info.plist that a build setting names, with the place of the setting.
  var missingInfo: Found<String>?
  /// The file that resembles it.
  var similarInfo: String?
  /// Whether a build may make the missing file, or it may not be published.
  var mayHaveInfo = false
  /// The property lists of the build that are not property lists.
  var damaged: [UnreadFile] = []
  /// The property list with the client ID, if no build copies it into the app.
  var unbundledList: Found<String>?
  /// Whether a script of the build may add URL schemes that the file does not have.
  var hasGeneratedSchemes = false
  /// The value of `CFBundleURLSchemes` if it is a string, although the system expects an array.
  var schemeText: Found<String>?
  package var intune: Intune?
  package var source: SourceFacts?
  /// The library through which the app uses MSAL in code that is not read, such as Flutter's `msal_auth` or MSAL.NET.
  package var library: Found<String>?
  /// Whether the app uses MSAL through a library that may hand the broker's answer to the SDK itself.
  ///
  /// Libraries that leave it to the app's delegate: stashenergy/react-native-msal, `ios/RNMSAL.m`; moodio/msal-flutter,
  /// `ios/Classes/SwiftMsalFlutterPlugin.swift`; nayanAubie/msal_auth, `README.md`, “iOS Configuration”. Others may switch the broker off (fabio21/azure_ad_authentication,
  /// `ios/Classes/SwiftAzureAdAuthenticationPlugin.swift`).
  var mayHaveLibraryCallback: Bool {
    library.map { library in
      !["react-native-msal", "msal_flutter"].contains(library.value)
        && !(library.value == "msal_auth" && wrapperBrokerUse == .auto)
    } ?? false
  }
  /// Whether the library is MSAL.NET.
  var usesDotNet: Bool { library?.value == ProjectNote.dotNetLibrary }
  /// Whether C# in the folder of the platform names MSAL.
  var namesMSALInPlatform = false
  /// The place where the wrapper's own code sets up the library for this platform.
  var wrapperSetUp: FilePlace?
  /// Whether the wrapper's own code lets the SDK call the broker, or `nil` if the code does not say.
  var wrapperBrokerUse: BrokerUse?
  /// Whether the wrapper's project names its library, and none of its scripts does.
  var isWrapperUnused = false
  /// Whether the SDK asks for no keychain group and uses the app's own, as version 1 of MSAL.NET does.
  var usesOwnGroup = false
  /// The keychain group that the wrapper's own code sets.
  var wrapperGroup = SourceFacts.Setting.absent
  /// Whether a script of the wrapper's project passes the client ID, authority, and redirect URI to the SDK.
  var isConfiguredByScript = false
  /// Whether the script sets the redirect URI at most in code that is not read, so that it may be the SDK's default.
  var mayHaveDefaultRedirect = false
  /// The redirect URIs that C# code passes to MSAL.NET, or an empty array if one cannot be determined.
  var redirectsOfDotNet: [Found<String>] = []
  /// The place where C# code lets MSAL.NET call the broker, if none hands the broker's answer back to it.
  var lackingContinuation: FilePlace?
  /// The place where the entitlements restrict the app to a sandbox without outgoing connections, if they do.
  package var isCutOff: FilePlace?
  /// Whether the app is known to be built without a team.
  package var isUnsigned = false
  /// Whether no project file says which sources and settings belong to the app.
  var isBareFolder = false
  /// The SDK that is inferred from a built app, or from property lists without source.
  var impliedSDK: SDKKind?
  /// The URL forwarding that is inferred from the names in a built app's executable.
  var builtForwarding: Found<URLForwarding>?
  /// The redirect URI of unsigned apps, if a built app for macOS contains it.
  var builtRedirectURI: Found<String>?
  /// The keys of Info.plist and entitlements that resemble missing ones.
  package var misspelt: [MisspeltKey] = []
  /// Whether this is an `.app` or `.ipa`, in which the values that code sets are not visible.
  var isBuilt = false
}

extension AppleFacts {
  /// The variable that represents the bundle ID in an Info.plist without its project.
  static let bundleIDVariable = "$(PRODUCT_BUNDLE_IDENTIFIER)"

  /// The name by which checks refer to the app, such as `Mail` or `Mail (Debug)`.
  package var subject: String { configuration.map { "\(name) (\($0))" } ?? name }

  package var sdk: SDKKind? { source?.sdk?.value ?? impliedSDK }

  /// Whether the redirect URI is unknown.
  ///
  /// Either the source sets it to a value that cannot be determined, or no file that was read creates the application
  /// object.
  var hasUnknownRedirect: Bool {
    // An app that uses a library has the SDK's default if it registers the default scheme or if it has native code.
    if library != nil, !isConfiguredByScript {
      let schemes = urlSchemes?.values ?? []
      let isDefault =
        bundleID.map { schemes.contains(PlatformDefaults.redirectScheme(bundleID: $0.value)) } ?? false
      // The library may be given the redirect URI of another scheme that the app registers; an entire URI is not a
      // scheme.
      let mayBeOther = schemes.contains {
        ($0.hasPrefix("msal") || $0.hasPrefix("msauth")) && !$0.contains(":")
      }
      return !isDefault && (source == nil || mayBeOther)
    }
    guard let source else { return false }
    if case .unknown = source.redirectURI { return true }
    return source.redirectURI == .absent && source.clientID == .absent
  }

  /// Whether code computes the redirect URI, and Info.plist has the scheme that a broker can call.
  var mayHaveBrokerRedirect: Bool {
    guard case .unknown? = source?.redirectURI, let bundleID else { return false }
    return urlSchemes?.values.contains(PlatformDefaults.redirectScheme(bundleID: bundleID.value)) == true
  }

  /// The version of MSAL, or `nil` if it is not known.
  private var version: MSALVersion? { sdk == .msal ? sdkVersion.flatMap(MSALVersion.init) : nil }

  /// Whether the app uses a version of MSAL before 0.3: its classes or its redirect URI, `msal<client ID>://auth`, are
  /// others (`MSALRedirectUriVerifier.m` of 0.2.3).
  var isOutdated: Bool { source?.isOutdated == true || version.map { $0 < MSALVersion(0, 3, 0) } ?? false }

  /// Whether the SDK rejects an app without the broker's query schemes, as MSAL does since version 1.0.6.
  var checksQuerySchemes: Bool { version.map { $0 >= MSALVersion(1, 0, 6) } ?? !isOfCommit }

  /// Whether the SDK rejects a redirect URI that a broker cannot use, as MSAL does since version 2.
  ///
  /// Earlier versions open the browser instead.
  var checksBrokerCapability: Bool {
    version.map { $0 >= MSALVersion(2, 0, 0) } ?? !isOfCommit
  }

  /// Whether the files of the app's platform show that it uses the library, and not only the wrapper's project.
  ///
  /// A wrapper creates folders for all platforms, even for those for which the app is never built.
  var isSetUp: Bool {
    library == nil || showsMSAL || source?.sdk != nil || namesMSALInPlatform
      || wrapperSetUp != nil && !isAsMadeByTemplate
  }

  /// Whether the app of React Native, Flutter, or MAUI is unchanged from its template, so that it may never be built: it
  /// has no team, an example's bundle ID, no keychain group, and no MSAL pod.
  private var isAsMadeByTemplate: Bool {
    ["org.reactjs.native.example.", "com.example.", "com.companyname."].contains {
      bundleID?.value.hasPrefix($0) == true
    }
      && teamID == nil && sdkVersion == nil && !namesGroups
  }

  /// Whether the entitlements name keychain groups, as no template does.
  var namesGroups: Bool { if case .groups(_?, _) = entitlements { true } else { false } }

  /// Whether a broker can serve the app's authority, or `nil` if its kind cannot be determined.
  ///
  /// Only authorities of Azure AD have a broker (`supportsBrokeredAuthentication`). A source that does not create an
  /// authority uses the SDK's default, which is one.
  var hasBroker: Bool? {
    guard let source else { return true }
    if source.isNativeAuth { return false }
    var kinds = Set(source.authorityClasses.compactMap { Self.brokers[$0] })
    // The class decides, whatever the URL.
    if kinds.isEmpty, let authority = source.authority.found.flatMap({ try? Authority($0.value) }) {
      kinds.insert(authority.errorAsAzureAD == nil)
    }
    if kinds.contains(true) { return true }
    if kinds.contains(false) { return false }
    // The object may be created by a package whose source is not read.
    let isMade = source.makesApplication || sdk == .adal || isConfiguredByScript && wrapperBrokerUse == .auto
    return source.authority == .absent && isMade ? true : nil
  }

  private static let brokers = [
    "MSALAADAuthority": true, "MSALB2CAuthority": false, "MSALCIAMAuthority": false,
    "MSALADFSAuthority": false,
  ]

  /// Returns the mistake for which Entra refuses the scopes of a request, or `nil`; other providers have scopes of any
  /// form.
  func refusal(ofScopes scopes: [String]) -> RequestScopesMistake? {
    hasBroker == true ? RequestScopesMistake(scopes) : nil
  }

  package var clientID: Found<String>? {
    source?.clientID.found ?? intune?.clientID ?? (isBuilt ? clientIDOfScheme : nil)
  }

  /// The redirect URI that was found, or `nil` for the SDK's default.
  var givenRedirectURI: String? { (source?.redirectURI.found ?? builtRedirectURI)?.value }

  /// The client ID of a URL scheme `msal<client ID>`.
  private var clientIDOfScheme: Found<String>? {
    urlSchemes?.items.lazy.compactMap { scheme in
      guard scheme.value.hasPrefix("msal"), let id = UUID(uuidString: String(scheme.value.dropFirst(4)))
      else {
        return nil
      }
      return Found(id.uuidString.lowercased(), scheme.place)
    }.first
  }

  /// The keychain access group that the SDK uses, without the team prefix (docs/behaviour/keychain.md §4).
  package var sharingGroup: String? {
    guard !usesOwnGroup else { return nil }
    let group = source?.keychainGroup ?? wrapperGroup
    // ADAL has its own default since 1.1.0 (`ADKeychainTokenCacheStore.m`).
    if group == .absent, sdk == .adal, sdkVersion?.hasPrefix("1.0.") == true { return nil }
    if case .unknown = group { return nil }
    return group.found.map { String($0.value.dropFirst(teamLength(of: $0.value))) }
      ?? PlatformDefaults(platform).sharingGroup
  }

  /// Returns the length of the team with which a group begins, and its dot.
  ///
  /// It is the app's team, or any team if the files do not name one. MSAL adds the team only to a group that lacks it.
  ///
  /// Source: microsoft-authentication-library-common-for-objc, `MSIDKeychainTokenCache.m`, `initWithGroup:error:`.
  func teamLength(of group: String) -> Int {
    let team = group.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    let isTeam = teamID.map { $0.value == team } ?? (team.count == 10)
    return isTeam && group.dropFirst(team.count).first == "." ? team.count + 1 : 0
  }
}

/// The version of MSAL for iOS and macOS.
private struct MSALVersion: Comparable {
  private let parts: [Int]

  init(_ major: Int, _ minor: Int, _ patch: Int) { parts = [major, minor, patch] }

  /// Creates a version from a text such as `1.0.0-hotfix2`, or returns `nil` for any other text.
  init?(_ text: String) {
    let numbers = text.split(separator: ".").prefix(3).map { Int($0.prefix(while: \.isNumber)) }
    guard numbers.count == 3, !numbers.contains(nil) else { return nil }
    parts = numbers.compactMap(\.self)
  }

  static func < (one: Self, other: Self) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }
}

/// A position in a file.
package struct FilePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path as the user typed it, or a path below it.
  package var path: String
  /// The one-based line number, or `nil` for a file without lines.
  package var line: Int?

  package init(_ path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  package var description: String { line.map { "\(path):\($0)" } ?? path }

  /// Whether the file is a header of Objective-C.
  var isHeader: Bool { path.hasSuffix(".h") || path.hasSuffix(".pch") }

  /// Returns whether a file is an example, whose values a build does not use.
  static func isExample(_ path: String) -> Bool {
    ["example", "sample", "template", "dist"].contains { fileName(path).lowercased().contains($0) }
  }
}

/// A value that was read, and its place.
package struct Found<Value: Hashable & Sendable>: Hashable, Sendable, Placed {
  package var value: Value
  package var place: FilePlace
  /// Whether it is the value that applies if the build does not set one.
  package var isFallback = false

  package init(_ value: Value, _ place: FilePlace) {
    self.value = value
    self.place = place
  }
}

/// A value with the place where it was read.
protocol Placed {
  var place: FilePlace { get }
}

extension Array where Element: Placed {
  /// Appends a value, unless one was read at its place before.
  mutating func appendOnce(_ value: Element) {
    if !contains(where: { $0.place == value.place }) { append(value) }
  }
}

/// A list of strings, and the place where it begins, which is also the place of missing values.
package struct FoundList: Hashable, Sendable, Placed {
  package var items: [Found<String>]
  package var place: FilePlace

  package init(_ items: [Found<String>], _ place: FilePlace) {
    self.items = items
    self.place = place
  }

  package var values: [String] { items.map(\.value) }

  /// Whether an item has a variable of the build whose value the files do not show.
  var hasUnknownItem: Bool { values.contains { $0.split(separator: "$").contains(where: Self.isUnknown) } }

  /// Returns whether a text begins with a variable of the build without its dollar sign: `(NAME)`, `{NAME}`.
  ///
  /// A misspelt name of Xcode's has no value.
  private static func isUnknown(_ text: Substring) -> Bool {
    guard let open = text.first, open == "(" || open == "{" else { return false }
    let name = String(text.dropFirst().prefix { ![")", "}", ":"].contains($0) })
    return known.closestSpelling(to: name, most: 2) == nil
  }

  /// The variables of Xcode that represent the same value on both sides of each comparison.
  private static let known = [
    "PRODUCT_BUNDLE_IDENTIFIER", "CFBundleIdentifier", "AppIdentifierPrefix", "TeamIdentifierPrefix",
  ]
}
