import Essentials

/// The scans of an app's sources, except for files that cannot say anything about a sign-in.
///
/// Most files of an app only have to be searched for a few words, which is much faster than splitting them into tokens.
final class SourceScans {
  /// The words of which a file has at least one if it uses an SDK, or if the system starts or calls the app there.
  private static let words = [
    "MSAL", "MSQA", "ADAL", "ADAuthentication", "acquireToken", "knownAuthorities", "brokerAvailability",
    "credentialsType", "checkAppOpen", "handleBrokerResponse", "openURL", "onOpenURL", "UIApplication",
    "UIWindowSceneDelegate", "@main", "PropertyListDecoder", "PropertyListSerialization", "contentsOfFile",
    "ictionaryWithContentsOf", "nitWithContentsOf",
  ]
  private static let sizeLimit = 1 << 20
  private static let roundLimit = 8

  /// The words of which a file has at least one if it uses an SDK.
  private static let marks = ["MSAL", "MSQA", "ADAL", "ADAuthentication"]

  /// The maximum number of files to read.
  private let limit: Int
  private var count = 0
  /// The scans by path, because targets share files.
  private var known: [String: SourceScan] = [:]
  /// The paths of the files that do not contain any of the words.
  private var others: Set<String> = []

  init(limit: Int) { self.limit = limit }

  /// Returns whether one of the files may use an SDK; most targets of most projects do not, and need no scan.
  func mayUseSDK(_ all: [String]) -> Bool {
    all.prefix(limit).contains { path in
      if let known = known[path] { return known.sdk != nil }
      let data = Self.data(path)
      return Self.marks.contains { data.hasBytes($0) }
    }
  }

  /// Returns the scans of the files that matter, in the order of the paths.
  func scans(of all: [String]) -> [SourceScan] {
    let paths = Self.own(all)
    for path in paths where known[path] == nil && !others.contains(path) && count < limit {
      count += 1
      let data = Self.data(path)
      if Self.words.contains(where: { data.hasBytes($0) }) { scan(data, path) } else { others.insert(path) }
    }
    // The values that names represent may be in any other file.
    var wanted: Set<String> = []
    for _ in 0..<Self.roundLimit {
      let names = Set(paths.compactMap { known[$0] }.flatMap { $0.names(wanted) }).subtracting(wanted)
      guard !names.isEmpty else { break }
      wanted.formUnion(names)
      for path in paths where others.contains(path) {
        let data = Self.data(path)
        guard names.contains(where: { data.hasBytes($0) }) else { continue }
        others.remove(path)
        scan(data, path)
      }
    }
    return paths.compactMap { known[$0] }
  }

  /// Returns the paths except those of a copy of MSAL, which says nothing about the app.
  private static func own(_ paths: [String]) -> [String] {
    let copies = paths.filter { fileName($0) == "MSALPublicClientApplication.m" }
      .map { folder(of: folder(of: $0)) + "/" }
    return copies.isEmpty ? paths : paths.filter { path in !copies.contains(where: path.hasPrefix) }
  }

  private func scan(_ data: Data, _ path: String) {
    known[path] = SourceScan(String(decoding: data, as: UTF8.self), path: path)
  }

  private static func data(_ path: String) -> Data {
    (try? ProjectFiles.data(path, limit: sizeLimit)) ?? Data()
  }
}

extension SourceScan {
  /// Returns the names that represent values that are passed to the SDK, or which one of the given names represents, and
  /// the words that begin the implementations of delegates.
  fileprivate func names(_ wanted: Set<String>) -> [String] {
    let declared = wanted.flatMap { constants[$0] ?? [] }.map(\.value)
    let values = uses.map(\.expression) + declared + declared.flatMap(passed)
    let lists = (wanted.flatMap { constants[$0] ?? [] }).flatMap { $0.list?.items.map(\.value) ?? [] }
    let scopes = requests.flatMap { request in
      switch request {
      case .list(let list): list.items.map(\.value)
      case .name(let name): [name.value]
      }
    }
    let delegates = delegateClasses.compactMap { $0.name.map { "@implementation " + $0 } }
    return (scopes + lists + values).flatMap(\.names) + delegates + passedOn(wanted)
  }

  /// Returns the beginnings of the functions to which delegates pass a URL, and of those to which the wanted ones pass it.
  private func passedOn(_ wanted: Set<String>) -> [String] {
    let names = functionBodies.filter { wanted.contains("func " + $0.name) }.flatMap {
      callees(after: $0.start)
    }
    return (forwarders.flatMap(\.callees) + names).map { "func " + $0 }
  }

  /// Returns the values that calls pass for a parameter.
  private func passed(_ expression: SourceCode.Expression) -> [SourceCode.Expression] {
    if case .parameter(let key, _) = expression { (arguments[key] ?? []).map(\.value) } else { [] }
  }
}

extension SourceCode.Expression {
  /// The names in the expression, and in the interpolations of its texts.
  fileprivate var names: [String] {
    switch self {
    case .name(let name, _), .member(let name), .rawValue(let name): [name]
    case .text(let text): SourceScan.interpolations(in: text).flatMap { $0.name?.names ?? [] }
    case .joined(let parts): parts.flatMap(\.names)
    case .format(let format, let arguments): format.names + arguments.flatMap(\.names)
    case .parameter(_, let usual): usual.names
    case .infoCall(let function, _): ["func " + function]
    case .infoKey, .listKey, .absent, .other: []
    }
  }
}

