/// What one app can reach while its SDK works: the system, its keychain, the network, the person.
///
/// The World joins these to the simulated device and provider; the SDK knows no more than an SDK does.
struct AppSurroundings {
  var app: InstalledApp
  var device: Device
  var installed: [InstalledApp]
  var now: Instant
  var chance: Chance
  var trace: TraceRecorder
  var keychain: Keychain
  /// The app's NSUserDefaults, of which the SDK uses one dictionary (fact sheet §5.5).
  var defaults: AppDefaults
  /// One HTTP exchange with the provider.
  var send: (HTTPRequest) throws -> HTTPResponse
  /// Shows a web session that begins with this request and ends at the redirect URI or with the person.
  var browse: (HTTPRequest) throws -> WebResult
  /// `openURL`; gives the URL that the app was handed before it became active again, if any.
  var open: (String) throws -> URLDelivery?
}

/// A URL as an app delegate gets it. iOS 13 and later hide the source application of another team.
struct URLDelivery: Hashable {
  var url: String
  var sourceApplication: String?
}

/// How a web session ended.
enum WebResult: Hashable {
  case redirected(String)
  /// The person closed it; `page` is the error page it showed, if it did.
  case cancelled(page: String?)
}

/// The resume dictionary in the app's NSUserDefaults, `adal-broker-resume-dictionary` (fact sheet §5.5).
struct AppDefaults {
  static let resumeKey = "adal-broker-resume-dictionary"

  var documents: any DocumentStore
  /// `<device>/<bundle ID>`.
  var key: String

  func resumeState() throws -> [String: String]? {
    try documents.read([String: [String: String]].self, .appDefaults, key)?[Self.resumeKey]
  }

  func setResumeState(_ state: [String: String]?) throws {
    guard let state else { return try documents.delete(.appDefaults, key) }
    try documents.write([Self.resumeKey: state], .appDefaults, key)
  }
}
