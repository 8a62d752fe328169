/// The scopes of one request, in order and spelling of the client, each once.
///
/// `User.Read` and `https://graph.microsoft.com/User.Read` are the same scope; case does not matter.
package struct RequestedScopes: Hashable, Codable {
  static let graph = "https://graph.microsoft.com"
  static let openID = ["openid", "profile", "email", "offline_access"]

  package var all: [String]

  init(_ text: String) {
    var seen: Set<String> = []
    all = text.split(separator: " ").map(String.init).filter { seen.insert(Self.canonical($0)).inserted }
  }

  /// Lower case, without Graph's prefix.
  static func canonical(_ scope: String) -> String {
    let scope = scope.lowercased()
    let prefix = [graph, ProtectedResource.graphAppID].first { scope.hasPrefix($0 + "/") }
    return prefix.map { String(scope.dropFirst($0.count + 1)) } ?? scope
  }

  var isEmpty: Bool { all.isEmpty }
  func contains(_ scope: String) -> Bool { all.contains { Self.canonical($0) == scope } }

  /// Those that are not OpenID's: permissions on a resource.
  var ofResources: [String] { all.filter { !Self.openID.contains($0.lowercased()) } }

  /// What a scope is for: an identifier URI or an app ID before the last slash, an app ID alone, otherwise Graph.
  static func resource(of scope: String) -> String {
    let name = scope.lastIndex(of: "/").map { String(scope[..<$0]) } ?? scope
    return name.contains("://") || isAppID(name) ? name : ProtectedResource.graphAppID
  }

  /// The same for all names of the resource that a scope is for.
  static func resourceIdentity(of scope: String) -> String {
    ProtectedResource.identity(of: resource(of: scope))
  }

  /// `00000000-0000-0000-0000-000000000000`, in hexadecimal digits.
  private static func isAppID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count)
        == [8, 4, 4, 4, 12]
      && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// Resources asked for, each once: more than one cannot go into one token.
  var resources: [String] {
    var seen: Set<String> = []
    return ofResources.filter { seen.insert(Self.resourceIdentity(of: $0)).inserted }.map(Self.resource)
  }

  /// What goes out as `scope`: without `offline_access`, as Entra writes it.
  var granted: String { granted(declining: []) }

  /// The same without some that are declined.
  func granted(declining declined: [String]) -> String {
    let left = Set(declined.map(Self.canonical) + ["offline_access"])
    return all.filter { !left.contains(Self.canonical($0)) }.joined(separator: " ")
  }

  /// `scp`: the permissions' last parts; for Graph OpenID's too, since user info is there.
  ///
  /// `.default` means what is registered: the lab knows one of each.
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

  /// What a scope allows, in the words of the consent page.
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
