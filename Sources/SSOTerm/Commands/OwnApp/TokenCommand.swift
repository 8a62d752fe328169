import ArgumentParser
import Essentials
import SSOCore
import SSOLab
import SSOProvider
import SSOReading
import SSOReference
import SSOServer
import SSOStore
import SSOTermApp
import SafeText

/// `ssoterm token`: decodes or forges a single token, which need not be in a list.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "token", "Decode a token and say what is wrong with it; make tokens that an API must reject.",
    examples: ["ssoterm silent mytestapp1 --print token | ssoterm token inspect"],
    subcommands: [TokenInspectCommand.self, TokenForge.self], defaultSubcommand: TokenInspectCommand.self)
}

/// `ssoterm token [inspect] [JWT|FILE|-]`.
struct TokenInspectCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Decode a token, verify it, and say what is wrong with it.",
    discussion: """
      Verifies the signature with the JSON Web Key Set given by --keys: a file, an issuer URL, or a jwks_uri. A URL is \
      fetched once. Without --keys, uses the keys of the store's provider, which are those of a running \
      `ssoterm serve` on the same store. Personal claims are shown as hashes unless you \
      pass --unmask. The exit code is 1 if something is wrong with the token.

      Examples:
        ssoterm silent mytestapp1 --print token | ssoterm token inspect
        ssoterm token inspect token.txt --keys keys.json --audience api://orders
        eval "$(ssoterm serve env)"
        ssoterm token inspect token.txt --keys "$SSOTERM_ISSUER"
      """,
    aliases: ["read"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(
    help:
      "The token, with or without “Bearer ”, or a file that contains it. Reads stdin if - or omitted. Use a file or stdin to keep the token out of the process list.",
    completion: .file())
  var token = "-"

  @Option(
    help:
      "A JSON Web Key Set: a file, or the URL of an issuer or of its jwks_uri; - skips the check of the signature.",
    completion: .file())
  var keys: String?

  @Option(help: "The expected audience (aud).")
  var audience: String?

  @Option(help: "The nonce of the request.")
  var nonce: String?

  /// The maximum size of a token with its surroundings, in bytes.
  private static let sizeLimit = 1 << 20

  func perform(on console: Console) throws -> ExitStatus {
    let isFile = token == "-" || access(token, F_OK) == 0 || Self.isPath(token)
    let data = isFile ? try readFile(token, limit: Self.sizeLimit).data : Data(token.utf8)
    guard data.count <= Self.sizeLimit else {
      throw CommandFailure(
        usage: "There is no token.",
        why: "\(token == "-" ? "stdin" : token) has more than 1 MiB, and a token a few KB",
        next: "ssoterm read \(token == "-" ? "app.log" : shellWord(token))")
    }
    let text = String(decoding: data, as: UTF8.self)
    guard !text.trimmed.isEmpty else {
      throw CommandFailure(
        usage: "There is no token.", why: "\(token == "-" ? "stdin" : token) is empty",
        next: "ssoterm silent mytestapp1 --print token | ssoterm token inspect")
    }
    let reading = TokenReading(text, try expectation(console))
    try console.show(reading.json(unmasked: console.unmask)) {
      reading.text(unmasked: console.unmask, console.ink)
    }
    return reading.hasFailed ? .finding : .done
  }

  /// Returns whether a word names a file even if there is none: it begins as a path, its folder exists, or it has an
  /// extension.
  ///
  /// A token is longer, and an opaque one may contain a slash or dots.
  private static func isPath(_ word: String) -> Bool {
    guard word.utf8.count <= 100 else { return false }
    if ["/", "./", "../"].contains(where: word.hasPrefix) { return true }
    let ending = word.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    if (1...5).contains(ending.count), ending.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) { return true }
    return word.lastIndex(of: "/").map { access(String(word[..<$0]), F_OK) == 0 } ?? false
  }

  private func expectation(_ console: Console) throws -> TokenReading.Expectation {
    var expected = TokenReading.Expectation(now: StandardStreams.now())
    (expected.audience, expected.nonce) = (audience, nonce)
    if let keys {
      guard keys != "-" else { return expected }
      let (name, document) = try keySet(keys, console)
      let found = document?["keys"]?.array?.compactMap { TokenVerificationKey($0) } ?? []
      guard !found.isEmpty else {
        throw CommandFailure(
          status: .usage, kind: "badInput", what: "\(name) has no keys.",
          why: "expected {\"keys\": […]} with RSA keys (RFC 7517 §5)",
          next: "curl -s ORIGIN/TENANT/discovery/v2.0/keys > keys.json")
      }
      (expected.keys, expected.keySource) = (found, name)
      return expected
    }
    guard let lab = try console.openLabIfPresent(options) else { return expected }
    // Use the lab's clock, because a token that was issued while the clock was moved is checked against it.
    try lab.read {
      expected.now = $0.now
      let keys = try $0.provider.publishedKeys()
      if !keys.isEmpty {
        (expected.keys, expected.keySource) = (keys, "the store's provider")
        expected.tenants = try $0.provider.tenantIDs()
      }
    }
    return expected
  }
}

