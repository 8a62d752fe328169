import Essentials
import SSOCore
import SSOReference

/// The facts of a protected resource's metadata (RFC 9728), such as that of a server for the Model Context Protocol.
package struct ResourceMetadataFacts: Hashable, Sendable {
  package var name: String
  package var origin: FilePlace
  /// The resource's identifier, which clients send as `resource`.
  package var resource: Found<String>
  var authorizationServers: [Found<String>]
  /// The scopes that the document lists, without those of OpenID Connect.
  package var scopes: [Found<String>]
  /// Whether the document lists scopes, but only those of OpenID Connect.
  var hasOnlyOpenIDScopes: Bool
  /// The members that have a text in place of the array that RFC 9728 §2 defines, each with the text.
  var unlisted: [String: Found<String>] = [:]
}

extension ResourceMetadataFacts {
  private static let openID = ["openid", "profile", "email", "offline_access"]
  private static let limit = 1000

  /// Reads a metadata document, or returns `nil` if the document is valid JSON but does not describe a protected
  /// resource.
  /// - Throws: `ReadingError` if the document is not valid JSON.
  static func read(_ data: Data, path: String) throws(ReadingError) -> ResourceMetadataFacts? {
    let document: JSONValue
    do { document = try JSONParser.parse(data) } catch { throw ReadingError(error, in: data) }
    guard let resource = document["resource"]?.string, document["appId"] == nil else { return nil }
    let lines = TextLines(data)
    func found(_ text: String) -> Found<String> { Found(text, FilePlace(path, line: lines.line(of: text))) }
    func list(_ name: String) -> [String] {
      (document[name]?.array ?? [document[name]].compactMap(\.self)).prefix(limit).compactMap(\.string)
    }
    let listed = list("scopes_supported")
    let scopes = listed.filter { !openID.contains($0) }
    var facts = ResourceMetadataFacts(
      name: document["resource_name"]?.string ?? resource, origin: FilePlace(path, line: 1),
      resource: found(resource), authorizationServers: list("authorization_servers").map(found),
      scopes: scopes.map(found), hasOnlyOpenIDScopes: scopes.isEmpty && !listed.isEmpty)
    for name in ["authorization_servers", "scopes_supported"] {
      facts.unlisted[name] = document[name]?.string.map {
        Found($0, FilePlace(path, line: lines.line(of: name)))
      }
    }
    return facts
  }

  /// The authorization servers that are Entra.
  ///
  /// A document without any is not checked.
  var serversOfEntra: [Found<String>] { authorizationServers.filter { Self.isEntra($0.value) } }

  /// Returns the results of the rules for a resource whose clients sign in at Entra.
  func checks() -> [DoctorCheck] {
    let servers = serversOfEntra
    guard !servers.isEmpty else { return [] }
    return [addressCheck, slashCheck] + (hasOnlyOpenIDScopes ? [ownScopeCheck] : scopes.map(scopeCheck))
      + servers.map(issuerCheck) + listChecks
  }

  private static func isEntra(_ address: String) -> Bool {
    guard let host = URLParts(address)?.host.lowercased() else { return false }
    return PublicCloud.aliases.contains(host) || isLoopback(host)
      || [".microsoftonline.us", ".microsoftonline.com", ".chinacloudapi.cn", ".ciamlogin.com"].contains {
        host.hasSuffix($0) || "." + host == $0
      }
  }

  private func check(
    _ rule: DoctorRule, _ what: String, expected: String, found: String, _ holds: Bool, _ mistake: String,
    at place: FilePlace, _ refusal: DoctorCheck.Refusal? = nil, fix: String? = nil
  ) -> DoctorCheck {
    DoctorCheck(
      rule: rule, subject: name,
      check: Check(what, expected: expected, found: found, holds, source: "real-apps.md §1"),
      mistake: mistake, place: place, refusal: refusal, fix: fix)
  }

  private static let refusal = DoctorCheck.Refusal(
    AADSTSCode.resourceDoesNotFit,
    "The resource parameter provided in the request doesn't match with the requested scopes.")

  /// The findings of members that are a text and not an array.
  private var listChecks: [DoctorCheck] {
    unlisted.sorted { $0.key < $1.key }.map { name, text in
      check(
        name == "scopes_supported" ? .resourceScopes : .resourceIssuer, "\(name) is an array",
        expected: "[\"\(text.value)\"]", found: "\"\(text.value)\"", false, "\(name) is not an array",
        at: text.place, fix: "\"\(name)\": [\"\(text.value)\"]")
    }
  }

