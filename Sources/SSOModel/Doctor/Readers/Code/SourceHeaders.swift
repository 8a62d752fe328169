import Essentials

/// The headers of a project that import an SDK, because a target's list of sources does not include headers.
final class SourceHeaders {
  private static let sizeLimit = 256 << 10
  private static let headerLimit = 3_000
  private static let roundLimit = 8
  private static let signs = [
    "<MSAL/", "@import MSAL", "\"MSAL.h\"", "<ADAL/", "<ADALiOS/", "@import ADAL", "\"ADAL.h\"",
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
    let lines = String(decoding: data, as: UTF8.self).lines.filter { $0.contains("#i") && $0.contains("\"") }
    return Set(
      lines.compactMap { line in
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