extension TokenInspectCommand {
  /// Returns the document at a URL or in a file, with the name of its source.
  private func keySet(_ place: String, _ console: Console) throws -> (name: String, document: JSONValue?) {
    guard place.hasPrefix("https://") || place.hasPrefix("http://") else {
      let (name, data) = try readFile(place)
      return (name, try? JSONParser.parse(data))
    }
    // A lab's server has a certificate from the lab's own authority.
    let environment = ProcessInfo.processInfo.environment["SSOTERM_CA"]
    let own = try console.openLabIfPresent(options).map { CertificateAuthorityFile(of: $0).path }
    do throws(KeySetFetch.Failure) {
      return (
        place, try KeySetFetch(trusting: [environment, own].compactMap(\.self)).keySet(at: place)
      )
    } catch {
      throw CommandFailure(
        status: .usage, kind: "badInput", what: error.what, why: error.why,
        next: "the same command with --keys keys.json")
    }
  }
}

extension Console {
  /// Opens the lab of the store, or returns `nil` if the store does not exist.
  ///
  /// It does not create one.
  func openLabIfPresent(_ options: GlobalOptions) throws -> Lab? {
    let store = try options.storePath()
    guard options.store != nil || LabAddress.matches(store) || access(store, F_OK) == 0 else {
      return nil
    }
    return try openLabToRead(options)
  }
}

extension TokenReading {
  /// Returns the kind of the token, its claims with their meanings, and its checks.
  func text(unmasked: Bool, _ ink: TextInk) -> String {
    var lines = [ink.draw(form.displayText, .strong)]
    if status.state != .none { lines[0] += ink.draw("  ") + ink.draw(stateText(status)) }
    lines += table("header", header, unmasked, ink) + table("claims", claims, unmasked, ink)
    lines += checks.map { checkLine($0, ink) }
    return lines.joined(separator: "\n")
  }

  private func table(_ title: String, _ fields: [String: JSONValue], _ unmasked: Bool, _ ink: TextInk)
    -> [String]
  {
    guard !fields.isEmpty else { return [] }
    let table = TextTable([], of: fields.sorted(by: { $0.key < $1.key })) { (name, value) in
      [
        InkedText("  " + name, .faint), InkedText(Self.shown(name, value, unmasked)),
        InkedText(Self.meaning(of: name, value), .faint),
      ]
    }
    return [ink.draw(title, .faint)] + table.lines(ink)
  }

  func json(unmasked: Bool) -> JSONValue {
    func shown(_ fields: [String: JSONValue]) -> JSONValue {
      .object(
        Dictionary(
          uniqueKeysWithValues: fields.map { name, value in
            let text = Self.shown(name, value, unmasked)
            return (name, text == Self.shown(name, value, true) ? value : .string(text))
          }))
    }
    return [
      "form": .string(form.rawValue), "state": .string(status.state.rawValue),
      "secondsLeft": .optional(status.secondsLeft), "header": shown(header), "claims": shown(claims),
      "checks": .array(checks.map(\.json)),
    ]
  }

  private static func isPersonal(_ name: String) -> Bool {
    Redaction.kind(ofField: name) != nil && name != "nonce"
  }

  private static func shown(_ name: String, _ value: JSONValue, _ unmasked: Bool) -> String {
    let text = value.string ?? value.text(.wire)
    if unmasked { return text }
    if isPersonal(name) { return Redaction.hash(text) }
    // A claim may contain an entire token, either directly or inside an object.
    return text.contains("eyJ") ? Redaction.text(text) : text
  }

  private static let meanings = ReferenceTable("token-claims.tsv").texts

  /// Returns the time for a claim with a time, and an explanation for the claims that people confuse.
  private static func meaning(of name: String, _ value: JSONValue) -> String {
    switch name {
    case "iat", "nbf", "exp", "auth_time", "xms_st_iat": value.numericDate?.iso8601 ?? ""
    case "azpacr", "appidacr":
      ["0": "public client", "1": "client secret", "2": "certificate"][value.string ?? ""] ?? ""
    case "tfp", "acr": AuthorityPath.isPolicy(value.string ?? "") ? "the policy of Azure AD B2C" : ""
    case "ts": value.numericDate.map { "signed " + $0.iso8601 } ?? ""
    default: meanings[name] ?? ""
    }
  }
}
