import Foundation

/// A cache file, or stdin as `-`.
func readCache(_ path: String) throws -> (name: String, cache: CacheFile) {
  let (name, data) = try readFile(path)
  do {
    return (name, try UnifiedCacheJSON.read(data))
  } catch {
    throw notACache(name, error)
  }
}

/// The bytes of a file, or of stdin as `-`.
func readFile(_ path: String) throws -> (name: String, data: Data) {
  guard path != "-" else { return ("stdin", StandardStreams.readAll()) }
  var isFolder: ObjCBool = false
  if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
    throw CommandFailure(
      status: .usage, kind: "badInput", what: "\(path) cannot be read.", why: "it is a folder",
      next: "ls \(path)")
  }
  do {
    return (path, try Data(contentsOf: URL(fileURLWithPath: path)))
  } catch {
    throw CommandFailure(
      status: .usage, kind: "badInput", what: "\(path) cannot be read.",
      why: String(cString: strerror(errno)),
      next: "ls -l \(path)")
  }
}

func notACache(_ name: String, _ error: CacheFileError) -> CommandFailure {
  CommandFailure(
    status: .usage, kind: "badInput", what: "\(name) is not a token cache.", why: error.description,
    next: "ssoterm view FILE with a cache that MSAL wrote")
}
