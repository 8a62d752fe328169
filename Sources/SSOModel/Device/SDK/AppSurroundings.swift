import SSOCore
import SSOKeychain

/// What one app can reach while its SDK works: the system, its keychain, the network, the person.
///
/// The World joins these to the simulated device and provider; the SDK knows no more than an SDK does.
package struct AppSurroundings {
  var app: InstalledApp
  var device: Device
  var installed: [InstalledApp]
  var now: Instant
  package var chance: Chance
  package var trace: TraceRecorder
  package var keychain: Keychain
  /// The app's NSUserDefaults, of which the SDK uses one dictionary (fact sheet §5.5).
  package var defaults: AppDefaults
  /// What the app's process remembers.
  package var process: ProcessMemory
  /// One HTTP exchange with the provider.
  package var send: (HTTPRequest) throws -> HTTPResponse
  /// Shows a web session that begins with this request and ends at the redirect URI or with the person.
  var browse: (HTTPRequest) throws -> WebResult
  /// `openURL` of a request to the broker; the app is in the background until it comes back.
  var open: (String) throws -> BrokerReturn
  /// Leaves a text in the named pasteboard `WPJ`.
  var pasteboard: (String) throws -> Void
  /// Who is signed in on the device, by its broker.
  var deviceAccounts: () throws -> [MSALAccount]
  /// Another interactive call of this app is under way.
  package var isBusy = false

  package init(
    app: InstalledApp, device: Device, installed: [InstalledApp], now: Instant, chance: Chance,
    trace: TraceRecorder, keychain: Keychain, defaults: AppDefaults, process: ProcessMemory,
    send: @escaping (HTTPRequest) throws -> HTTPResponse, browse: @escaping (HTTPRequest) throws -> WebResult,
    open: @escaping (String) throws -> BrokerReturn, pasteboard: @escaping (String) throws -> Void,
    deviceAccounts: @escaping () throws -> [MSALAccount], isBusy: Bool = false
  ) {
    self.app = app
    self.device = device
    self.installed = installed
    self.now = now
    self.chance = chance
    self.trace = trace
    self.keychain = keychain
    self.defaults = defaults
    self.process = process
    self.send = send
    self.browse = browse
    self.open = open
    self.pasteboard = pasteboard
    self.deviceAccounts = deviceAccounts
    self.isBusy = isBusy
  }
}

extension AppSurroundings {
  var busyCheck: Check {
    Check(
      "no other interactive call is under way", expected: "none", found: isBusy ? "one" : "none", !isBusy,
      source: "fact sheet 5.9")
  }
}

/// How the app came back from the broker. iOS hands over a URL between WillEnterForeground and DidBecomeActive (fact sheet §5.9).
package enum BrokerReturn: Hashable {
  /// The SDK was handed the URL in time.
  case handed(URLDelivery)
  /// The app is active again without one; `late` came afterwards, if any did.
  case empty(late: URLDelivery?)
  /// The app had been ended meanwhile; the URL, if there was one, started it anew.
  case restarted(URLDelivery?)
}

/// A URL as an app delegate gets it. iOS 13 and later hide the source application of another team.
package struct URLDelivery: Hashable {
  var url: String
  var sourceApplication: String?

  package init(url: String, sourceApplication: String? = nil) {
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
