/// A program outside of the lab, known by what it asked of the provider: one for each client ID.
///
/// What it holds is in its own cache, which the lab cannot see. Copies of what it was *given* are in the access
/// group `issued.<client ID>`, so lists, states and the inspector treat them as they treat a simulated app's.
package struct ExternalClient: Codable, Hashable {
  package var clientID: String
  package var displayName: String
  var publisher: String
  /// Of its last sign-in, with the port it listened on; empty if it never sent one.
  package var redirectURI: String
  /// What it calls itself: `x-client-sku`, or the first product of `User-Agent`.
  package var program: String
  var programVersion: String
  /// `https://localhost/<tenant>`: host without port, as MSAL keys its cache (docs/behaviour/external-clients.md §2).
  var authority: String

  package static let teamID = "issued"
  /// `issued.<client ID>`: the group with the copies of what a program was given.
  package static func accessGroup(clientID: String) -> String { teamID + "." + clientID.lowercased() }

  /// The same program as the lists know apps.
  ///
  /// Its bundle ID is the client ID, for it has none.
  package var asApp: InstalledApp {
    InstalledApp(
      bundleID: clientID.lowercased(), teamID: Self.teamID, displayName: displayName, vendor: publisher,
      sdkVersion: programVersion, clientID: clientID, redirectURI: redirectURI, authority: authority,
      keychainAccessGroups: [], keychainSharingGroup: nil, urlSchemes: [], queriesSchemes: [],
      brokerUse: .none)
  }
}

extension ExternalClient {
  /// `MSAL.Python 1.39.0`; empty if it never said.
  var programWords: String { programVersion.isEmpty ? program : program + " " + programVersion }

  /// What one request shows of its sender; nil if it names no registered client.
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

  /// What is known of it after this request: a browser's page names neither program nor, later, a redirect URI.
  func updated(by seen: ExternalClient) -> ExternalClient {
    var result = seen
    if seen.redirectURI.isEmpty { result.redirectURI = redirectURI }
    if seen.program.isEmpty { (result.program, result.programVersion) = (program, programVersion) }
    return result
  }
}

extension HTTPRequest {
  /// Name and version of the program, as it says; empty for a browser that shows a page.
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
