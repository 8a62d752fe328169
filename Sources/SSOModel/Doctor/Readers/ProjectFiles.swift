import Assets
import Essentials
import SSOCore
import SafeText
import Synchronization

/// The files below a path that the user specified, which are read but never written or run.
///
/// Only regular files are opened, and only up to a size limit. Links to folders are not followed. A path that begins
/// with `sample:` refers to a sample project that is embedded in the program (`SampleProject`).
package struct ProjectFiles {
  /// The path as the user typed it, without a slash at the end.
  package let root: String
  /// The entries that one examination has read, or `nil` outside of one.
  @TaskLocal static var listing: FolderListing?
  static let entryLimit = 50_000
  fileprivate static let depthLimit = 20

  package init(_ root: String) {
    self.root = root.count > 1 && root.hasSuffix("/") ? String(root.dropLast()) : root
  }

  package static func isFolder(_ path: String) -> Bool {
    if let sample = SampleProject(path) { return sample.isFolder }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  package static func exists(_ path: String) -> Bool {
    if let sample = SampleProject(path) { return sample.isFolder || sample.file != nil }
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Returns the bytes of a regular file.
  ///
  /// A file larger than `limit` is rejected.
  /// - Throws: `ReadingError` if the file does not exist, is not regular, or is too large.
  package static func data(_ path: String, limit: Int = 32 << 20) throws(ReadingError) -> Data {
    if let sample = SampleProject(path) { return try sample.data() }
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw ReadingError(String(cString: strerror(errno)).lowercased()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ReadingError("not a regular file")
    }
    guard status.st_size <= limit else { throw .tooLarge(limit) }
    var data = Data()
    var chunk = [UInt8](repeating: 0, count: min(max(Int(status.st_size), 1), 1 << 20))
    while data.count <= limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ReadingError(String(cString: strerror(errno)).lowercased()) }
      guard count > 0 else { break }
      data.append(chunk, count: count)
    }
    return data
  }

  /// Returns the text of a regular file, with U+FFFD in place of bytes that are not valid UTF-8.
  /// - Throws: `ReadingError` if the file does not exist, or is larger than `limit` bytes.
  package static func text(_ path: String, limit: Int = 4 << 20) throws(ReadingError) -> String {
    String(decoding: try data(path, limit: limit), as: UTF8.self)
  }

  /// Returns the sorted paths of all entries below the root whose names satisfy `fit`.
  ///
  /// It does not search inside matching folders.
  package func find(_ fit: (String) -> Bool) -> [String] { search(fit).paths }

  /// Returns the paths of ``find(_:)``, and whether all entries were searched, because a search ends after `limit`
  /// entries.
  func search(limit: Int = entryLimit, _ fit: (String) -> Bool) -> (paths: [String], isComplete: Bool) {
    var found: [String] = []
    if limit == Self.entryLimit, SampleProject(root) == nil, let tree = Self.listing?.tree(below: root) {
      var index = 0
      while index < tree.count {
        if fit(tree[index].name) {
          found.append(tree[index].path)
          index = tree[index].end
        } else {
          index += 1
        }
      }
      return (found, true)
    }
    var left = limit
    search(root, depth: 0, &left, &found, fit)
    return (found, left > 0)
  }

  private func search(
    _ folder: String, depth: Int, _ left: inout Int, _ found: inout [String], _ fit: (String) -> Bool
  ) {
    guard depth < Self.depthLimit else { return }
    for entry in Self.entries(in: folder) where left > 0 {
      left -= 1
      if fit(entry.name) {
        found.append(folder + "/" + entry.name)
      } else if entry.isFolder {
        search(folder + "/" + entry.name, depth: depth + 1, &left, &found, fit)
      }
    }
  }

  private static let watchLimit = 2000

  /// Returns the folders that contain files of the project, the root first.
  ///
  /// `depth` is the number of levels below the root.
  package func folders(depth: Int = .max) -> [String] {
    var folders = [root]
    var next = 0
    var level = 0
    var levelEnd = 1
    while next < folders.count, folders.count < Self.watchLimit, level < depth {
      let folder = folders[next]
      next += 1
      folders += Self.entries(in: folder).filter(\.isFolder).map { folder + "/" + $0.name }
      if next == levelEnd { (level, levelEnd) = (level + 1, folders.count) }
    }
    return folders
  }

  /// Returns the folders in which the given paths may change; a sample never changes.
  package static func watched(_ paths: [String]) -> [String] {
    paths.filter { SampleProject($0) == nil }.flatMap {
      isFolder($0) ? ProjectFiles($0).folders() : [folder(of: $0)]
    }
  }

  /// Returns the names of a folder's files and folders, sorted.
  static func names(in folder: String) -> [String] { entries(in: folder).map(\.name) }

  /// Returns a folder's entries, sorted by name.
  private static func entries(in folder: String) -> [FolderListing.Entry] {
    if let sample = SampleProject(folder) {
      return sample.names.map {
        FolderListing.Entry(name: $0, isFolder: SampleProject(folder + "/" + $0)?.isFolder ?? false)
      }
    }
    return listing?.entries(of: folder) ?? FolderListing.read(folder)
  }
}

