/// What one app's SDK works with: the app, its device, its keychain and defaults, and the system's services.
///
/// The lab joins these to the simulated device and the provider; the SDK knows no more than an SDK does.
package struct AppContext {
  package var app: InstalledApp
  package var device: Device
  package var installed: [InstalledApp]
  package var now: Instant
  package var random: RandomSource
  package var trace: TraceRecorder
  package var keychain: Keychain
  /// Shared by those who look at the same keychain, one after the other.
  package var lastMetadata: LastMetadata
  /// The app's NSUserDefaults, of which the SDK uses one dictionary (docs/behaviour/broker.md §5).
  package var defaults: AppDefaults
  /// What the app's process keeps in memory.
  package var process: ProcessMemory
  package var system: any SystemServices
  /// Another interactive call of this app is under way.
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

  var busyCheck: Check {
    Check(
      "no other interactive call is under way", expected: "none", found: isBusy ? "one" : "none", !isBusy,
      source: "broker.md §9")
  }
}

/// What the system, the network and the person do for one app, or for the broker while it answers one app.
///
/// Throws `StoreError`, and what ends this run of the intent where the person has to be asked: no caller may catch that.
package protocol SystemServices {
  /// One HTTP request to the provider.
  func send(_ request: HTTPRequest) throws -> HTTPResponse
  /// Shows web pages, from this request until a redirect or until the person closes them.
  func browse(_ request: HTTPRequest, in browser: WebBrowser) throws -> WebResult
  /// A request to the broker: by `openURL`, with the app in the background until it comes back, or as a call of the
  /// system's.
  func open(_ url: String) throws -> BrokerReturn
  /// Leaves a text in the named pasteboard `WPJ`.
  func leaveOnPasteboard(_ text: String) throws
  /// The accounts of the device, by its broker.
  func deviceAccounts() throws -> [SDKAccount]
  /// Shows the account picker; nil: the person went back to the app.
  func choose(_ picker: AccountPicker) throws -> PickedAccount?
}

/// In which browser a page is shown, and what it presents besides its cookies.
package enum WebBrowser: Hashable {
  /// The system's web session or the app's own web view, as the app is set up.
  case ofApp
  /// The broker's web view. A primary refresh token that it presents signs in without a password.
  case ofBroker(primaryRefreshToken: String?)
  /// The system's browser, which can show a certificate of the device.
  case ofSystem
}

/// What the person chose in the picker.
package enum PickedAccount: Hashable {
  case account(homeAccountID: String)
  case another
}

/// How the app came back from the broker.
///
/// iOS hands over a URL between WillEnterForeground and DidBecomeActive (docs/behaviour/broker.md §9).
package enum BrokerReturn: Hashable {
  /// No URL was opened: the call itself returned the broker's fields.
  case returned([NameValue])
  /// The SDK was handed the URL in time.
  case handed(URLDelivery)
  /// The app is active again without one; `late` came afterwards, if any did.
  case empty(late: URLDelivery?)
  /// The app had been ended meanwhile; the URL, if there was one, started it anew.
  case restarted(URLDelivery?)
}

/// A URL as an app delegate gets it.
///
/// iOS 13 and later hide the source application of another team.
package struct URLDelivery: Hashable {
  package var url: String
  package var sourceApplication: String?

  package init(url: String, sourceApplication: String?) {
    self.url = url
    self.sourceApplication = sourceApplication
  }
}

/// How a web session ended.
package enum WebResult: Hashable {
  case redirected(String)
  /// The person closed it; `page` is the error page it showed, if it did.
  case cancelled(page: String?)
}
