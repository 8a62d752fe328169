import Essentials
import SSOCore
import SSOKeychain

/// The context of one app's SDK: the app, its device, its keychain and defaults, and the system's services.
///
/// The lab connects these to the simulated device and the provider; the SDK knows no more than a real SDK does.
package struct AppContext {
  package var app: InstalledApp
  package var device: Device
  package var installed: [InstalledApp]
  package var now: Instant
  package var random: RandomSource
  package var trace: TraceRecorder
  package var keychain: Keychain
  /// The most recently read metadata, which consecutive users of the same keychain share.
  package var lastMetadata: LastMetadata
  /// The app's NSUserDefaults, in which the SDK uses one dictionary (docs/behaviour/broker.md §5).
  package var defaults: AppDefaults
  /// The memory of the app's process.
  package var process: ProcessMemory
  package var system: any SystemServices
  /// Whether another interactive call of this app is running.
  package var isBusy = false

  package init(
    app: InstalledApp, device: Device, installed: [InstalledApp], now: Instant, random: RandomSource,
    trace: TraceRecorder, keychain: Keychain, lastMetadata: LastMetadata = LastMetadata(),
    defaults: AppDefaults, process: ProcessMemory, system: any SystemServices
  ) {
    self.app = app
    self.device = device
    self.installed = installed
    self.now = now
    self.random = random
    self.trace = trace
    self.keychain = keychain
    self.lastMetadata = lastMetadata
    self.defaults = defaults
    self.process = process
    self.system = system
  }

  /// The unified cache in the app's access group.
  var tokenCache: TokenCache {
    TokenCache(
      keychain: keychain, accessGroup: app.sharedAccessGroup, lastMetadata: lastMetadata,
      keepsMetadata: app.msal.keepsMetadata)
  }
  /// ADAL's cache in the same access group.
  var legacyCache: LegacyCache { LegacyCache(keychain: keychain, accessGroup: app.sharedAccessGroup) }

  /// The context without a trace, for a reader that is not the SDK.
  var untraced: AppContext {
    var context = self
    context.trace = TraceRecorder(isDisabled: true)
    context.keychain.trace = context.trace
    return context
  }

  var busyCheck: Check {
    Check(
      "no other interactive call is under way", expected: "none", found: isBusy ? "one" : "none", !isBusy,
      source: "broker.md §9", failure: "another interactive call is under way")
  }

  /// Returns the check that the fields of a redirect URI have the state that the SDK sent.
  func checkState(_ sent: String, in fields: [NameValue]) -> Check {
    let found = fields["state"]
    return Check(
      "state equals", expected: sent, found: found ?? "none", found == sent, source: "RFC 6749 §10.12",
      failure: "the state differs")
  }
}

/// The services of the system, the network, and the user for one app, or for the broker while it responds to one app.
///
/// Throws `StoreError`, and the error that ends this run of the intent if the user must be prompted. No caller may
/// catch the latter.
package protocol SystemServices {
  /// Sends one HTTP request to the provider.
  func send(_ request: HTTPRequest) throws -> HTTPResponse
  /// Shows web pages, from this request until a redirect or until the user closes them.
  func browse(_ request: HTTPRequest, in browser: WebBrowser) throws -> WebResult
  /// Sends a request to the broker, by `openURL` or as a call that the system relays.
  ///
  /// The app is in the background after `openURL`, until it comes back.
  /// - Throws: `ExtensionNotHandled`.
  func open(_ url: String, by call: BrokerCall) throws -> BrokerReturn
  /// Leaves a string on the named pasteboard `WPJ`.
  func leaveOnPasteboard(_ text: String) throws
  /// Returns the accounts of the device, as its broker reports them: all, or only those whose tokens it gave to an app.
  func deviceAccounts(knownTo bundleID: String?) throws -> [SDKAccount]
  /// Sends a request to the broker that must not show anything, as a call that the system relays, and returns the
  /// fields of the response.
  func askBrokerSilently(_ request: String) throws -> [NameValue]
  /// Tells the broker that the app no longer knows an account, by a call that the trace shows as the action.
  func signOutOfBroker(homeAccountID: String, action: String, sent: [NameValue]) throws
  /// Shows the account picker and returns the choice, or `nil` if the user went back to the app.
  func choose(_ picker: AccountPicker) throws -> PickedAccount?
}

/// The browser in which a page is shown, with the credentials that it presents in addition to its cookies.
package enum WebBrowser: Hashable {
  /// The system's web session or the app's own web view, depending on the app's configuration.
  case ofApp
  /// The broker's web view, which signs the user in without a password if it presents a primary refresh token.
  case ofBroker(primaryRefreshToken: String?)
  /// The system browser, which can present a certificate of the device.
  case ofSystem
}

/// The user's choice in the account picker.
package enum PickedAccount: Hashable {
  case account(homeAccountID: String)
  case another
}

/// The way in which the app came back from the broker.
///
/// iOS delivers a URL between WillEnterForeground and DidBecomeActive (docs/behaviour/broker.md §9).
package enum BrokerReturn: Hashable {
  /// No URL was opened, because the call itself returned the broker's fields.
  case returned([NameValue])
  /// The SDK received the URL in time.
  case delivered(URLDelivery)
  /// The app became active again without a URL; `late` is a URL that came afterwards, or `nil` if it never came.
  case empty(late: URLDelivery?)
  /// The app was terminated while the broker was active.
  ///
  /// If there was a URL, it relaunched the app.
  case restarted(URLDelivery?)
}

