import SSOCore
import SSOKeychain
import SSOReference

/// MSAL for Android (docs/behaviour/android.md).
///
/// The keychain's place is taken by the app's SharedPreferences, and Info.plist's by the manifest.
struct AndroidMSAL: MSALLibrary {
  var creation: String { "PublicClientApplication create" }
  var validatesBeforeBroker: Bool { false }

  /// Returns the authority of `getAuthorityFromAuthorityUrl`, which does not look at the scheme.
  ///
  /// An Azure AD authority is asked by https in any case (`AzureActiveDirectoryAuthority.getAuthorityUri`).
  func authority(_ url: String) throws(SDKError) -> Authority {
    let start = "http://"
    let isPlain = url.lowercased().hasPrefix(start)
    let secure = isPlain ? "https://" + String(url.dropFirst(start.count)) : url
    let made: Result<Authority, SDKError> = Result { () throws(SDKError) in try Authority(secure) }
    switch made {
    case .success(let authority): return authority
    case .failure where url.contains(where: \.isWhitespace):
      throw SDKError.illegalArgument("Invalid authority URL")
    case .failure: throw MSALError.make(code: .failedAuthorityValidation, "")
    }
  }

  /// Returns the checks of `validateConfiguration` and `checkIntentFilterAddedToAppManifestForBrokerFlow`.
  ///
  /// A redirect URI that does not begin with `msauth://<package name>/` switches the broker off and is not compared with
  /// the signature (android.md §1).
  func applicationChecks(of app: InstalledApp, on platform: Platform) -> (checks: [Check], error: SDKError?) {
    var checks: [Check] = []
    func fails(_ check: Check) -> Bool {
      checks.append(check)
      return check.verdict == .failed
    }
    if let error = app.configurationRefusal {
      let check = Check(
        "the configuration is accepted", expected: "no error", found: app.configurationError ?? "", false,
        source: "android.md §1", remedy: Remedy(.app, app.bundleID, "configurationError="),
        failure: "MSAL refuses its configuration")
      return ([check], error)
    }
    let parts = URLParts(app.redirectURI)
    if fails(
      Check(
        "client_id is given", expected: "a client ID", found: app.clientID.isEmpty ? "none" : app.clientID,
        !app.clientID.isEmpty, source: "android.md §1", failure: "it has no client ID"))
    {
      return (checks, .illegalArgument("client_id cannot be null.  Invalid configuration."))
    }
    if fails(
      Check(
        "redirect_uri has a scheme and an authority", expected: "msauth://\(app.bundleID)/…",
        found: app.redirectURI.isEmpty ? "none" : app.redirectURI,
        app.redirectScheme != nil && parts?.authority.isEmpty == false, source: "android.md §1",
        remedy: Remedy(.app, app.bundleID, "redirectURI=\(Self.wantedRedirectURI(of: app))"),
        failure: "its redirect_uri has no scheme or no authority"))
    {
      return (checks, .illegalArgument("Invalid, null, or malformed redirect_uri supplied"))
    }
    if fails(intentFilter(of: app)) { return (checks, .filterMissing(parts)) }
    if app.brokerUse == .auto, Self.isOfBroker(app.redirectURI, package: app.bundleID),
      fails(app.brokerCapability)
    {
      return (checks, .redirectURIDiffers(from: Self.wantedRedirectURI(of: app), app.redirectURI))
    }
    guard let created = app.createdAs, fails(Self.accountMode(of: app, created)) else { return (checks, nil) }
    return (checks, .accountModeDiffers(from: created))
  }

  private static func accountMode(of app: InstalledApp, _ created: AccountMode) -> Check {
    let mode = app.accountMode ?? .multiple
    return Check(
      "account_mode is that of the application object", expected: created.rawValue, found: mode.rawValue,
      mode == created, source: "android.md §1",
      remedy: Remedy(.app, app.bundleID, "accountMode=\(created.rawValue)"),
      failure: "its account_mode is \(mode.rawValue), and its code creates an object for \(created.rawValue)")
  }

  private static func wantedRedirectURI(of app: InstalledApp) -> String {
    PlatformDefaults.androidRedirectURI(package: app.bundleID, signatureHash: app.teamID)
  }

  /// Whether a redirect URI is the broker's (`isBrokerRedirectUri`), whatever its hash.
  private static func isOfBroker(_ uri: String, package name: String) -> Bool {
    uri.hasPrefix("msauth://\(name)/")
  }

