import Essentials
import SSOCore

/// The scripts of a web app that a build can reach: entry points, and files that a reached file names.
///
/// No bundler's configuration is read. A file counts as named if a text in quotes ends with its name, so that a file
/// that is left over may be taken for a reached one, but hardly ever the reverse.
struct ScriptImports {
  private static let sizeLimit = 512 << 10
  private static let longestName = 200
  private static let depthLimit = 40

  /// The files that name others, by the last part of the name without its extension.
  private var users: [String: Set<String>] = [:]
  /// Whether files are reached without being named: by a pattern, or because the framework imports entire folders.
  private var takesFolders = false

  /// Reads the names in the files of an app, which include its pages and JSON documents.
  init(_ paths: [String]) {
    takesFolders = paths.contains { fileName($0).hasPrefix("nuxt.config.") }
    let files = FileNames(paths.map(Self.name(of:)))
    for path in paths where !takesFolders {
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit) else { continue }
      if data.hasBytes("import.meta.glob") || data.hasBytes("require.context(") { takesFolders = true }
      for name in Self.names(in: data, of: files) where name != Self.name(of: path) {
        users[name, default: []].insert(path)
      }
    }
  }

  /// Returns whether a script is an entry point by its name, so that what none reaches is not in the build.
  static func hasEntry(_ paths: [String]) -> Bool {
    paths.contains { SourceLanguage($0) == .script && isEntry($0) }
  }

  /// Returns whether a build can reach a file.
  func reaches(_ path: String) -> Bool {
    var visited: Set<String> = []
    return reaches(path, &visited, 0)
  }

  private func reaches(_ path: String, _ visited: inout Set<String>, _ depth: Int) -> Bool {
    if takesFolders || depth > Self.depthLimit || Self.isEntry(path) { return true }
    guard visited.insert(path).inserted else { return false }
    return (users[Self.name(of: path)] ?? []).contains { reaches($0, &visited, depth + 1) }
  }

  /// Returns the names of the app's files with which a text in quotes ends.
  private static func names(in data: Data, of files: FileNames) -> Set<String> {
    var names: Set<String> = []
    data.withUnsafeBytes { bytes in
      var start: Int?
      for index in bytes.indices {
        switch bytes[index] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
          if let start, index > start, index - start <= longestName,
            let name = files.name(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
          {
            names.insert(name)
          }
          start = index + 1
        case ...0x20: start = nil
        default: break
        }
      }
    }
    return names
  }

  /// Returns the last part of a path without its extension, or `config` of `./config/index.ts`, as an import names it.
  private static func name(of path: String) -> String {
    var path = path
    return path.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return String(decoding: bytes[name(of: bytes)], as: UTF8.self)
    }
  }

  /// Returns the place of the name in a path; see ``name(of:)``.
  fileprivate static func name(of path: UnsafeRawBufferPointer) -> Range<Int> {
    // Angular's `./admin/admin.module#AdminModule`, Vite's `./page.html?raw`.
    var end = path.firstIndex { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "?") } ?? path.count
    while end > 0, path[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard end > 0 else { return 0..<path.count }
    let start = path[..<end].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let name = path[start..<end]
    let ending = extensions.first { name.count >= $0.count && name.suffix($0.count).elementsEqual($0) }
    return start..<(end - (ending?.count ?? 0))
  }

  private static let extensions = [
    ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json",
  ].map { Array($0.utf8) }

  /// Returns whether a build, a framework, or a browser takes a file by its name or its folder alone.
  private static func isEntry(_ path: String) -> Bool {
    let parts = path.lowercased().split(separator: "/")
    guard let file = parts.last else { return true }
    if [".html", ".htm", ".json"].contains(where: file.hasSuffix) { return true }
    let name = file[..<(file.lastIndex(of: ".") ?? file.endIndex)]
    return entries.contains(name) || parts.dropLast().contains(where: folders.contains)
  }

  private static let entries: Set<Substring> = [
    "main", "index", "app", "_app", "layout", "page", "template", "route", "+page", "+layout", "middleware",
    "server", "root", "entry", "bootstrap", "polyfills", "background", "content", "popup", "options",
    "taskpane",
    "commands", "preload", "renderer", "sw", "service-worker", "script", "scripts",
  ]
  private static let folders: Set<Substring> = [
    "pages", "routes", "plugins", "boot", "layouts", "middleware", "public", "static", "wwwroot", "api",
  ]
}

/// The names of an app's files, to find among all texts in quotes, of which hardly any is one.
private struct FileNames {
  private var names: Set<String>
  /// Whether a name has them, for each first and last byte.
  private var ends = [Bool](repeating: false, count: 1 << 16)

  init(_ names: [String]) {
    self.names = Set(names)
    for name in self.names {
      if let first = name.utf8.first, let last = name.utf8.last { ends[Int(first) << 8 | Int(last)] = true }
    }
  }

  /// Returns the name with which a text ends, if it is one of these.
  func name(_ text: UnsafeRawBufferPointer) -> String? {
    let name = text[ScriptImports.name(of: text)]
    guard let first = name.first, let last = name.last, ends[Int(first) << 8 | Int(last)] else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    return names.contains(text) ? text : nil
  }
}
