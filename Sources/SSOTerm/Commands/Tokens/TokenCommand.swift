import ArgumentParser
import Essentials

/// `ssoterm token`: decodes or forges a single token, which need not be in a list.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "token", "Decode a token and say what is wrong; make tokens that an API must refuse.",
    examples: ["ssoterm silent mytestapp1 --print token | ssoterm token inspect"],
    subcommands: [TokenInspectCommand.self, TokenForge.self], defaultSubcommand: TokenInspectCommand.self)
}

/// `ssoterm token [inspect] [JWT|FILE|-]`.
struct TokenInspectCommand: LabCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Decode a token, verify it, and say what is wrong with it.",
    discussion: """
      The signature is checked with the JSON Web Key Set that is named: a file, or the URL of an issuer or of its jwks_uri, \
      which is asked once. Without one the keys of the store's provider are taken, which are those of a running \
      `ssoterm serve` of the same store. Personal claims are shown by their hash unless they \
      are unmasked. Exit code 1: something is wrong with it.

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
      "The token, with or without “Bearer ”, or a file that has it; - or nothing reads stdin. A file and stdin keep it off the process list.",
    completion: .file())
  var token = "-"

  @Option(
    help:
      "A JSON Web Key Set: a file, or the URL of an issuer or of its jwks_uri; - for none, so that no signature is checked.",
    completion: .file())
  var keys: String?

  @Option(help: "The audience that it must have (aud).")
  var audience: String?

  @Option(help: "The nonce that was sent.")
  var nonce: String?

  func perform(on console: Console) throws -> ExitStatus {
    let isFile = token == "-" || access(token, F_OK) == 0
    let text = isFile ? String(decoding: try readFile(token).data, as: UTF8.self) : token
    guard !text.trimmed.isEmpty else {
      throw CommandFailure(
        usage: "There is no token.", why: "\(token == "-" ? "stdin" : token) is empty",
        next: "ssoterm token inspect FILE")
    }
    let reading = TokenReading(text, try expectation(console))
    try console.show(reading.json(unmasked: console.unmask)) {
      reading.text(unmasked: console.unmask, console.ink)
    }
    return reading.hasFailed ? .finding : .done
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
        next: "ssoterm token inspect --keys FILE")
    }
  }
}

extension Console {
  /// Opens the lab of the store, or returns `nil` if there is none.
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