  private func intentFilter(of app: InstalledApp) -> Check {
    Check(
      "BrowserTabActivity takes the redirect URI", expected: "an intent filter in AndroidManifest.xml",
      found: app.urlForwarding == .neither ? "none" : "an intent filter", app.urlForwarding != .neither,
      source: "android.md §1", remedy: Remedy(.app, app.bundleID, "urlForwarding=both"),
      failure: "its AndroidManifest.xml has no intent filter for BrowserTabActivity")
  }

  /// Returns the conditions of `brokerEligible`, with `mUseBroker` as the configuration's check left it (android.md §2).
  func brokerConditions(of app: InstalledApp, _ authority: Authority?) -> [Check] {
    [
      Check(
        "broker_redirect_uri_registered", expected: "true", found: app.brokerUse == .auto ? "true" : "false",
        app.brokerUse == .auto, source: "android.md §2",
        remedy: Remedy(.app, app.bundleID, "brokerUse=auto"),
        failure: "broker_redirect_uri_registered is not true in its configuration"),
      app.brokerCapability,
      Check(
        "redirect URI begins as the broker's", expected: "msauth://\(app.bundleID)/, in this case",
        found: app.redirectURI, Self.isOfBroker(app.redirectURI, package: app.bundleID),
        source: "android.md §1",
        remedy: Remedy(.app, app.bundleID, "redirectURI=\(Self.wantedRedirectURI(of: app))"),
        failure: "its redirect URI does not begin with msauth://\(app.bundleID)/"),
      Check(
        "authority is Azure AD", expected: Authority.Kind.aad.rawValue,
        found: authority?.kind.rawValue ?? "no authority", authority?.kind == .aad,
        source: "android.md §2", failure: "its authority is not Azure AD's"),
    ]
  }

  /// A call without a prompt asks for the account, unless it names one (android.md §2(4)).
  func prompt(of request: SDKRequest) -> PromptBehavior {
    let names = request.account != nil || request.loginHint?.isEmpty == false
    return request.prompt == .whenRequired && !names ? .selectAccount : request.prompt
  }

  /// MSAL does not have a strategy for AD FS and throws an `UnsupportedOperationException` without a message, which
  /// `clientExceptionFromException` wraps (`ActiveDirectoryFederationServicesAuthority.java`).
  func pageRefusal(of authority: Authority) -> SDKError? {
    authority.kind == .adfs ? SDKError(MSALException("MsalClientException", "unknown_error"), "") : nil
  }

  var takesFirstAccount: Bool { true }
  var silentBroker: SilentBroker { .beforeCache }
  var throttlesRequests: Bool { false }
  var keepsMetadata: Bool { false }
  var cacheRules: CacheRules { CacheRules(buffer: 0, needRefreshToken: true, heedRefreshOn: false) }
  var checksArguments: Bool { false }
  var knowsAuthoritiesByList: Bool { true }
  var namesItselfInDiscovery: Bool { false }
  func message(after refusal: OAuthError?) -> String { refusal?.message ?? "" }

  /// The request names the library and the device in its query (android.md §4(9)).
  func pageFields(of request: SDKRequest, by app: InstalledApp, on device: Device) -> [NameValue] {
    let home = request.account?.identifier.split(separator: ".").map(String.init) ?? []
    let names = request.account != nil || request.loginHint?.isEmpty == false
    return Self.names(of: app) + device.androidNames
      + [
        NameValue("instance_aware", "false"), NameValue("login_req", home.first ?? ""),
        NameValue("domain_req", home.count == 2 ? home[1] : ""), NameValue("hsu", names ? "1" : ""),
      ]
  }

  func headers(of app: InstalledApp, on device: Device, _ correlationID: String) -> [NameValue] {
    Self.names(of: app) + device.androidNames
      + [
        NameValue("client-request-id", correlationID), NameValue("x-app-name", app.bundleID),
        NameValue("x-app-ver", app.version),
      ]
  }

  private static func names(of app: InstalledApp) -> [NameValue] {
    [NameValue("x-client-SKU", app.builtDefaults.sku), NameValue("x-client-Ver", app.sdkVersion)]
  }

  /// Since protocol 14.0, the broker keeps personal accounts too (`canSupportMsaAccountsInBroker`, android.md §3).
  var leavesTokensWithBroker: Bool { true }