extension SourceScan {
  /// An interpolation in a text, with the name that it interpolates, or `nil` for any other code.
  struct Interpolation {
    var range: Range<String.Index>
    var code: Substring
    var name: SourceCode.Expression?
  }

  /// Returns the interpolations in a text, in which they are written as `$(code)`.
  static func interpolations(in text: String) -> [Interpolation] {
    var found: [Interpolation] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "$("), let end = rest[start.upperBound...].firstIndex(of: ")") {
      let code = rest[start.upperBound..<end]
      let after = rest.index(after: end)
      let isName = code.allSatisfy { $0.isLetter || $0.isNumber || "_.!".contains($0) }
      let words = code.split { ".!".contains($0) }.map(String.init)
      found.append(
        Interpolation(
          range: start.lowerBound..<after, code: code, name: isName ? SourceCode.Expression(words) : nil))
      rest = rest[after...]
    }
    return found
  }
}

/// The texts of files that a reader searches for several words, each of which is read once.
final class SourceTexts {
  /// The maximum size, in bytes, of all texts that are kept; other files are read again.
  private static let totalLimit = 64 << 20

  /// The maximum size of a file, in bytes.
  private let sizeLimit: Int
  private var known: [String: String?] = [:]
  private var size = 0

  init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

  /// Returns the text of a file, or `nil` if it cannot be read or is too large.
  func text(_ path: String) -> String? {
    if let text = known[path] { return text }
    let text = try? ProjectFiles.text(path, limit: sizeLimit)
    let length = text?.utf8.count ?? 0
    if size + length <= Self.totalLimit {
      known[path] = .some(text)
      size += length
    }
    return text
  }
}

/// The headers of a project that import an SDK, because a target's list of sources does not include headers.
final class SourceHeaders {
  private static let sizeLimit = 256 << 10
  private static let headerLimit = 3_000
  private static let roundLimit = 8
  private static let signs = [
    "<MSAL/", "@import MSAL", "\"MSAL.h\"", "<ADAL/", "<ADALiOS/", "@import ADAL", "\"ADAL.h\"",
    "\"ADAuthenticationContext.h\"",
  ]

  private let directory: String
  private var headers: [(path: String, data: Data)]?

  init(_ directory: String) { self.directory = directory }

  /// All headers, except those of a copy of MSAL.
  private func all() -> [(path: String, data: Data)] {
    if let headers { return headers }
    let paths = ProjectFiles(directory).find { $0.hasSuffix(".h") || $0.hasSuffix(".pch") }
    let copies = paths.filter { fileName($0) == "MSALPublicClientApplication.h" }
      .map { folder(of: folder(of: $0)) + "/" }
    let found = paths.prefix(Self.headerLimit).filter { path in !copies.contains(where: path.hasPrefix) }
      .compactMap { path in
        (try? ProjectFiles.data(path, limit: Self.sizeLimit)).map { (path: path, data: $0) }
      }
    headers = found
    return found
  }

  /// Returns the headers with an SDK that sources import, themselves or through other headers.
  ///
  /// `named` are the headers that the target's build settings name: the prefix header, and the bridging header.
  func used(by sources: [String], named: [String]) -> [String] {
    let importing = all().filter { header in Self.signs.contains { header.data.hasBytes($0) } }
    guard !importing.isEmpty else { return [] }
    let code = sources.filter { SourceLanguage($0) == .objectiveC }
      .compactMap { try? ProjectFiles.data($0, limit: 1 << 20) }
    let own = Set(named.map(fileName))
    return importing.map(\.path).filter { path in
      let names = importers(of: fileName(path))
      return !own.isDisjoint(with: names)
        || code.contains { data in names.contains { Self.imports($0, in: data) } }
    }
  }

  /// Returns the headers that sources of Objective-C import, themselves or through other headers.
  func imported(by sources: [String], named: [String]) -> [String] {
    let code = sources.filter { SourceLanguage($0) == .objectiveC }
    guard !code.isEmpty || !named.isEmpty else { return [] }
    var open = Set(named.map(fileName))
    for path in code {
      open.formUnion((try? ProjectFiles.data(path, limit: 1 << 20)).map(Self.imports) ?? [])
    }
    let known = Set(sources)
    var found: Set<String> = []
    for _ in 0..<Self.roundLimit {
      let more = all().filter { open.contains(fileName($0.path)) && !found.contains($0.path) }
      guard !more.isEmpty else { break }
      found.formUnion(more.map(\.path))
      open = more.reduce(into: []) { $0.formUnion(Self.imports($1.data)) }
    }
    return found.subtracting(known).sorted()
  }

  /// Returns the names of the files that a file imports with quotation marks.
  private static func imports(_ data: Data) -> Set<String> {
    Set(
      data.lines(with: "#i").compactMap { line in
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        let isImport = ["#import", "#include"].contains(parts[0].trimmed)
        return isImport && parts.count > 2 ? fileName(String(parts[1])) : nil
      })
  }

  /// Returns the names of a header and of the headers that import it.
  private func importers(of name: String) -> Set<String> {
    var names: Set = [name]
    for _ in 0..<Self.roundLimit {
      let more = all().filter { header in
        !names.contains(fileName(header.path)) && names.contains { Self.imports($0, in: header.data) }
      }
      guard !more.isEmpty else { break }
      names.formUnion(more.map { fileName($0.path) })
    }
    return names
  }

  /// Returns whether a file imports a header: `#import "Name.h"`, `#import "Folder/Name.h"`.
  private static func imports(_ name: String, in data: Data) -> Bool {
    data.hasBytes("\"\(name)\"") || data.hasBytes("/\(name)\"")
  }
}