/// The entries of folders, each of which is read once, because one examination searches a project for many files.
final class FolderListing: Sendable {
  struct Entry: Sendable {
    var name: String
    /// Whether it is a folder, and not a link to one.
    var isFolder: Bool
  }

  /// The names of folders whose files were not written by the user.
  ///
  /// They are skipped as a folder is read, because a project is searched some thirty times. So are the files `._NAME`,
  /// in which archives made on a Mac keep data that other file systems cannot store.
  private static let foreign: Set<String> = [
    ".git", "Pods", "Carthage", "node_modules", "DerivedData", "build", ".build", ".gradle", ".dart_tool",
    "obj", "bin", "__MACOSX", ".svn", ".hg", ".next", ".nuxt", ".angular", ".svelte-kit", ".turbo", ".yarn",
    ".pnpm-store", ".parcel-cache", "bower_components", "venv", ".venv", "__pycache__", ".tox", ".terraform",
    ".cxx",
    ".swiftpm", "xcuserdata",
  ]

  /// An entry below a folder, in the order of a search.
  struct Node: Sendable {
    var name: String
    var path: String
    /// The index after the last entry below it.
    var end: Int
  }

  private let known = Mutex<[String: [Entry]]>([:])
  /// The entries below the folders that were searched before, or an empty list until the second search.
  private let trees = Mutex<[String: [Node]]>([:])
  /// The Dart of projects, by package and project.
  private let dartReaders = Mutex<[String: DartReader?]>([:])

  /// Returns the Dart of a project, which is read when it is first asked for.
  func dart(_ key: String, read: () -> DartReader?) -> DartReader? {
    if let known = dartReaders.withLock({ $0[key] }) { return known }
    let reader = read()
    dartReaders.withLock { $0[key] = .some(reader) }
    return reader
  }

  /// Returns all entries below a folder that was searched before, or `nil` if it was not, or if there are
  /// too many.
  ///
  /// Looking up each folder of a large project took most of the time of a search.
  func tree(below root: String) -> [Node]? {
    guard let tree = trees.withLock({ $0[root] }) else {
      trees.withLock { $0[root] = [] }
      return nil
    }
    guard tree.isEmpty else { return tree.count < ProjectFiles.entryLimit ? tree : nil }
    var nodes: [Node] = []
    addNodes(below: root, depth: 0, to: &nodes)
    trees.withLock { $0[root] = nodes }
    return nodes.count < ProjectFiles.entryLimit ? nodes : nil
  }

  private func addNodes(below folder: String, depth: Int, to nodes: inout [Node]) {
    guard depth < ProjectFiles.depthLimit else { return }
    for entry in entries(of: folder) where nodes.count < ProjectFiles.entryLimit {
      let index = nodes.count
      let path = folder + "/" + entry.name
      nodes.append(Node(name: entry.name, path: path, end: index + 1))
      if entry.isFolder { addNodes(below: path, depth: depth + 1, to: &nodes) }
      nodes[index].end = nodes.count
    }
  }

  func entries(of folder: String) -> [Entry] {
    if let entries = known.withLock({ $0[folder] }) { return entries }
    let entries = Self.read(folder)
    known.withLock { $0[folder] = entries }
    return entries
  }

  /// Reads the entries of a folder, sorted by name, without foreign folders, or an empty list if it cannot be read.
  static func read(_ folder: String) -> [Entry] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var entries: [Entry] = []
    while let entry = readdir(directory) {
      let type = Int(entry.pointee.d_type)
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        String(cString: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
      }
      guard name != ".", name != "..", !foreign.contains(name), !name.hasPrefix("._")
      else { continue }
      // Some file systems do not say the type.
      let isUnknown = type == Int(DT_UNKNOWN)
      entries.append(
        Entry(name: name, isFolder: isUnknown ? isFolder(folder + "/" + name) : type == Int(DT_DIR)))
    }
    return entries.sorted { $0.name < $1.name }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

extension Data {
  /// Returns whether a text in ASCII occurs in the bytes, and is a key or a name to which something is assigned, if
  /// `isKey` is true.
  func hasBytes(_ text: String, isKey: Bool = false) -> Bool {
    let wanted = Array(text.utf8)
    return withUnsafeBytes { bytes in
      var start = 0
      while let place = wanted.withUnsafeBytes({ ByteSearch.offset(of: $0, in: bytes, from: start) }) {
        let next = bytes[(place + wanted.count)...].first { !" \"'?\n\r\t".utf8.contains($0) }
        if !isKey || next == UInt8(ascii: ":") || next == UInt8(ascii: "=") { return true }
        start = place + 1
      }
      return false
    }
  }