  /// An app for a single account does not pass an account, because its object uses the account that is signed in.
  func missingAccount(of app: InstalledApp) -> SDKError {
    (app.createdAs ?? app.accountMode) == .single ? .noCurrentAccount : .accountMissing
  }
  var unknownAccount: SDKError? { .noAccountFound }

  /// Returns the exception of `MsalExceptionAdapter` and `ExceptionAdapter` (android.md §5).
  func reported(_ error: SDKError) -> SDKError {
    guard error.exception == nil else { return error }
    var error = error
    let (exception, message) = Self.exception(for: error)
    error.exception = exception
    error.description = message
    error.domain = exception.className
    return error
  }

  private static func exception(for error: SDKError) -> (MSALException, message: String) {
    // Of the ways to decline on a page, only the button that leaves it counts as closing it.
    if error.oauthError == OAuthErrorCode.accessDenied.text, error.suberror != OAuthSuberror.leftPage {
      return (MSALException("MsalServiceException", error.oauthError), error.description)
    }
    if error.isCancellation { return (MSALException("MsalUserCancelException", nil), "") }
    if error.suberror == OAuthSuberror.protectionPolicyRequired.text {
      let name = "MsalIntuneAppProtectionPolicyRequiredException"
      return (MSALException(name, error.oauthError), error.description)
    }
    if let oauth = error.oauthError {
      let needsPerson = [OAuthErrorCode.invalidGrant, .interactionRequired].map(\.text).contains(oauth)
      return (
        MSALException(needsPerson ? "MsalUiRequiredException" : "MsalServiceException", oauth),
        error.description
      )
    }
    switch MSALCode(number: error.preciseCode) {
    case .interactionRequired? where error.isCacheMiss:
      return (MSALException("MsalUiRequiredException", "no_tokens_found"), "No refresh token was found. ")
    case .interactionRequired?:
      return (MSALException("MsalUiRequiredException", "invalid_grant"), error.description)
    case .serverDeclinedScopes?:
      return (
        MSALException("MsalDeclinedScopeException", "declined_scope_error"),
        "Some or all requested scopes have been declined by the Server"
      )
    case .failedAuthorityValidation?:
      return (
        MSALException("MsalClientException", "unknown_authority"),
        "Provided authority is not known.  MSAL will only make requests to known authorities"
      )
    case .unhandledResponse?, .unexpectedHttpResponse?:
      return (
        MSALException("MsalServiceException", "unknown_error"),
        "Request failed, but no error returned back from service."
      )
    default:
      guard error.domain == "NSURLErrorDomain" else {
        return (MSALException("MsalClientException", "unknown_error"), error.description)
      }
      return (
        MSALException("MsalClientException", "io_error"),
        error.isOfDiscovery
          ? "Unable to perform cloud discovery" : "An IO error occurred with message: \(error.description)"
      )
    }
  }
}

extension Device {
  /// The level of the system's API, the processor, and the model; the latter two are SSOTerm's choice.
  fileprivate var androidNames: [NameValue] {
    let release = systemVersion?.split(separator: ".").first.flatMap { Int($0) } ?? 16
    // Android 12 has two levels, 31 and 32.
    let level = release < 13 ? release + 19 : release + 20
    return [
      NameValue("x-client-OS", String(level)), NameValue("x-client-CPU", "arm64-v8a"),
      NameValue("x-client-DM", "Pixel 8"),
    ]
  }
}

/// An exception of MSAL for Android or of MSAL.NET: its class and its error code.
package struct MSALException: Hashable, Sendable {
  package var className: String
  /// The value of `getErrorCode()` or `ErrorCode`, or `nil` for an exception without one.
  package var errorCode: String?
  private var isOfDotNet = false

  init(_ className: String, _ errorCode: String?) {
    self.className = className
    self.errorCode = errorCode
  }

  /// Creates an exception of .NET itself.
  init(ofSystem className: String) {
    self.className = className
    isOfDotNet = true
  }

  static func ofDotNet(_ className: String, _ errorCode: String) -> MSALException {
    var exception = MSALException(className, errorCode)
    exception.isOfDotNet = true
    return exception
  }

  /// The error code of MSAL.NET for a cancellation by the user.
  static let canceled = "authentication_canceled"

  var isCancellation: Bool { className == "MsalUserCancelException" || errorCode == Self.canceled }

  var needsInteraction: Bool {
    className == "MsalUiRequiredException"
      || ["no_account_found", Self.argument, Self.noCurrentAccount].contains(errorCode)
  }

  fileprivate static let argument = "illegal_argument_exception"
  fileprivate static let noCurrentAccount = "no_current_account"

  /// The name with its package or namespace; an `IllegalArgumentException` is Java's own.
  var fullName: String {
    if isOfDotNet {
      return (className.hasPrefix("Msal") ? "Microsoft.Identity.Client." : "System.") + className
    }
    return className.hasPrefix("Msal")
      ? "com.microsoft.identity.client.exception." + className : "java.lang." + className
  }
}