/// The error `ASAuthorizationErrorNotHandled`: the system's call to the SSO extension ended without a response
/// (docs/behaviour/broker.md §13).
package struct ExtensionNotHandled: Error, Hashable {
  package static let code = 1003

  package init() {}
}

/// A URL as an app delegate receives it.
///
/// iOS 13 and later hide the source application if it belongs to another team.
package struct URLDelivery: Hashable {
  package var url: String
  package var sourceApplication: String?

  package init(url: String, sourceApplication: String?) {
    self.url = url
    self.sourceApplication = sourceApplication
  }
}

/// The way in which a web session ended.
package enum WebResult: Hashable {
  case redirected(String)
  /// The user closed it; `page` is the error page that it showed, or `nil` if it did not show one.
  case cancelled(page: String?)
}

/// A user whose data Intune protects in an app, as the Intune SDK stores it in the app's defaults.
///
/// See docs/behaviour/broker.md §11.
package struct IntuneEnrollment: Codable, Hashable {
  var tenantID: String
  var objectID: String
  var homeAccountID: String
  var userID: String
  var enrollmentID: String

  package init(
    tenantID: String, objectID: String, homeAccountID: String, userID: String, enrollmentID: String
  ) {
    self.tenantID = tenantID
    self.objectID = objectID
    self.homeAccountID = homeAccountID
    self.userID = userID
    self.enrollmentID = enrollmentID
  }

  private enum CodingKeys: String, CodingKey {
    case tenantID = "tid"
    case objectID = "oid"
    case homeAccountID = "home_account_id"
    case userID = "user_id"
    case enrollmentID = "enrollment_id"
  }
}

/// The app's NSUserDefaults, in which the SDK uses one dictionary.
///
/// They are deleted with the app; the keychain is not (keychain.md §1(12)).
///
/// Throws `StoreError`.
package struct AppDefaults {
  static let resumeKey = "adal-broker-resume-dictionary"

  package var documents: any DocumentStore
  /// The key of the document: `<device>/<bundle ID>`.
  package var key: String

  package init(documents: any DocumentStore, key: String) {
    self.documents = documents
    self.key = key
  }

  package func resumeState() throws -> ResumeState? {
    try documents.read([String: [String: String]].self, .appDefaults, key)?[Self.resumeKey].map(
      ResumeState.init)
  }

  package func setResumeState(_ state: ResumeState?) throws {
    guard let state else { return try documents.delete(.appDefaults, key) }
    try documents.write([Self.resumeKey: state.values], .appDefaults, key)
  }
}

extension AppDefaults {
  private static let intuneKey = "intune_app_protection_enrollment_id_V1"
  private var documentKey: String { key + "/" + Self.intuneKey }

  func enrollments() throws -> [IntuneEnrollment] {
    try documents.read([String: [IntuneEnrollment]].self, .appDefaults, documentKey)?["enrollment_ids"] ?? []
  }

  /// Adds an enrollment, or replaces the enrollment of the same account.
  package func enroll(_ enrollment: IntuneEnrollment) throws {
    let others = try enrollments().filter { $0.homeAccountID != enrollment.homeAccountID }
    try documents.write(["enrollment_ids": others + [enrollment]], .appDefaults, documentKey)
  }

  func enrollmentID(homeAccountID: String) throws -> String? {
    try enrollments().first { normalized($0.homeAccountID) == normalized(homeAccountID) }?.enrollmentID
  }

  /// The file in which MSAL for Android keeps the account of an app for one account
  /// (`SingleAccountPublicClientApplication.java`).
  private static let singleAccountFile = "com.microsoft.identity.client.single_account_credential_cache"
  private var singleAccountKey: String { key + "/" + Self.singleAccountFile }

  /// Returns the account that the app had when it last asked for the current one.
  func singleAccount() throws -> SDKAccount? {
    try documents.read(SDKAccount.self, .appDefaults, singleAccountKey)
  }

  func setSingleAccount(_ account: SDKAccount?) throws {
    guard let account else { return try documents.delete(.appDefaults, singleAccountKey) }
    try documents.write(account, .appDefaults, singleAccountKey)
  }

  /// Removes everything that the app stores in its defaults.
  package func clear() throws {
    try setResumeState(nil)
    try setSingleAccount(nil)
    try documents.delete(.appDefaults, documentKey)
  }

  /// Returns the parameter `intune_enrollment_ids`, the JSON of the default, or `nil` without enrollments.
  func enrollmentsParameter() throws -> String? {
    let enrollments = try enrollments()
    guard !enrollments.isEmpty else { return nil }
    return String(decoding: try encodeJSON(["enrollment_ids": enrollments]), as: UTF8.self)
  }

  /// Returns one user's enrollment ID in that parameter, or `nil` if the user is not enrolled.
  static func enrollmentID(in parameter: String?, homeAccountID: String) -> String? {
    guard let list = parameter.flatMap({ JSONValue(bounded: Array($0.utf8)) })?["enrollment_ids"]?.array
    else {
      return nil
    }
    return list.first { $0["home_account_id"]?.string?.lowercased() == homeAccountID.lowercased() }?[
      "enrollment_id"]?.string
  }
}
