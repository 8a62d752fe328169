/// What the SDK holds in the memory of an app's running process: gone when the process ends (docs/behaviour/msal-cache.md §9).
///
/// A process lasts from the app's first call until the app is ended (`Intent.endApp`) or undo takes the call back: our
/// choice, since a lab has no system that ends apps by itself.
package struct AppProcess: Codable, Hashable, Sendable {
  /// Answers of instance discovery; only the clouds that this process asked about.
  var clouds: [EnvironmentAliases.Cloud] = []
  /// Hosts that instance discovery did not know.
  var invalidHosts: [String] = []
  /// OpenID configurations that were loaded, by URL.
  var configurations: [String: OpenIDConfiguration] = [:]
  /// Failed requests that are not sent again for a while.
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

/// A failed request that the SDK answers itself until a moment (`CC/throttling`; docs/behaviour/silent-call.md §4).
struct Throttle: Codable, Hashable, Sendable {
  var createdAt: Instant
  var until: Instant
  var answer: ServerRefusal
}

/// What a token endpoint answered instead of tokens.
enum ServerRefusal: Codable, Hashable, Sendable {
  case oauth(code: String, reason: String, aadsts: Int?, suberror: String?)
  case status(Int, headers: [NameValue])
}

/// The process of one app while an intent runs: read at the start, saved as soon as it changes.
///
/// Throws `StoreError`.
package final class ProcessMemory {
  package private(set) var process: AppProcess
  private let save: (AppProcess) throws -> Void

  package init(_ process: AppProcess, save: @escaping (AppProcess) throws -> Void = { _ in }) {
    self.process = process
    self.save = save
  }

  /// Changes the process, and saves it if it is another one then.
  package func change(_ body: (inout AppProcess) -> Void) throws {
    var changed = process
    body(&changed)
    guard changed != process else { return }
    try save(changed)
    process = changed
  }
}
