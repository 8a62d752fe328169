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
    for path in paths where !takesFolders {
      guard let data = try? ProjectFiles.data(path, limit: Self.sizeLimit) else { continue }
      if data.hasBytes("import.meta.glob") || data.hasBytes("require.context(") { takesFolders = true }
      for name in Self.names(in: data) where name != Self.name(of: path) {
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

  /// Returns the last parts of the texts in quotes that may be names of files, without their extensions.
  private static func names(in data: Data) -> Set<String> {
    let quotes = Set("\"'`".utf8)
    var names: Set<String> = []
    data.withUnsafeBytes { bytes in
      var start: Int?
      for index in bytes.indices {
        let byte = bytes[index]
        if quotes.contains(byte) {
          if let start, index > start, index - start <= longestName {
            names.insert(name(of: String(decoding: bytes[start..<index], as: UTF8.self)))
          }
          start = index + 1
        } else if byte <= 0x20 {
          start = nil
        }
      }
    }
    return names
  }

  /// Returns the last part of a path without its extension, or `config` of `./config/index.ts`, as an import names it.
  private static func name(of path: String) -> String {
    // Angular's `./admin/admin.module#AdminModule`, Vite's `./page.html?raw`.
    let parts = path.prefix { $0 != "#" && $0 != "?" }.split(separator: "/")
    guard var name = parts.last.map(String.init) else { return path }
    for end in [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json"]
    where name.hasSuffix(end) {
      name.removeLast(end.count)
      break
    }
    return name
  }

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
