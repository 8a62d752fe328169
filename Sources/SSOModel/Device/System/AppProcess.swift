/// The SDK's data in the memory of an app's running process, lost when it ends (docs/behaviour/msal-cache.md §9).
///
/// A process lasts from the app's first call until the app is terminated (`Intent.endApp`) or undo takes the call back.
/// This is SSOTerm's choice, because a lab has no system that terminates apps on its own.
package struct AppProcess: Codable, Hashable, Sendable {
  /// The responses of instance discovery, only for the clouds that this process asked about.
  var clouds: [EnvironmentAliases.Cloud] = []
  /// The hosts that instance discovery did not know.
  var invalidHosts: [String] = []
  /// The OpenID configurations that were loaded, by URL.
  var configurations: [String: OpenIDConfiguration] = [:]
  /// The failed requests that are not sent again for a while.
  var throttles: [String: Throttle] = [:]

  package init() {}

  var aliases: EnvironmentAliases { EnvironmentAliases(clouds) }
}

/// The endpoints of an authority (OpenID Connect Discovery §3).
struct OpenIDConfiguration: Codable, Hashable, Sendable {
  var authorizationEndpoint: String
  var tokenEndpoint: String
  var endSessionEndpoint: String?
}

/// A failed request that the SDK itself answers until a given time (`CC/throttling`; docs/behaviour/silent-call.md §4).
struct Throttle: Codable, Hashable, Sendable {
  var createdAt: Instant
  var until: Instant
  var answer: ServerRefusal
}

/// A token endpoint's response that does not contain tokens.
enum ServerRefusal: Codable, Hashable, Sendable {
  case oauth(code: String, reason: String, aadsts: Int?, suberror: String?)
  case status(Int, headers: [NameValue])
}

/// The process of one app while an intent runs, which is read at the start and saved as soon as it changes.
///
/// Throws `StoreError`.
package final class ProcessMemory {
  package private(set) var process: AppProcess
  private let save: (AppProcess) throws -> Void

  package init(_ process: AppProcess, save: @escaping (AppProcess) throws -> Void = { _ in }) {
    self.process = process
    self.save = save
  }

  /// Changes the process, and saves it if it is different afterwards.
  package func change(_ body: (inout AppProcess) -> Void) throws {
    var changed = process
    body(&changed)
    guard changed != process else { return }
    try save(changed)
    process = changed
  }
}
