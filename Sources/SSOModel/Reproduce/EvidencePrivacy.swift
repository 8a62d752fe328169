import SSOCore

/// The names of people and organisations in what a source shows.
extension Evidence {
  /// The evidence with the lab's names in place of the texts that name a person or an organisation.
  ///
  /// The facts of the account and the tenant stay, because they say where they were read; they are shown without values.
  var withoutNames: Evidence {
    var evidence = self
    let found = Set(
      (facts.map(\.value) + scopes).flatMap { $0.split { "/ :@".contains($0) } }
        .filter { $0.lowercased().hasSuffix(".onmicrosoft.com") }.map(String.init))
    // A name may be a part of a longer one.
    let names = privateTexts.union(found).sorted { ($1.count, $0) < ($0.count, $1) }
    func replaced(_ text: String) -> String {
      names.reduce(text) { $0.replacing($1, with: Self.labName(for: $1)) }
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

  private static func labName(for name: String) -> String {
    if name.contains("@") { return "ada@contoso.com" }
    return name.isGUID ? LabSetting.tenantID : name.contains(".") ? "contoso.com" : "contoso"
  }
}

extension String {
  /// The action of a step, with `…` in place of each part of its path that may name a tenant or a person.
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
  /// Whether a part of a path is a domain name, and neither a version nor a host of Microsoft's.
  fileprivate var isDomain: Bool {
    contains(".") && !hasPrefix(".") && !["v1.0", "v2.0"].contains(self)
      && !["microsoft.com", "microsoftonline.com", "windows.net"].contains { lowercased().hasSuffix($0) }
      || lowercased().hasSuffix(".onmicrosoft.com")
  }
}