  /// The identifier without slashes at its end.
  private var trimmed: String { String(resource.value.reversed().drop { $0 == "/" }.reversed()) }

  /// The check that the identifier is an address, which a client compares with the address that it called.
  private var addressCheck: DoctorCheck {
    let url = URLParts(resource.value)
    let isWeb = url?.scheme == "https" || url?.scheme == "http" && isLoopback(url?.host ?? "")
    return check(
      .resourceURL, "resource is an https URL without a fragment", expected: "https://HOST/PATH",
      found: resource.value, isWeb && !resource.value.contains("#"),
      "The resource is not an https URL without a fragment", at: resource.place)
  }

  /// The check that a list of scopes has a scope of the resource.
  private var ownScopeCheck: DoctorCheck {
    check(
      .resourceScopes, "scopes_supported has a scope of the resource", expected: "\(trimmed)/SCOPE",
      found: "only scopes of OpenID Connect", false, "No scope of the resource is listed",
      at: resource.place, Self.refusal, fix: "\"\(trimmed)/SCOPE\"")
  }

  /// The check that the identifier does not end with a slash, because App ID URIs do not.
  private var slashCheck: DoctorCheck {
    check(
      .resourceSlash, "resource has no slash at its end", expected: trimmed, found: resource.value,
      trimmed == resource.value, "The resource ends with a slash", at: resource.place, Self.refusal,
      fix: "\"resource\": \"\(trimmed)\"")
  }

  /// The check that the part of a scope before its last slash is the resource, byte for byte.
  private func scopeCheck(_ scope: Found<String>) -> DoctorCheck {
    let last = scope.value.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    let wanted = trimmed + "/" + last
    let isFitting = [trimmed, resource.value].contains {
      ($0 + "/" + last).utf8.elementsEqual(scope.value.utf8)
    }
    return check(
      .resourceScopes, "scope begins with the resource", expected: wanted, found: scope.value, isFitting,
      "A scope does not begin with the resource",
      at: scope.place, Self.refusal, fix: "\"\(wanted)\"")
  }

  /// The check that an authorization server is a tenant's issuer of version 2.0, which is where clients look for its
  /// configuration.
  private func issuerCheck(_ server: Found<String>) -> DoctorCheck {
    let path = (URLParts(server.value)?.path ?? "").split(separator: "/").map(String.init)
    let tenant = path.first ?? "TENANT"
    let isTemplate = ["common", "organizations"].contains(tenant.lowercased())
    let origin = URLParts(server.value)?.origin ?? server.value
    // The issuer of version 1 is at another host than that of version 2.0 (docs/behaviour/provider.md §3).
    let base =
      origin.lowercased() == "https://sts.windows.net"
      ? "https://" + PublicCloud.preferredNetwork : origin
    let right = "\(base)/\(isTemplate ? "TENANT" : tenant)/v2.0"
    let isTenant = !isTemplate && EntraTenant.mayBe(tenant.lowercased())
    return check(
      .resourceIssuer, "authorization server is an issuer", expected: right, found: server.value,
      path.count == 2 && path[1] == "v2.0" && !isTemplate && !server.value.hasSuffix("/")
        && base == origin,
      "The authorization server is not an issuer", at: server.place, fix: isTenant ? "\"\(right)\"" : nil)
  }
}

extension DoctorRule {
  /// The rules for the metadata of protected resources.
  package static let resources: [DoctorRule] = [
    .resourceURL, .resourceSlash, .resourceScopes, .resourceIssuer,
  ]

  package static let resourceURL = DoctorRule(
    "resource-url", "The identifier of a protected resource is an https URL without a fragment",
    why: """
      RFC 9728 §1.2 defines it so. Clients of the Model Context Protocol compare it with the URL that they called, \
      and stop if they differ.
      """)

  static let resourceSlash = DoctorRule(
    "resource-slash", "The identifier of a protected resource has no slash at its end",
    why: """
      Clients send the identifier as the parameter resource. Entra compares it byte for byte with the App ID URIs \
      of the API, which do not end with a slash.
      """)

  static let resourceScopes = DoctorRule(
    "resource-scopes", "The scopes of a protected resource begin with its identifier",
    why: """
      Entra refuses a resource that is not an App ID URI of the API that the scopes are for. Clients of the Model \
      Context Protocol always send the server's URL as resource.
      """)

  static let resourceIssuer = DoctorRule(
    "resource-issuer", "The authorization server of a protected resource is a tenant's issuer",
    why: """
      Clients look for the configuration below this address and compare its issuer. At common and organizations, \
      the issuer is a template, which clients do not accept.
      """)
}
