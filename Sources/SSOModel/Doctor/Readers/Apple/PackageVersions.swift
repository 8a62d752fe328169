import SSOCore
import SSODevice

/// A reader of the versions of MSAL and ADAL in a project's lock files, or else in its requirements.
enum PackageVersions {
  private static let repository = "microsoft-authentication-library-for-objc"

  static func read(beside bundle: String) -> [SDKKind: String] {
    let base = folder(of: bundle)
    func text(_ name: String) -> String { (try? ProjectFiles.text(base + "/" + name, limit: 1 << 20)) ?? "" }
    var versions = locked(beside: bundle)
    if versions[.msal] == nil {
      let cart = text("Cartfile").lines.first {
        $0.contains("/\(repository)\"") && !$0.trimmed.hasPrefix("#")
      }
      let file = try? ProjectFiles.text(bundle + "/project.pbxproj", limit: 32 << 20)
      versions[.msal] =
        cart.map { String($0.drop { $0 != "\"" }.dropFirst().drop { $0 != "\"" }.dropFirst()) }
        .flatMap { VersionRequirement([$0])?.newest(of: .msal) }
        ?? file.flatMap(VersionRequirement.init(inProject:))?.newest(of: .msal)
    }
    let pods = text("Podfile.lock")
    for line in pods.lines.map({ $0.replacing("  - ADALiOS (", with: "  - ADAL (") }) {
      for kind in SDKKind.allCases where line.hasPrefix("  - \(kind.rawValue) (") {
        let version = line.dropFirst(kind.rawValue.count + 6).prefix { $0 != ")" }.trimmed
        // Pods that depend on it have a requirement such as `~> 1.2` here.
        if version.first?.isNumber ?? false { versions[kind] = version }
      }
    }
    guard pods.isEmpty else { return versions }
    for kind in SDKKind.allCases where versions[kind] == nil {
      let pinned = Set(text("Podfile").lines.compactMap { version(of: kind, inPodfileLine: $0) })
      if pinned.count == 1 { versions[kind] = pinned.first }
    }
    return versions
  }

  /// Returns the version of MSAL in the lock files of SwiftPM and Carthage.
  private static func locked(beside bundle: String) -> [SDKKind: String] {
    let base = folder(of: bundle)
    var versions: [SDKKind: String] = [:]
    let workspaces = ProjectFiles(base).folders(depth: 1).filter { $0.hasSuffix(".xcworkspace") }
    let resolved =
      ([bundle + "/project.xcworkspace"] + workspaces).map { $0 + "/xcshareddata/swiftpm/Package.resolved" }
      + [base + "/Package.resolved"]
    for path in resolved where versions[.msal] == nil {
      guard let data = try? ProjectFiles.data(path, limit: 1 << 20),
        let document = try? JSONParser.parse(data)
      else { continue }
      for pin in (document["pins"] ?? document["object"]?["pins"])?.array ?? [] {
        let name = (pin["identity"] ?? pin["package"])?.string?.lowercased() ?? ""
        if name == repository || name == "msal" {
          versions[.msal] = pin["state"]?["version"]?.string
        }
      }
    }
    // `github "AzureAD/microsoft-authentication-library-for-objc" "1.1.5"`, or a commit
    let carts = (try? ProjectFiles.text(base + "/Cartfile.resolved", limit: 1 << 20)) ?? ""
    for line in carts.lines where line.contains("/\(repository)\"") {
      versions[.msal] = versions[.msal] ?? line.split(separator: "\"").last.map(String.init)
    }
    return versions
  }

