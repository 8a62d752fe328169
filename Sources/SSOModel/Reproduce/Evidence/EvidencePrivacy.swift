import SSOCore

/// The names of users and organisations in a source.
extension Evidence {
  /// The evidence with the lab's names in place of the texts that name a user or an organisation.
  ///
  /// The facts of the account and the tenant stay, because they say where they were read; they are shown without values.
  var withoutNames: Evidence {
    var evidence = self
    let found = Set(
      (facts.map(\.value) + scopes).flatMap { $0.split { "/ :@".contains($0) } }
        .filter { $0.lowercased().hasSuffix(".onmicrosoft.com") }.map(String.init))
    // A name may be a part of a longer one.
    let names = privateTexts.union(found).sorted { ($1.count, $0) < ($0.count, $1) }
    let client = value(.clientID)
    func replaced(_ text: String) -> String {
      let plain = names.reduce(text) { $0.replacing($1, with: Self.labName(for: $1)) }
      return plain.split(separator: " ", omittingEmptySubsequences: false).map {
        Self.withoutNames(inURI: String($0), client: client)
      }.joined(separator: " ")
    }
    evidence.mapFacts { $0.name == .account || $0.name == .tenant ? $0.value : replaced($0.value) }
    evidence.scopes = scopes.map(replaced)
    evidence.steps = steps.map { hop in
      var hop = hop
      hop.action = replaced(hop.action).withoutNamesInPath
      return hop
    }
    return evidence
  }

  /// The ends of hosts that begin with the name of an organisation.
  private static let tenantHosts = [
    ".sharepoint.com", ".dynamics.com", ".onmicrosoft.com", ".b2clogin.com", ".ciamlogin.com",
  ]

  /// Returns a URI without the values of its query, without the name of an organisation in its host, and without a tenant's
  /// ID in an App ID URI such as `api://TENANT/orders`.
  private static func withoutNames(inURI text: String, client: String?) -> String {
    guard text.contains("://"), var url = URLParts(text) else { return text }
    if let query = url.query {
      url.query = query.split(separator: "&").map { field in
        field.contains("=") ? field.prefix { $0 != "=" } + "=…" : "…"
      }.joined(separator: "&")
    }
    let host = url.host.lowercased()
    if tenantHosts.contains(where: host.hasSuffix), let dot = url.authority.firstIndex(of: "."),
      !url.authority.hasPrefix("contoso.")
    {
      url.authority = "contoso" + url.authority[dot...]
    }
    if url.scheme == "api", url.authority.isGUID, url.authority.lowercased() != client,
      url.path.split(separator: "/").count > 1
    {
      url.authority = LabSetting.tenantID
    }
    return url.scheme + ":" + (url.authority.isEmpty ? "" : "//" + url.authority) + url.path
      + (url.query.map { "?" + $0 } ?? "") + (url.fragment.map { "#" + $0 } ?? "")
  }

  private static func labName(for name: String) -> String {
    if name.contains("@") { return "ada@contoso.com" }
    return name.isGUID ? LabSetting.tenantID : name.contains(".") ? "contoso.com" : "contoso"
  }
}

extension String {
  /// The action of a step, with `…` in place of each part of its path that may name a tenant or a user.
  fileprivate var withoutNamesInPath: String {
    split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.contains("/") else { return word.contains("@") ? "…" : String(word) }
      return word.split(separator: "/", omittingEmptySubsequences: false).map { part in
        let isName = part.contains("@") || String(part).isGUID || part.isDomain
        return isName ? "…" : String(part)
      }.joined(separator: "/")
    }.joined(separator: " ")
  }
}

extension Substring {
  /// Whether a part of a path is a domain name, and neither a version nor a Microsoft host.
  fileprivate var isDomain: Bool {
    contains(".") && !hasPrefix(".") && !["v1.0", "v2.0"].contains(self)
      && !["microsoft.com", "microsoftonline.com", "windows.net"].contains { lowercased().hasSuffix($0) }
      || lowercased().hasSuffix(".onmicrosoft.com")
  }
}
