import Crypto
import Essentials
import SSOCore

/// A keystore of Java in the format JKS, whose certificates are not encrypted.
///
/// Source: OpenJDK, `sun.security.provider.JavaKeyStore`, `engineLoad`.
struct JavaKeystore {
  private static let entryLimit = 100

  /// The base64-encoded SHA-1 hashes of the certificates of its keys, by the alias in lowercase.
  let hashes: [String: String]

  /// - Throws: `ReadingError` if the file has another format, such as PKCS #12, or is damaged.
  init(_ data: Data) throws(ReadingError) {
    let file = ByteReader(data)
    let version = try file.big(4)
    guard try file.big(0) == 0xFEED_FEED, version == 1 || version == 2 else {
      throw ReadingError("not a keystore in the format JKS")
    }
    var hashes: [String: String] = [:]
    var place = 12
    func text() throws(ReadingError) -> ArraySlice<UInt8> {
      let length = try file.big(place, 2)
      defer { place += 2 + length }
      return try file.slice(place + 2, length)
    }
    func block() throws(ReadingError) -> ArraySlice<UInt8> {
      let length = try file.big(place)
      defer { place += 4 + length }
      return try file.slice(place + 4, length)
    }
    for _ in 0..<min(try file.big(8), Self.entryLimit) {
      let isKey = try file.big(place) == 1
      place += 4
      let alias = String(decoding: try text(), as: UTF8.self).lowercased()
      place += 8
      var count = 1
      if isKey {
        _ = try block()
        count = try file.big(place)
        place += 4
      }
      guard count <= Self.entryLimit else { throw ReadingError("a chain of \(count) certificates") }
      for index in 0..<count {
        if version == 2 { _ = try text() }
        let certificate = try block()
        if isKey, index == 0 {
          hashes[alias] = Data(Insecure.SHA1.hash(data: Data(certificate))).base64EncodedString()
        }
      }
    }
    self.hashes = hashes
  }
}

/// The certificates with which a module's builds are signed, if their keystores are in the project.
struct GradleSigning {
  private static let sizeLimit = 1 << 20

  /// The hashes of the certificates, with the places that name the keystores.
  private(set) var hashes: [Found<String>] = []
  /// Whether every build type is signed with one of them.
  private(set) var isWhole = false

  /// Reads `signingConfigs` and `buildTypes` of a build file.
  ///
  /// The build type `debug` is signed with the configuration of that name unless it names another one; without either,
  /// the keystore is the developer's own.
  ///
  /// - Parameters:
  ///   - tokens: The build file.
  ///   - path: Its path.
  ///   - project: The folder of its Gradle project.
  ///   - root: The folder in which keystores are read.
  init(_ tokens: [SourceToken], _ path: String, project: String, root: String) {
    let configurations = Self.blocks(of: "signingConfigs", in: tokens)
    guard !configurations.isEmpty else { return }
    var types = Self.blocks(of: "buildTypes", in: tokens)
    types["debug"] = types["debug"] ?? []
    // A flavour or the default configuration may choose another signature.
    func count(_ tokens: some Sequence<SourceToken>) -> Int { tokens.count { $0.word == "signingConfig" } }
    isWhole = types["release"] != nil && count(tokens) == types.values.reduce(0) { $0 + count($1) }
    for (name, body) in types.sorted(by: { $0.key < $1.key }) {
      let signer = Self.configuration(in: body) ?? (name == "debug" ? name : "")
      guard let settings = configurations[signer],
        let hash = Self.hash(settings, path, project: project, root: root)
      else {
        isWhole = false
        continue
      }
      if !hashes.contains(where: { $0.value == hash.value }) { hashes.append(hash) }
    }
  }

  /// Returns the bodies of the blocks within a block by their names: `outer { name { … } }`, `create("name") { … }`.
  static func blocks(of name: String, in tokens: [SourceToken]) -> [String: ArraySlice<SourceToken>] {
    let start = tokens.indices.dropLast().first { tokens[$0].word == name && tokens[$0 + 1].isSymbol("{") }
    guard let start else { return [:] }
    var blocks: [String: ArraySlice<SourceToken>] = [:]
    var (depth, open) = (0, start)
    for index in (start + 1)..<tokens.count {
      if tokens[index].isSymbol("{") {
        depth += 1
        if depth == 2 { open = index }
      } else if tokens[index].isSymbol("}") {
        depth -= 1
        if depth == 0 { break }
        let label = tokens[(start + 2)..<max(open, start + 2)].last { $0.text != nil || $0.word != nil }
        if depth == 1, let label = label?.text ?? label?.word { blocks[label] = tokens[(open + 1)..<index] }
      }
    }
    return blocks
  }

  /// Returns the name in `signingConfig signingConfigs.name` or `signingConfig = signingConfigs.getByName("name")`, or
  /// `nil` if the body does not name one.
  private static func configuration(in body: ArraySlice<SourceToken>) -> String? {
    guard let place = body.firstIndex(where: { $0.word == "signingConfig" }) else { return nil }
    let line = body[place].line
    let rest = body[(place + 1)...].prefix { $0.line == line }
    return rest.last { $0.text != nil }?.text ?? rest.last { $0.word != nil }?.word
  }

  /// Returns the hash of the certificate of a signing configuration, or `nil` if its keystore or alias is not known.
  private static func hash(
    _ settings: ArraySlice<SourceToken>, _ path: String, project: String, root: String
  ) -> Found<String>? {
    func literal(_ name: String) -> (text: String, place: Int)? {
      let places = settings.indices.filter { settings[$0].word == name }
      guard places.count == 1 else { return nil }
      let wrapper: Set<String> = ["file", "rootProject"]
      let rest = settings[(places[0] + 1)...].prefix(6).drop { token in
        ["=", "(", "."].contains { token.isSymbol($0) } || token.word.map(wrapper.contains) ?? false
      }
      guard let text = rest.first?.text, !text.contains("$"), !text.hasPrefix("/") else { return nil }
      return (text, places[0])
    }
    guard let file = literal("storeFile"), let alias = literal("keyAlias") else { return nil }
    let isOfProject = settings[file.place...].prefix(4).contains { $0.word == "rootProject" }
    let store = simplified((isOfProject ? project : folder(of: path)) + "/" + file.text)
    guard store.hasPrefix(simplified(root) + "/"), !store.hasPrefix("./../"),
      let data = try? ProjectFiles.data(store, limit: sizeLimit), let keystore = try? JavaKeystore(data),
      let hash = keystore.hashes[alias.text.lowercased()]
    else { return nil }
    return Found(hash, FilePlace(path, line: settings[file.place].line))
  }
}
