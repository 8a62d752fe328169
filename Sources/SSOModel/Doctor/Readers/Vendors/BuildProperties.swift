import SSOCore

/// The properties file from which a build takes the configuration of Okta's library, as its samples do: `okta.properties`.
///
/// Source: okta-mobile-kotlin, `README.md` and `app/build.gradle` of its sample; java.util.Properties, whose values end with the
/// line and keep their quotes.
extension VendorReader {
  /// The ends of the names of files with settings of the machine and of the build.
  private static let otherFiles = ["local.properties", "gradle.properties", "keystore.properties"]
  /// The words of code that takes the scheme of a URI.
  private static let schemeWords = ["cheme(", "substring", "split"]

  func readProperties(
    _ build: String, _ module: String, _ vendor: Vendor, _ facts: inout VendorFacts.Module
  ) {
    guard vendor == .oktaWeb, let source = text(build) else { return }
    let names = SourceTokens.read(source, of: build).compactMap(\.text).filter { name in
      name.hasSuffix(".properties") && !Self.otherFiles.contains(where: name.hasSuffix)
    }
    let files = names.flatMap { [root + "/" + $0, folder(of: module) + "/" + $0, module + "/" + $0] }
    guard let path = files.first(where: ProjectFiles.exists),
      let properties = try? ProjectFiles.text(path, limit: Self.sizeLimit)
    else { return }
    let values = Self.properties(properties, of: path)
    let keys = Self.keys(in: source)
    let written = values.map { (key: $0.key, line: $0.value.place.line) }.sorted { $0.key < $1.key }
    let misspelt = MisspeltKey.find(among: written, of: keys, in: path)
    for key in keys where values[key] == nil {
      facts.isConfigurationNamed = true
      facts.lackingKeys.append(
        VendorFacts.LackingKey(
          name: key, isThere: false, misspelt: misspelt[key], place: FilePlace(path, line: 1)))
    }
    for key in keys {
      guard var found = values[key], !found.value.isEmpty else { continue }
      found.value = found.value.trimming { $0 == "\"" }
      let name = key.lowercased()
      if name == "issuer" { facts.bases.append(found) }
      if name.hasPrefix("discovery") { facts.issuers.append(found) }
      guard name.contains("redirect"), !name.contains("scheme") else { continue }
      if ["out", "end"].contains(where: name.contains) {
        facts.signOutURIs.append(found)
      } else if !found.value.contains(":") || found.value.hasPrefix(":") {
        facts.bareURIs.append(found)
      } else {
        facts.redirectURIs.append(found)
      }
    }
    guard facts.values[vendor.schemeName, default: []].isEmpty else { return }
    facts.values[vendor.schemeName] = scheme(vendor.schemeName, in: source, build, values)
  }

  /// Returns the scheme that a line of the build takes from a property: `parseScheme(okta.getProperty("redirect"))`.
  private func scheme(
    _ placeholder: String, in source: String, _ build: String, _ values: [String: Found<String>]
  ) -> [Found<String>] {
    let lines = source.lines
    guard let index = lines.firstIndex(where: { $0.contains(placeholder) }),
      let key = Self.keys(in: String(lines[index])).first, let value = values[key]?.value
    else { return [] }
    let place = FilePlace(build, line: index + 1)
    guard Self.schemeWords.contains(where: lines[index].contains) else { return [Found(value, place)] }
    let scheme = value.trimming { $0 == "\"" }.prefix { $0 != ":" }
    return value.contains(":") ? [Found(String(scheme), place)] : []
  }

  /// Returns the names of the properties that a build reads: `getProperty("clientId")`.
  private static func keys(in source: String) -> [String] {
    source.ranges(of: "getProperty(").compactMap { range -> String? in
      let rest = source[range.upperBound...]
      guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
      return String(rest.dropFirst().prefix { $0 != quote })
    }.reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } }
  }

  private static func properties(_ text: String, of path: String) -> [String: Found<String>] {
    var values: [String: Found<String>] = [:]
    for (index, line) in text.lines.enumerated() {
      let line = line.trimmed
      guard !line.hasPrefix("#"), !line.hasPrefix("!"),
        let end = line.firstIndex(where: { "=:".contains($0) })
      else { continue }
      let value = String(line[line.index(after: end)...]).trimmed
      values[String(line[..<end]).trimmed] = Found(String(value), FilePlace(path, line: index + 1))
    }
    return values
  }
}