  /// Returns the lines in which a text in ASCII occurs; other lines are not decoded.
  func lines(with text: String) -> [String] {
    let wanted = Array(text.utf8)
    return withUnsafeBytes { bytes in
      var (lines, start): ([String], Int) = ([], 0)
      while let place = wanted.withUnsafeBytes({ ByteSearch.offset(of: $0, in: bytes, from: start) }) {
        let first = bytes[start..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? start
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        lines.append(String(decoding: bytes[first..<end], as: UTF8.self))
        start = end
      }
      return lines
    }
  }
}

/// Returns a path with `.` and `..` resolved as text, without following links.
///
/// A path below `.` keeps its beginning, as the paths that a search of `.` finds.
package func simplified(_ path: String) -> String {
  var parts: [Substring] = []
  for part in path.split(separator: "/", omittingEmptySubsequences: true) where part != "." {
    if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
  }
  if path.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
  if parts.isEmpty { return path.isEmpty ? "" : "." }
  return (path.hasPrefix("./") ? "./" : "") + parts.joined(separator: "/")
}

package func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// Returns the name of a file without its ending.
func fileStem(_ path: String) -> String {
  let name = fileName(path)
  return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
}

/// Returns the folder of a file, or `.` if the path is only a name.
package func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// An `.xcconfig` file: `KEY = value // comment` and `#include "file"`.
struct ConfigurationFile {
  private(set) var settings: [String: Found<String>] = [:]
  /// Whether the file or an included file is not there, so that a build may have other settings.
  private(set) var isPartial = false
  private var visited: Set<String> = []

  init(_ path: String) { settings = read(path) }

  /// The files that CocoaPods and Flutter generate for each build have no settings that the doctor reads.
  private static let generated = ["/Pods", "Pods/", "Pods-", "/Flutter/"]

  /// Reads each file once, however often it is included.
  private mutating func read(_ path: String) -> [String: Found<String>] {
    guard visited.count < 100, visited.insert(path).inserted else { return [:] }
    guard let text = try? ProjectFiles.text(path) else {
      isPartial = isPartial || !Self.generated.contains(where: path.contains)
      return [:]
    }
    var settings: [String: Found<String>] = [:]
    for (index, line) in text.lines.enumerated() {
      let code = (line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line).trimmed
      if code.hasPrefix("#include") {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { continue }
        let included = read(simplified(folder(of: path) + "/" + parts[1]))
        settings.merge(included) { $1 }
      } else if let equals = code.firstIndex(of: "=") {
        settings[code[..<equals].trimmed] = Found(
          code[code.index(after: equals)...].trimmed, FilePlace(path, line: index + 1))
      }
    }
    return settings
  }
}

extension StringProtocol {
  /// The lines without their ends, LF or CRLF.
  ///
  /// CRLF is one `Character`, at which a split at `"\n"` does not split.
  package var lines: [SubSequence] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  /// A copy without white space at both ends.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// An error that describes why a file cannot be read as the type that its name indicates, and at which line.
package struct ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The one-based line, or `nil` in a file without lines.
  package var line: Int?
  /// The problem, as a clause without a full stop: `a string has no closing quote`.
  package var problem: String

  package init(line: Int? = nil, _ problem: String) {
    self.line = line
    self.problem = problem
  }

  /// Returns the error for a file that is larger than a number of bytes.
  static func tooLarge(_ limit: Int) -> ReadingError { ReadingError("more than \(limit) bytes") }

  /// Creates an error for a document that is not valid JSON, at the line where the parser stopped.
  init(_ error: any Error, in data: Data) {
    let end = (error as? JSONParseError)?.offset
    let line = end.map { offset in data.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1 }
    self.init(line: line, "not a JSON document")
  }

  package var description: String { line.map { "line \($0): \(problem)" } ?? problem }
}

extension String {
  /// Returns whether it has a name that is not a part of a longer one.
  func hasWord(_ name: String) -> Bool {
    func isPart(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    return ranges(of: name).contains { range in
      !isPart(self[..<range.lowerBound].last) && !isPart(self[range.upperBound...].first)
    }
  }
}

/// A file or a folder of the sample projects that are embedded in the program: `sample:no-callback/registration.json`.
package struct SampleProject {
  /// The path below `assets`.
  private let path: String

  /// Creates a sample from a path, or returns `nil` for a path in the file system.
  package init?(_ path: String) {
    guard path.hasPrefix("sample:") else { return nil }
    let below = simplified(String(path.dropFirst("sample:".count)))
    self.path = below.isEmpty ? Self.folder : Self.folder + "/" + below
  }

  /// The folder of all samples, which is not one itself.
  private static let folder = "projects"

  /// The names of all sample projects, in alphabetical order.
  package static var all: [String] { SampleProject("sample:")?.names ?? [] }

  var file: Asset? { Asset(path) }
  var isFolder: Bool { path != Self.folder && !Asset.files(in: path).isEmpty }

  /// The names of the folder's entries, in order.
  var names: [String] {
    let names = Asset.files(in: path).compactMap {
      $0.path.dropFirst(path.utf8.count).split(separator: "/").first.map(String.init)
    }
    return Set(names).sorted()
  }

  func data() throws(ReadingError) -> Data {
    guard let file else {
      throw ReadingError(
        isFolder ? "not a regular file" : "no such sample; there are \(Self.all.joined(separator: ", "))")
    }
    return Data(file.bytes)
  }
}
