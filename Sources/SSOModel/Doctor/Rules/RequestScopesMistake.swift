import SSOCore
import SSOProvider
import SSOReference

/// The mistake of a request's scopes that Entra refuses, whatever the platform: `.default` beside permissions, scopes of
/// several APIs, or several scopes in one string.
struct RequestScopesMistake {
  /// The requirement, what is expected, and the mistake in a few words.
  var requirement: String
  var expected: String
  var title: String
  var found: String
  /// The provider's error, or `nil` if its number depends on the API.
  var refusal: DoctorCheck.Refusal?
  /// The scopes to ask for, and those to consent to in the same sign-in.
  var right: [String]
  var later: [String] = []

  /// Finds the mistake of a list of scopes, of which a name without a resource is one of Graph's, or returns `nil`.
  init?(_ list: [String]) {
    let list = list.map(\.trimmed)
    guard !list.contains(where: Placeholders.contain) else { return nil }
    func isOfAPI(_ scope: String) -> Bool {
      scope.contains("/") || ProtectedResource.isGraphPermission(scope)
    }
    let parts = list.flatMap { $0.split { ",;".contains($0) }.map(\.trimmed) }
    if let joined = list.first(where: { $0.contains(",") || $0.contains(";") }),
      parts.allSatisfy(isOfAPI)
    {
      (requirement, expected) = ("each scope is a separate string", "one scope in a string")
      (title, found, right) = ("Several scopes are in one string", joined, parts)
      return
    }
    if let (misspelt, name) = list.lazy.compactMap({ scope in
      Self.permission(meantBy: scope).map { (scope, $0) }
    }).first {
      (requirement, expected) = ("each permission is one of Graph's", name)
      title = "A permission of Graph is misspelt"
      found = misspelt
      refusal = DoctorCheck.Refusal(
        AADSTSCode.scopeNotFound,
        "The application asked for scope '\(misspelt)' that doesn't exist on the resource.")
      right = list.map { $0 == misspelt ? name : $0 }
      return
    }
    if let bare = list.first(where: {
      Self.isBareID($0)
        || $0.contains("://")
          && ProtectedResource.isFirstParty($0.hasSuffix("/") ? String($0.dropLast()) : $0)
    }) {
      let whole = (bare.hasSuffix("/") ? bare : bare + "/") + ".default"
      (requirement, expected) = ("each scope names a permission", whole)
      (title, found) = ("A scope has no permission", bare)
      refusal = DoctorCheck.Refusal(
        AADSTSCode.scopeInvalid,
        "The provided value for the input parameter 'scope' is not valid. The scope \(bare) is not valid.")
      right = list.map { $0 == bare ? whole : $0 }
      return
    }
    let scopes = RequestedScopes(list.filter(isOfAPI).joined(separator: " "))
    found = scopes.all.joined(separator: " ")
    let resources = scopes.byResource
    if resources.count == 1, let error = OAuthError.defaultBesidePermissions(scopes) {
      (requirement, expected) = ("no permission is beside .default", ".default alone, or permissions")
      title = ".default is beside permissions"
      refusal = DoctorCheck.Refusal(error.number ?? "", error.message)
      right = scopes.all.first(where: RequestedScopes.isDefault).map { [$0] } ?? []
      return
    }
    guard resources.count > 1 else { return nil }
    let error = OAuthError.severalResources(scopes)
    (requirement, expected) = ("the scopes of a request are of one API", "scopes of one API")
    title = "The scopes are of several APIs"
    refusal = DoctorCheck.Refusal(error.number ?? "", error.message)
    (right, later) = (resources[0].all, resources.dropFirst().flatMap(\.all))
  }

  /// Returns whether a scope is the ID of an API without a permission: `api://<client ID>`.
  private static func isBareID(_ scope: String) -> Bool {
    guard scope.lowercased().hasPrefix("api://") else { return false }
    return String(scope.dropFirst(6)).trimming { $0 == "/" }.isGUID
  }

  /// Returns the first permission of Graph in a list, or `nil`.
  static func graphPermission(in list: [Found<String>]) -> Found<String>? {
    list.first { item in
      let scope = item.value.lowercased()
      return scope.hasPrefix("https://graph.microsoft.com/")
        || scope.contains(".") && !scope.contains("/") && ProtectedResource.isGraphPermission(item.value)
    }
  }

  private static let editLimit = 2

  /// Returns the permission of Graph that a scope without a resource, or with Graph's, is a misspelling of, or `nil`.
  private static func permission(meantBy scope: String) -> String? {
    let resource = scope.lastIndex(of: "/").map { scope[...$0] } ?? ""
    let name = String(scope.dropFirst(resource.count))
    guard resource.isEmpty || resource.lowercased() == "https://graph.microsoft.com/", !name.hasPrefix("."),
      !ProtectedResource.isGraphPermission(name)
    else { return nil }
    return GraphPermissions.names.closestSpelling(to: name, most: name.contains(".") ? editLimit : 1).map {
      resource + $0
    }
  }

  /// Returns the literal of scopes in Swift and in scripts.
  static func literal(_ scopes: [String]) -> String {
    "[" + scopes.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }
}
