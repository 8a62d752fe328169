import Essentials
import SSOCore
import SSOProvider

/// The facts of an Entra app registration, from any of the JSON documents that describe it.
package struct RegistrationFacts: Hashable, Sendable {
  /// The platform of a redirect URI, which determines who may redeem a code that is sent to it.
  package enum Kind: String, Hashable, Sendable {
    case publicClient = "public client (mobile and desktop)"
    case web = "Web"
    case spa = "single-page application"
  }

  /// A redirect URI and the platform that it is registered for.
  package struct Redirect: Hashable, Sendable {
    package var uri: String
    package var kind: Kind
    package var place: FilePlace
  }

  package var name: String
  package var origin: FilePlace
  package var clientID: Found<String>
  /// The ID of the registration object, which is often mistaken for the client ID.
  package var objectID: String?
  package var redirects: [Redirect]
  /// `AzureADMyOrg`, `AzureADMultipleOrgs`, `AzureADandPersonalMicrosoftAccount`, `PersonalMicrosoftAccount`.
  package var audience: Found<String>?
  /// The `requestedAccessTokenVersion`, or `nil` for version 1.
  package var tokenVersion: Int?
  /// `isFallbackPublicClient`, or `nil` if the document does not say.
  package var allowsPublicClient: Bool?
  /// The app IDs of `requiredResourceAccess`, or `nil` if the document does not have this list.
  package var requiredAPIs: [String]?
  package var optionalClaims: OptionalClaims?
  /// Whether it is compared with an app, or cannot be compared with one.
  var isCompared = true

  package func redirects(of uri: String) -> [Redirect] { redirects.filter { $0.uri == uri } }

  /// The registration as the lab's provider stores it.
  package var registration: ClientRegistration {
    func uris(_ holds: (Redirect) -> Bool) -> [String] {
      redirects.filter(holds).map(\.uri).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    var client = ClientRegistration(
      clientID: clientID.value, displayName: name, publisher: "",
      redirectURIs: uris { $0.kind == .publicClient })
    let (pages, servers) = (uris { $0.kind == .spa }, uris { $0.kind == .web })
    client.spaRedirectURIs = pages.isEmpty ? nil : pages
    client.webRedirectURIs = servers.isEmpty ? nil : servers
    client.allowsPublicClient = allowsPublicClient
    client.requiredAPIs = requiredAPIs
    client.isMultiTenant = audience?.value != "AzureADMyOrg"
    client.accessTokenVersion = tokenVersion
    client.optionalClaims = optionalClaims
    return client
  }
}

extension RegistrationFacts {
  /// Reads a registration, or returns `nil` if the document is valid JSON but not a registration.
  /// - Throws: `ReadingError` if the document is not valid JSON, or contains too many redirect URIs.
  static func read(_ data: Data, path: String) throws(ReadingError) -> RegistrationFacts? {
    let document: JSONValue
    do { document = try JSONParser.parse(data) } catch { throw ReadingError(error, in: data) }
    // `az ad app list` returns an array.
    let object = document.array?.first ?? document
    guard let clientID = object["appId"]?.string, isRegistration(object) else { return nil }
    let lines = TextLines(data)
    func place(_ text: String) -> FilePlace { FilePlace(path, line: lines.line(of: text)) }
    var facts = RegistrationFacts(
      name: (object["displayName"] ?? object["name"])?.string ?? clientID, origin: FilePlace(path, line: 1),
      clientID: Found(clientID, place(clientID)), redirects: [])
    for (key, kind) in [("publicClient", Kind.publicClient), ("web", .web), ("spa", .spa)] {
      for uri in (object[key]?["redirectUris"]?.array ?? []).prefix(redirectLimit + 1).compactMap(\.string) {
        facts.redirects.append(Redirect(uri: uri, kind: kind, place: place(uri)))
      }
    }
    for entry in (object["replyUrlsWithType"]?.array ?? []).prefix(redirectLimit + 1) {
      guard let uri = entry["url"]?.string, let type = entry["type"]?.string,
        let kind = ["InstalledClient": Kind.publicClient, "Web": .web, "Spa": .spa][type]
      else { continue }
      facts.redirects.append(Redirect(uri: uri, kind: kind, place: place(uri)))
    }
    guard facts.redirects.count <= Self.redirectLimit else {
      throw ReadingError("more than \(Self.redirectLimit) redirect URIs")
    }
    facts.objectID = (object["id"] ?? object["objectId"])?.string
    facts.audience = object["signInAudience"]?.string.map { Found($0, place("signInAudience")) }
    let version = object["api"]?["requestedAccessTokenVersion"] ?? object["accessTokenAcceptedVersion"]
    facts.allowsPublicClient = (object["isFallbackPublicClient"] ?? object["allowPublicClient"])?.bool
    facts.requiredAPIs = object["requiredResourceAccess"]?.array?.prefix(redirectLimit)
      .compactMap { $0["resourceAppId"]?.string }
    // The claims of a registration that Entra has accepted are known to it.
    facts.optionalClaims = object["optionalClaims"].flatMap {
      try? decodeJSON(OptionalClaims.self, from: $0.bytes(.wire))
    }
    facts.tokenVersion = version?.integer.flatMap { Int(exactly: $0) }
    return facts
  }

  /// The maximum number of redirect URIs; Entra allows 256 for each platform.
  private static let redirectLimit = 1000

  private static func isRegistration(_ object: JSONValue) -> Bool {
    ["publicClient", "web", "spa", "replyUrlsWithType", "signInAudience"].contains { object[$0] != nil }
  }
}

/// The lines of a document whose parser does not report line numbers.
struct TextLines {
  /// The first line of each text between two quotes, counted from 1.
  private var firstLines: [String: Int] = [:]

  init(_ data: Data) {
    var (text, number) = ([UInt8](), 1)
    var isQuoted = false
    for byte in data {
      switch byte {
      // JSON may escape a slash.
      case UInt8(ascii: "/") where text.last == UInt8(ascii: "\\"): text[text.count - 1] = byte
      case UInt8(ascii: "\""):
        if isQuoted { keep(String(decoding: text, as: UTF8.self), number) }
        isQuoted = true
        text.removeAll(keepingCapacity: true)
      case UInt8(ascii: "\n"):
        number += 1
        isQuoted = false
      default: text.append(byte)
      }
    }
  }

  private mutating func keep(_ text: String, _ number: Int) {
    if firstLines[text] == nil { firstLines[text] = number }
  }

  /// Returns the number of the first line that contains a string in quotes, or `nil` if it does not occur.
  func line(of text: String) -> Int? { firstLines[text] }
}
