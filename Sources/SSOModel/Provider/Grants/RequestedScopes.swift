/// The scopes of one request without duplicates, in the client's order and spelling.
///
/// `User.Read` and `https://graph.microsoft.com/User.Read` are the same scope. Case is ignored.
package struct RequestedScopes: Hashable, Codable {
  static let graph = "https://graph.microsoft.com"
  static let openID = ["openid", "profile", "email", "offline_access"]

  package var all: [String]

  init(_ text: String) {
    var seen: Set<String> = []
    all = text.split(separator: " ").map(String.init).filter { seen.insert(Self.canonical($0)).inserted }
  }

  /// Returns a scope in lowercase, without Graph's prefix.
  static func canonical(_ scope: String) -> String {
    let scope = scope.lowercased()
    let prefix = [graph, ProtectedResource.graphAppID].first { scope.hasPrefix($0 + "/") }
    return prefix.map { String(scope.dropFirst($0.count + 1)) } ?? scope
  }

  var isEmpty: Bool { all.isEmpty }
  func contains(_ scope: String) -> Bool { all.contains { Self.canonical($0) == scope } }

  /// The scopes that are permissions on a resource, without OpenID Connect's own scopes.
  var ofResources: [String] { all.filter { !Self.openID.contains($0.lowercased()) } }

  /// Returns the resource of a scope: an identifier URI or app ID before the last slash, an app ID alone, or
  /// else Graph.
  static func resource(of scope: String) -> String {
    let name = scope.lastIndex(of: "/").map { String(scope[..<$0]) } ?? scope
    return name.contains("://") || isAppID(name) ? name : ProtectedResource.graphAppID
  }

  /// Returns a canonical identifier for the resource of a scope, which is the same for all names of the
  /// resource.
  static func resourceIdentity(of scope: String) -> String {
    ProtectedResource.identity(of: resource(of: scope))
  }

  /// Returns whether a text has the form of a GUID.
  private static func isAppID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// The requested resources, without duplicates.
  ///
  /// A token can be for only one.
  var resources: [String] {
    var seen: Set<String> = []
    return ofResources.filter { seen.insert(Self.resourceIdentity(of: $0)).inserted }.map(Self.resource)
  }

  /// The `scope` of the response.
  ///
  /// Like Entra, it omits `offline_access`.
  var granted: String { granted(declining: []) }

  /// Returns the `scope` of the response without declined scopes.
  func granted(declining declined: [String]) -> String {
    let left = Set(declined.map(Self.canonical) + ["offline_access"])
    return all.filter { !left.contains(Self.canonical($0)) }.joined(separator: " ")
  }

  /// The claim `scp`: the last parts of the permissions.
  ///
  /// For Graph it includes OpenID Connect's scopes, because the user info endpoint is there.
  ///
  /// `.default` stands for the registered permissions, of which the lab has one for each kind of resource.
  var permissions: String {
    let isGraph =
      ofResources.first.map { Self.resourceIdentity(of: $0) == ProtectedResource.graphAppID } ?? true
    return all.compactMap { scope -> String? in
      if Self.openID.contains(scope.lowercased()) {
        return isGraph && scope.lowercased() != "offline_access" ? scope : nil
      }
      let last = scope.split(separator: "/").last.map(String.init) ?? scope
      return last.lowercased() == ".default" ? (isGraph ? "User.Read" : "user_impersonation") : last
    }.joined(separator: " ")
  }

  /// Returns the description of a scope for the consent page.
  static func meaning(of scope: String) -> String {
    switch canonical(scope) {
    case "openid": "Sign you in"
    case "profile": "View your basic profile"
    case "email": "View your email address"
    case "offline_access": "Maintain access to data you have given it access to"
    case "user.read": "Sign you in and read your profile"
    case "user.readwrite": "Read and update your profile"
    case "user.read.all", "user.readbasic.all": "Read all users' profiles"
    case "mail.read": "Read your mail"
    case "mail.send": "Send mail as you"
    case "calendars.read": "Read your calendars"
    case "files.read": "Read your files"
    case "files.readwrite": "Have full access to your files"
    case "directory.read.all": "Read directory data"
    default: scope.hasSuffix("/.default") ? "Have all permissions it is registered for" : "Use \(scope)"
    }
  }
}