extension InstalledApp {
  /// The exception of ``configurationError``: a class of Java's own, or else a code of `MsalClientException`.
  fileprivate var configurationRefusal: SDKError? {
    guard let text = configurationError, let mark = text.firstRange(of: ": ") else { return nil }
    let code = String(text[..<mark.lowerBound])
    let isClass = code.first?.isUppercase == true
    return SDKError(
      MSALException(isClass ? code : "MsalClientException", isClass ? nil : code),
      String(text[mark.upperBound...]))
  }
}

extension SDKError {
  init(_ exception: MSALException, _ message: String) {
    self.init(sdk: .msal, domain: exception.className, code: 0, description: message)
    self.exception = exception
  }

  static func illegalArgument(_ message: String) -> SDKError {
    SDKError(MSALException("IllegalArgumentException", nil), message)
  }

  /// The error of a silent call without an account, which is checked before anything is read.
  static var accountMissing: SDKError {
    var error = SDKError(
      MSALException("MsalArgumentException", MSALException.argument), "account cannot be null or empty")
    error.isCacheMiss = true
    return error
  }

  /// The error of a silent call of an app for one account before any user has signed in.
  static var noCurrentAccount: SDKError {
    var error = SDKError(
      MSALException("MsalClientException", MSALException.noCurrentAccount),
      "There is no signed in account.")
    error.isCacheMiss = true
    return error
  }

  static var noAccountFound: SDKError {
    var error = SDKError(
      MSALException("MsalClientException", "no_account_found"),
      "No cached accounts found for the supplied localAccountId")
    error.isCacheMiss = true
    return error
  }

  fileprivate static func redirectURIDiffers(from wanted: String, _ found: String) -> SDKError {
    SDKError(
      MSALException("MsalClientException", "redirect_uri_validation_error"),
      """
      The redirect URI in the configuration file doesn't match with the one generated with package name and \
      signature hash. Please verify the uri in the config file and your app registration in Azure portal.We expected \
      '\(wanted)' and we received '\(found)'.
      """)
  }

  fileprivate static func accountModeDiffers(from created: AccountMode) -> SDKError {
    let refusal = created.refusal(hasListener: true)
    return SDKError(MSALException("MsalClientException", refusal.code), refusal.message)
  }

  fileprivate static func filterMissing(_ uri: URLParts?) -> SDKError {
    SDKError(
      MSALException("MsalClientException", "app_manifest_validation_error"),
      """
      Intent filter for: BrowserTabActivity is missing.  Please make sure you have the following activity in your \
      AndroidManifest.xml \n
      <activity android:name="com.microsoft.identity.client.BrowserTabActivity">
      \t<intent-filter>
      \t\t<action android:name="android.intent.action.VIEW" />
      \t\t<category android:name="android.intent.category.DEFAULT" />
      \t\t<category android:name="android.intent.category.BROWSABLE" />
      \t\t<data
      \t\t\tandroid:host="\(uri?.host ?? "null")"
      \t\t\tandroid:path="\(uri.flatMap { FormEncoding.decodeText($0.path, plusIsSpace: false) } ?? "null")"
      \t\t\tandroid:scheme="\(uri?.scheme ?? "null")" />
      \t</intent-filter>
      </activity>

      """)
  }
}

/// The texts of exceptions; most of an error's text is its message.
enum ExceptionLanguage {
  static func printed(_ error: SDKError, _ exception: MSALException) -> String {
    error.description.isEmpty ? exception.fullName : "\(exception.fullName): \(error.description)"
  }

  static func summary(_ error: SDKError, _ exception: MSALException) -> String {
    exception.errorCode ?? exception.className
  }
}
