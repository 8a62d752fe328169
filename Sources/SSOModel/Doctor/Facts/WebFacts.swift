import SSOCore
import SSOProvider

/// The facts from the files of a web app that uses MSAL.js.
package struct WebFacts: Hashable, Sendable {
  /// One configuration of MSAL.js: the object `auth` with the values that it represents.
  package struct Configuration: Hashable, Sendable {
    package var clientID = SourceFacts.Setting.absent
    package var authority = SourceFacts.Setting.absent
    /// The authority with `$(code)` for the parts that cannot be determined, if a part of it can.
    var authorityPattern: Found<String>?
    package var redirectURI = SourceFacts.Setting.absent
    /// The `knownAuthorities`, or `nil` if they cannot be determined.
    package var knownAuthorities: [String]? = []
    /// Whether the provider's hosts are part of the configuration.
    var hasOwnHosts = false
    /// Whether the provider's endpoints are part of the configuration.
    var hasOwnEndpoints = false
    /// Whether the protocol mode is that of providers other than Entra (`protocolMode`).
    var isOpenID = false
    /// The place of a `clientSecret`, whose value is never kept.
    package var secret: FilePlace?
    package var place: FilePlace
    /// The variables, by member, from which members take their values and which the bundler leaves out of the page.
    var unseen: [String: PageVariables.Unseen] = [:]
    /// The members that resemble missing ones.
    package var misspelt: [MisspeltKey] = []
    /// The members, by the member of `auth` that takes its value from it, that an object of the project lacks, with the one
    /// that resembles it.
    var missing: [String: MisspeltKey] = [:]
    /// The value of a member that resembles `authority`.
    var misspeltAuthority: String?
    /// Whether the client ID is written in the object itself.
    var isLiteral = false
    /// The place of `knownAuthorities` whose value is a string, which MSAL.js cannot use.
    var textOfKnownAuthorities: FilePlace?
    /// Whether a part of the object that is not read may have the redirect URI: `{ clientId, ...other }`.
    var mayHaveRedirect = false
  }

  package var name: String
  /// The place of the dependency in `package.json`, or of the script in a page.
  package var origin: FilePlace
  /// The first part of the version of MSAL.js that a range begins with, or `nil` if it is not known.
  package var libraryMajor: Int?
  package var configurations: [Configuration] = []
  /// Whether an app with its own window shows the page, such as Electron, which may take any redirect URI.
  var hasShell = false
  /// Whether the library is MSAL.js 1, for which only client secrets are checked.
  var isFirstVersion = false
  /// The places of configurations that a build cannot reach, because other files of the project do not name their
  /// files.
  package var leftOver: [FilePlace] = []
  /// Whether no other file names a file with a configuration, so that the app may not use any yet.
  var isLeftOver = false
  /// The lists of scopes that code has as literals, one for each request.
  var scopes: [FoundList] = []
  /// The redirect URIs of requests, which replace those of the configurations.
  var requestRedirects: [Found<String>] = []
  /// The scopes of requests that are a string, and not a list.
  var textsOfScopes: [Found<String>] = []
  /// The members `scope` of requests, which MSAL.js does not read.
  var misnamedScopes: [Found<String>] = []
  /// The elements `MsalProvider` without an application.
  var wrongProviders: [WrongProvider] = []
  /// The variables of lists of scopes that the bundler leaves out of the page.
  var unseenScopes: [PageVariables.Unseen] = []
  /// The objects for an application that have no `auth`, or whose `auth` has no client ID.
  var withoutClientID: [FilePlace] = []
  /// The mistakes in how the app starts MSAL.js.
  var startFaults: [StartFault] = []
  /// Whether the app signs in with redirects.
  var redirects = false
  /// The authorities beside those of the configurations, as of requests for another policy; an authority that no code names is a
  /// fallback.
  var otherAuthorities: [Found<String>] = []
  /// The place where code creates a nested app.
  package var nestedApp: FilePlace?
  /// The secrets in environment files whose variables the build puts into the page; one whose variable no script reads,
  /// or of an example, is a fallback, because the page does not have it.
  package var publishedSecrets: [Found<String>] = []
}

/// A mistake in how an app starts MSAL.js, and its place.
struct StartFault: Hashable, Sendable {
  var fault: PageStart.Fault
  var place: FilePlace
}

extension WebFacts {
  /// The first configuration with a known client ID, or else the first.
  package var configuration: Configuration? {
    configurations.first { $0.clientID.found != nil } ?? configurations.first
  }

  package var clientID: Found<String>? { configuration?.clientID.found }
  package var redirectURI: Found<String>? { configuration?.redirectURI.found }

  /// Returns the app's client at the provider, or `nil` if the client ID is neither found nor given.
  package func registration(clientID given: String? = nil) -> ClientRegistration? {
    guard let clientID = clientID?.value ?? given else { return nil }
    var client = ClientRegistration(
      clientID: clientID, displayName: name, publisher: "imported", redirectURIs: [])
    client.spaRedirectURIs = redirectURI.flatMap { $0.value.contains("://") ? [$0.value] : nil }
    return client
  }
}
