import ArgumentParser
import Essentials
import SSOCore
import SSOInterop
import SSOLab
import SSOTermApp
import SafeText

/// `ssoterm import FILE…`: imports token caches into the store, each as one change that can be undone.
struct ImportCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "import", "Import token cache files into the store.",
    examples: ["ssoterm import ~/.azure/msal_token_cache.json", "ssoterm export -o - | ssoterm import -"])

  @OptionGroup(title: GlobalOptions.title) var options: GlobalOptions

  @Argument(help: "Token caches that MSAL wrote; - reads stdin.", completion: .file())
  var files: [String]

  func perform(on console: Console) throws -> ExitStatus {
    // Read all files before writing anything, so that an invalid one changes nothing.
    let caches = try files.map(readCache)
    let lab = try console.openLab(options)
    var documents: [JSONValue] = []
    var lines: [String] = []
    for (name, cache) in caches {
      let (outcome, traceID) = try runUnattended(ImportCache(name: name, cache), on: lab)
      guard outcome.verdict == .succeeded else {
        throw outcome.failure(next: "ssoterm trace show \(traceID)")
      }
      documents.append(
        outcome.json(traceID: traceID, unmasked: false).adding([
          "file": .string(name), "accounts": .count(cache.accounts.count),
          "credentials": .count(cache.credentials.count), "appMetadata": .count(cache.appMetadata.count),
          "problems": .array(cache.problems.map(\.json)),
        ]))
      let counts = [
        counted(cache.accounts.count, "account"), counted(cache.credentials.count, "credential"),
        counted(cache.problems.count, "problem"),
      ]
      lines.append(
        console.ink.draw("✓ ", .good) + console.ink.draw("\(name): " + counts.joined(separator: ", ")))
      if !cache.problems.isEmpty { lines.append(problemText(cache.problems, console.ink)) }
    }
    return try console.show(["files": .array(documents)]) { lines.joined(separator: "\n") }
  }
}

/// Reads a cache file, or stdin if the path is `-`.
func readCache(_ path: String) throws -> (name: String, cache: CacheFile) {
  let (name, data) = try readFile(path)
  do {
    return (name, try CacheReader.read(data))
  } catch {
    throw notACache(name, error)
  }
}

/// Reads the bytes of a file, a pipe, or a device, or of stdin if the path is `-`.
///
/// It stops one byte after the limit, by default the maximum size of a cache.
func readFile(_ path: String, limit: Int = CacheReader.sizeLimit) throws -> (name: String, data: Data) {
  let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
  defer { if descriptor > 0 { close(descriptor) } }
  do throws(SystemError) {
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    let data = try StandardStreams.read(descriptor, limit: limit + 1)
    return (path == "-" ? "stdin" : path, data)
  } catch {
    throw CommandFailure(reading: path, error)
  }
}

extension CommandFailure {
  init(reading path: String, _ error: SystemError) {
    self.init(
      status: .usage, kind: "badInput", what: "\(path) cannot be read.",
      why: error.code == EISDIR ? "it is a folder" : error.displayText,
      next: error.code == ENOENT ? Self.next(missing: path) : "ls -l \(shellWord(path))")
  }

  /// Returns the line with a similar name in place of a path that does not exist, or else the command that lists the folder.
  static func next(missing path: String) -> String {
    fileWithSimilarName(to: path).flatMap { TypedLine.replacing(path, with: $0) } ?? listing(nearestTo: path)
  }
}

/// Returns the command that lists the folder in which a file is missing, or the nearest folder above that exists.
private func listing(nearestTo path: String) -> String {
  var folder = path[...]
  while let slash = folder.lastIndex(of: "/") {
    folder = folder[..<slash]
    if folder.isEmpty { return "ls /" }
    if FileManager.default.fileExists(atPath: String(folder)) { return "ls \(shellWord(String(folder)))" }
  }
  return "ls"
}

/// Returns the path of a file in the same folder whose name is similar to that of a path, or `nil` if there is none or
/// the folder has very many files.
private func fileWithSimilarName(to path: String) -> String? {
  let slash = path.lastIndex(of: "/")
  let folder = slash.map { String(path[...$0]) } ?? ""
  let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
  guard names.count <= 2000 else { return nil }
  // All files of a kind have the extension, so it makes no two of them similar.
  let ending = name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
  let ofKind = names.filter { !ending.isEmpty && $0.hasSuffix(ending) }
  let stem = String(name.dropLast(ending.count))
  let near = nearestName(to: stem, among: ofKind.map { String($0.dropLast(ending.count)) }.sorted())
  if stem.count > 2, let near { return folder + near + ending }
  return nearestName(to: name, among: names.filter { !ofKind.contains($0) }.sorted()).map { folder + $0 }
}

func notACache(_ name: String, _ error: CacheFileError) -> CommandFailure {
  CommandFailure(
    status: .usage, kind: "badInput", what: "\(name) is not a token cache.", why: error.description,
    next: "ssoterm help import")
}
