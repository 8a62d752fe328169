/// A program outside the lab, known by its requests to the provider.
///
/// There is one for each client ID.
///
/// Its own cache is not visible to the lab. Copies of the tokens that were issued to it are in the access
/// group `issued.<client ID>`, so that lists, states, and the inspector treat them as they do a simulated
/// app's.
package struct ExternalClient: Codable, Hashable {
  package var clientID: String
  package var displayName: String
  var publisher: String
  /// The redirect URI of the last sign-in, with the port that the program listened on.
  ///
  /// Empty if it never sent one.
  package var redirectURI: String
  /// The program's name for itself: `x-client-sku`, or the first product of `User-Agent`.
  package var program: String
  var programVersion: String
  /// The authority, `https://localhost/<tenant>`: the host without a port, as in MSAL's cache keys
  /// (docs/behaviour/external-clients.md §2).
  var authority: String

  package static let teamID = "issued"
  /// Returns the access group with the copies of the program's tokens: `issued.<client ID>`.
  package static func accessGroup(clientID: String) -> String { teamID + "." + clientID.lowercased() }

  /// The program as an app, for lists.
  ///
  /// The client ID replaces the bundle ID, which the program does not have.
  package var asApp: InstalledApp {
    InstalledApp(
      bundleID: clientID.lowercased(), teamID: Self.teamID, displayName: displayName, vendor: publisher,
      sdkVersion: programVersion, clientID: clientID, redirectURI: redirectURI, authority: authority,
      keychainAccessGroups: [], keychainSharingGroup: nil, urlSchemes: [], queriesSchemes: [],
      brokerUse: .none)
  }
}

extension ExternalClient {
  /// The name and version, such as `MSAL.Python 1.39.0`.
  ///
  /// Empty if the program never sent them.
  var programWords: String { programVersion.isEmpty ? program : program + " " + programVersion }

  /// Creates a client from a request, or returns `nil` if the request does not contain a registered client.
  init?(_ request: HTTPRequest, directory: Directory) throws {
    guard let id = request.field("client_id") ?? (try? PresentedClient(request))?.clientID,
      let registration = try directory.registration(clientID: id)
    else { return nil }
    clientID = registration.clientID
    displayName = registration.displayName
    publisher = registration.publisher
    redirectURI = String((request.field("redirect_uri") ?? "").prefix(400))
    (program, programVersion) = request.program
    let host = URLParts(request.origin)?.host ?? ""
    let tenant = request.path.split(separator: "/").first ?? "common"
    authority = "https://\(host)/\(tenant)"
  }

  /// Returns the client updated by a request.
  ///
  /// A browser page contains no program, and later ones no redirect URI.
  func updated(by seen: ExternalClient) -> ExternalClient {
    var result = seen
    if seen.redirectURI.isEmpty { result.redirectURI = redirectURI }
    if seen.program.isEmpty { (result.program, result.programVersion) = (program, programVersion) }
    return result
  }
}

extension HTTPRequest {
  /// The name and version that the program sent.
  ///
  /// Empty for a browser that shows a page.
  fileprivate var program: (name: String, version: String) {
    func value(_ name: String) -> String? {
      (header(name) ?? query[name] ?? form[name]).map { String($0.prefix(60)) }
    }
    if let sku = value("x-client-sku") { return (sku, value("x-client-ver") ?? "") }
    guard method == "POST", let agent = value("user-agent"), !agent.hasPrefix("Mozilla/") else {
      return ("", "")
    }
    let product = agent.prefix { $0 != " " }.split(separator: "/", maxSplits: 1).map(String.init)
    return (product.first ?? "", product.count > 1 ? product[1] : "")
  }
}