  /// Returns the version that a line such as `pod 'MSAL', '~> 1.2'` installs, or `nil` if the line does not decide it.
  private static func version(of kind: SDKKind, inPodfileLine line: Substring) -> String? {
    let parts = line.replacing("\"", with: "'").split(separator: "'", omittingEmptySubsequences: false)
    let names = kind == .adal ? ["ADAL", "ADALiOS"] : [kind.rawValue]
    guard parts.count > 4, parts[0].trimmed == "pod", names.contains(String(parts[1])) else { return nil }
    let (gaps, texts) = (
      stride(from: 2, to: parts.count - 1, by: 2).map { parts[$0].trimmed },
      stride(from: 3, to: parts.count, by: 2).map { String(parts[$0]) }
    )
    guard gaps.allSatisfy({ $0 == "," }) else { return nil }
    return VersionRequirement(texts)?.newest(of: kind)
  }
}

/// The versions that a requirement of CocoaPods, Carthage, or SwiftPM allows.
///
/// Sources: guides.cocoapods.org, “Podfile”; Carthage, `Documentation/Artifacts.md`.
struct VersionRequirement {
  private var exact: [Int]?
  /// The first version that is too new.
  private var end: [Int]?
  private var least: [Int] = []

  /// Creates a requirement that is all of several texts, such as `~> 1.2` or `< 1.1`, or returns `nil` for any other text.
  init?(_ texts: [String]) {
    for text in texts.flatMap({ $0.split(separator: ",") }).map({ $0.filter { !$0.isWhitespace } }) {
      let sign = text.prefix { !$0.isNumber }
      let numbers = text.dropFirst(sign.count).split(separator: ".").map { Int($0) }
      guard !numbers.isEmpty, numbers.count < 4, !numbers.contains(nil) else { return nil }
      let version = numbers.compactMap(\.self)
      var upper: [Int]?
      switch sign {
      case "", "=", "==", "<=": exact = version
      case "~>":
        upper = version.count == 1 ? [version[0] + 1] : version.dropLast(2) + [version[version.count - 2] + 1]
        least = version
      case "<": upper = version
      case ">", ">=": least = version
      default: return nil
      }
      if let upper, end.map({ upper.lexicographicallyPrecedes($0) }) ?? true { end = upper }
    }
  }

  /// Creates the requirement of an Xcode project's reference to MSAL's package, or returns `nil` if it does not have one.
  init?(inProject text: String) {
    let lines = text.lines
    guard
      let start = lines.firstIndex(where: {
        $0.contains("repositoryURL") && $0.contains("/microsoft-authentication-library-for-objc")
      })
    else { return nil }
    func value(_ key: String) -> String? {
      lines[start...].prefix(8).map(\.trimmed).first { $0.hasPrefix(key + " = ") }
        .map { $0.dropFirst(key.count + 3).filter { !"\";".contains($0) } }
    }
    let least = value("minimumVersion") ?? ""
    let parts = least.split(separator: ".")
    switch value("kind") {
    case "exactVersion": self.init([value("version") ?? ""])
    case "upToNextMajorVersion": self.init(["~> " + parts.prefix(1).joined() + ".0"])
    case "upToNextMinorVersion": self.init(["~> " + least])
    case "versionRange": self.init(["< " + (value("maximumVersion") ?? "")])
    default: return nil
    }
  }

  /// Returns the newest version that is allowed, or one with the same rules, or `nil` if the requirement does not decide it.
  ///
  /// 1.9.0 is the last 1.x of MSAL, and 1.0.6 differs from the versions before it (its `CHANGELOG.md`).
  func newest(of kind: SDKKind) -> String? {
    if let exact {
      guard exact.count > 1 else { return nil }
      return (exact + (exact.count == 2 ? [0] : [])).map(String.init).joined(separator: ".")
    }
    guard let end, let major = end.first else { return nil }
    let minor = end.dropFirst().first ?? 0
    if let patch = end.dropFirst(2).first, patch > 0 { return "\(major).\(minor).\(patch - 1)" }
    if minor == 0 { return kind == .msal && major == 2 ? "1.9.0" : nil }
    guard kind == .adal || major != 1 || minor > 1 else { return nil }
    let isOfMinor = least.prefix(2) == [major, minor - 1]
    return "\(major).\(minor - 1).\(isOfMinor ? least.dropFirst(2).first ?? 0 : 0)"
  }
}
