import SSOCore
import SSODevice

/// The values of a module's `build.gradle` or `build.gradle.kts`, if they are literals.
struct GradleBuildFile {
  private static let library = "com.microsoft.identity.client:msal:"

  /// The `applicationId` of the default configuration and of each flavour.
  private var names: [Found<String>] = []
  /// Each `applicationIdSuffix`, such as `.debug`, with the flavour that has it if flavours exclude each other.
  private var suffixes: [(suffix: Found<String>, isOfFlavour: Bool)] = []
  private var namespace: Found<String>?
  private var targetSDK: Int?
  private var sdkVersion: String?
  /// The `manifestPlaceholders`.
  private(set) var placeholders: [String: String] = [:]
  private(set) var isLibrary = false
  private var path = ""
  private var tokens: [SourceToken] = []
  /// Whether an `applicationId` is set, but never to a literal.
  var hasUnknownID: Bool { hasOtherID && names.isEmpty }
  private var hasOtherID = false

  /// The maximum number of package names: flavours multiply with build types.
  static let nameLimit = 64

  init(_ module: String) {
    for name in ProjectFiles.gradleNames where ProjectFiles.exists(module + "/" + name) {
      let path = module + "/" + name
      guard let text = try? ProjectFiles.text(path, limit: 1 << 20) else { return }
      isLibrary =
        isLibrary
        || ["com.android.library", "plugins.android.library", "plugins.androidLibrary"].contains(
          where: text.contains)
      (self.path, tokens) = (path, SourceTokens.read(text, of: path))
      take(tokens, path)
      return
    }
  }

  /// Returns how the builds are signed.
  func signing(project: String, root: String) -> GradleSigning {
    GradleSigning(tokens, path, project: project, root: root)
  }

  private mutating func take(_ tokens: [SourceToken], _ path: String) {
    let flavours = GradleSigning.blocks(of: "productFlavors", in: tokens)
    let exclusive =
      GradlePackageNames.dimensions(of: flavours).count == 1 ? flavours.values.map(\.indices) : []
    for (index, token) in tokens.enumerated() {
      if let version = token.text?.suffix(after: Self.library) {
        sdkVersion = Self.literal(version, in: tokens)
      }
      guard let word = token.word else { continue }
      // `applicationId "com.…"`, `applicationId = "com.…"`
      let rest = tokens[(index + 1)...].prefix(2).drop { $0.isSymbol("=") }
      let literal = rest.first?.text.flatMap { $0.contains("$") ? nil : $0 }
      let found = literal.map { Found($0, FilePlace(path, line: token.line)) }
      switch word {
      case "applicationId":
        if let found { names.append(found) } else { hasOtherID = true }
      case "applicationIdSuffix":
        if let found, !suffixes.contains(where: { $0.suffix.value == found.value }) {
          suffixes.append((found, exclusive.contains { $0.contains(index) }))
        }
      case "namespace": namespace = namespace ?? found
      case "targetSdkVersion", "targetSdk":
        targetSDK = targetSDK ?? rest.first?.word.flatMap { Int($0) }
      case "manifestPlaceholders": takePlaceholders(tokens[(index + 1)...].prefix(60))
      default: break
      }
    }
  }

  /// Returns a version, or the literal of the variable that stands for it (`${msalVersion}`), or `nil` if the file does not
  /// set the variable to one.
  private static func literal(_ version: String, in tokens: [SourceToken]) -> String? {
    guard version.contains("$") else { return version }
    let name = version.filter { !"${}()".contains($0) }
    return tokens.indices.lazy.compactMap { index in
      tokens[index].word == name && index + 2 < tokens.count && tokens[index + 1].isSymbol("=")
        ? tokens[index + 2].text.flatMap { $0.contains("$") ? nil : $0 } : nil
    }.first
  }

  /// Reads `[key: "value"]`, `mapOf("key" to "value")`, and `["key"] = "value"`.
  private mutating func takePlaceholders(_ tokens: ArraySlice<SourceToken>) {
    let end = tokens.firstIndex { $0.isSymbol("}") } ?? tokens.endIndex
    for index in tokens.startIndex..<end {
      guard let key = tokens[index].word ?? tokens[index].text, index + 2 < end else { continue }
      let next = tokens[index + 1]
      if next.isSymbol(":") || next.word == "to" || next.isSymbol("=") {
        placeholders[key] = placeholders[key] ?? tokens[index + 2].text
      } else if next.isSymbol("]"), tokens[index + 2].isSymbol("="), index + 3 < end {
        placeholders[key] = placeholders[key] ?? tokens[index + 3].text
      }
    }
  }

  /// Adds the values to the facts of the module.
  func take(into facts: inout AndroidFacts) {
    // Without an application ID, the namespace takes its place.
    facts.packageName = names.first ?? (hasOtherID ? nil : namespace)
    facts.targetSDK = targetSDK
    facts.sdkVersion = sdkVersion
    guard let first = facts.packageName else { return }
    facts.packageNamesOfSets = GradlePackageNames.ofSets(tokens, base: first.value)
    var all: [Found<String>] = names.isEmpty ? [first] : names
    let bases = all
    for (suffix, _) in suffixes where suffixes.contains(where: { $0.suffix == suffix && $0.isOfFlavour }) {
      all += bases.map { Found($0.value + suffix.value, suffix.place) }
    }
    for (suffix, isOfFlavour) in suffixes where !isOfFlavour && all.count < Self.nameLimit {
      all += all.map { Found($0.value + suffix.value, suffix.place) }
    }
    facts.otherPackageNames = all.reduce(into: []) { others, name in
      if name.value != first.value, !others.contains(where: { $0.value == name.value }) {
        others.append(name)
      }
    }
  }
}

extension String {
  /// Returns the text after a prefix, or `nil` if nothing follows it or the prefix does not match.
  fileprivate func suffix(after prefix: String) -> String? {
    hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
  }
}
