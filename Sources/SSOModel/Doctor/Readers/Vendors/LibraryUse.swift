import Essentials
import SSOCore
import SSOReference

/// A sign-in library that a project uses and that the doctor does not check.
package struct LibraryUse: Hashable, Sendable {
  /// The name of the library, such as `MSAL Node`.
  package var library: String
  /// The place where the project's file or a source names it.
  package var place: FilePlace

  package var displayText: String { "\(library) is used here, and is not checked." }
}

extension LibraryUse {
  /// A file that names a library: the ends of the file's name, the text that names the library, and the library.
  private struct Sign {
    var files: [String]
    var text: String
    var library: String
  }

  private static let signs = ReferenceTable("libraries.tsv").records.map {
    Sign(files: ReferenceTable.words($0[2]), text: $0[1], library: $0[0])
  }
  private static let fileLimit = 4000
  private static let sizeLimit = 256 << 10

  /// Returns the libraries used by a project without an app to check, each with the first place that names it.
  static func find(_ files: ProjectFiles) -> [LibraryUse] { find(files, signs) }

  /// Returns the libraries, as listed in their packages, that the programs beside checked apps use.
  static func findBesideApps(_ files: ProjectFiles) -> [LibraryUse] {
    find(
      files,
      signs.filter {
        beside.contains($0.library) && !$0.files.contains { $0.hasPrefix(".") && $0 != ".csproj" }
      })
  }

  /// The libraries that no reader reads, so that their use never belongs to a checked app.
  private static let beside: Set = [
    "MSAL Node", "MSAL.NET", "MSAL Python", "MSAL Java", "MSAL Go", "Microsoft.Identity.Web",
    "MSAL for Blazor WebAssembly", "Azure Identity for .NET", "Azure Identity for Python",
    "Azure Identity for Java",
    "Azure Identity for Go", "Azure Identity for JavaScript",
  ]

  private static func find(_ files: ProjectFiles, _ signs: [Sign]) -> [LibraryUse] {
    var found: [LibraryUse] = []
    let ends = Set(signs.flatMap(\.files))
    let types = ends.filter { $0.hasPrefix(".") }
    let names = ends.subtracting(types)
    let paths = files.find { name in
      name.lastIndex(of: ".").map { types.contains(String(name[$0...])) } ?? false
        || names.contains(where: name.hasSuffix)
    }
    for path in paths.prefix(fileLimit) {
      let name = fileName(path)
      let own = signs.filter { $0.files.contains(where: name.hasSuffix) }
      // Few of the files name a library, and searching bytes is fast.
      guard let data = try? ProjectFiles.data(path, limit: sizeLimit),
        own.contains(where: { data.hasBytes($0.text) })
      else { continue }
      let text = String(decoding: data, as: UTF8.self)
      let searched = name == "package.json" ? dependencies(of: text) : text
      for sign in own where searched.contains(sign.text) {
        guard !found.contains(where: { $0.library == sign.library || $0.place.path == path }) else {
          continue
        }
        let lines = text.lines
        // The project itself may be named after the library.
        let mark = sign.text.firstRange(of: "\": ").map { String(sign.text[..<$0.lowerBound]) } ?? sign.text
        let line = lines.firstIndex {
          $0.contains(mark) && !$0.trimmed.hasPrefix("\"name\"") && !isComment($0.trimmed)
        }
        guard let line else { continue }
        found.append(LibraryUse(library: sign.library, place: FilePlace(path, line: line + 1)))
      }
    }
    return found
  }

  private static func isComment(_ line: String) -> Bool {
    ["//", "/*", "*", "<!--"].contains(where: line.hasPrefix)
      || line.hasPrefix("#") && !line.hasPrefix("#import") && !line.hasPrefix("#include")
  }

  /// Returns the packages on which a package depends, each with the version with which its range begins, or the entire text if it is not
  /// a JSON document.
  private static func dependencies(of text: String) -> String {
    guard let package = JSONValue(bounded: Data(text.utf8), maximumBytes: sizeLimit) else { return text }
    return ["dependencies", "devDependencies", "peerDependencies"].flatMap { key in
      package[key]?.object.map { object in
        // `"@azure/msal-angular": "0.1.4"`
        object.map { "\"\($0)\": \"\(($1.string ?? "").drop { "^~=v ".contains($0) })\"" }
      } ?? []
    }.sorted().joined(separator: "\n")
  }
}
