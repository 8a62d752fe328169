import SSOCore
import SSOProvider

/// The facts from the files of a web app that uses MSAL.js.
package struct WebFacts: Hashable, Sendable {
  package var name: String
  /// The place of the dependency in `package.json`.
  package var origin: FilePlace
  package var source: SourceFacts
}

extension WebFacts {
  /// Returns the app's client at the provider, or `nil` if no client ID is found or given.
  package func registration(clientID given: String? = nil) -> ClientRegistration? {
    guard let clientID = source.clientID.found?.value ?? given else { return nil }
    var client = ClientRegistration(
      clientID: clientID, displayName: name, publisher: "imported", redirectURIs: [])
    client.spaRedirectURIs = source.redirectURI.found.flatMap { $0.value.contains("://") ? [$0.value] : nil }
    return client
  }
}

/// A reader that finds the web apps below a folder.
enum WebReader {
  private static let libraries = ["@azure/msal-browser", "@azure/msal-react", "@azure/msal-angular"]
  private static let sourceLimit = 2000

  static func read(_ files: ProjectFiles) -> [WebFacts] {
    files.find { $0 == "package.json" }.compactMap { path in
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
        let package = try? JSONParser.parse(data),
        let used = libraries.first(where: {
          package["dependencies"]?[$0] != nil || package["devDependencies"]?[$0] != nil
        })
      else { return nil }
      let base = folder(of: path)
      let scripts = ProjectFiles(base).find { SourceLanguage($0) == .script }.prefix(sourceLimit)
      let scans = scripts.map { script in
        SourceScan((try? ProjectFiles.text(script, limit: 1 << 20)) ?? "", path: script)
      }
      return WebFacts(
        name: package["name"]?.string ?? fileName(base),
        origin: FilePlace(path, line: TextLines(data).line(of: used)),
        source: SourceFacts(scans, bundleID: nil))
    }
  }
}

/// The rules for a web app, whose redirect URI must be registered for a single-page application.
struct WebRules {
  let facts: WebFacts
  let registrations: [RegistrationFacts]

  func checks() -> [DoctorCheck] {
    guard let client = facts.source.clientID.found else { return [] }
    guard !Placeholders.contain(client.value) else {
      return [
        DoctorCheck(
          rule: .placeholder, subject: facts.name,
          check: Check(
            "client ID is the app's own", expected: "the app's own", found: client.value, false,
            source: "real-apps.md §1"), severity: .notFilledIn, place: client.place)
      ]
    }
    guard let registration = registrations.of(client.value) else { return [] }
    if let nested = facts.source.nestedApp { return [nestedCheck(registration, nested)] }
    let audience = facts.source.authority.found.flatMap {
      registration.audienceCheck(of: $0.value, subject: facts.name, at: $0.place)
    }
    let own = [audience].compactMap(\.self)
    guard let redirect = facts.source.redirectURI.found, redirect.value.contains("://") else { return own }
    return own + [
      registration.redirectCheck(of: redirect.value, usedAs: .spa, subject: facts.name, at: redirect.place)
    ]
  }

  /// Returns the check of a nested app, for which a host such as Teams or Outlook redeems the code.
  private func nestedCheck(_ registration: RegistrationFacts, _ place: FilePlace) -> DoctorCheck {
    let uris = registration.redirects.filter { $0.kind == .spa }.map(\.uri)
    return DoctorCheck(
      rule: .nestedApp, subject: facts.name,
      check: Check(
        "a brk-multihub:// redirect URI is registered", expected: "brk-multihub://<the app's domain>",
        found: uris.isEmpty ? "no single-page redirect URIs" : uris.joined(separator: ", "),
        uris.contains { $0.hasPrefix("brk-multihub://") }, source: "real-apps.md §1"), place: place,
      refusal: DoctorCheck.Refusal("untrusted_origin", "untrusted_origin"),
      fix: "\"spa\": { \"redirectUris\": [\"brk-multihub://<the app's domain>\"] }")
  }
}
