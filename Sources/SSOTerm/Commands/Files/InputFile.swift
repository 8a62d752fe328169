internal import Foundation
internal import SSOModel

/// A cache file, or stdin as `-`.
func readCache(_ path: String) throws -> (name: String, cache: CacheFile) {
  let name = path == "-" ? "stdin" : path
  do {
    let data = path == "-" ? StandardStreams.readAll() : try Data(contentsOf: URL(fileURLWithPath: path))
    return (name, try UnifiedCacheJSON.read(data))
  } catch let error as CacheFileError {
    throw CommandFailure(
      status: .usage, kind: "badInput", what: "\(name) is not a token cache.", why: error.description,
      next: "ssoterm view FILE with a cache that MSAL wrote")
  } catch {
    throw CommandFailure(
      status: .usage, kind: "badInput", what: "\(name) cannot be read.",
      why: String(cString: strerror(errno)),
      next: "ls -l \(name)")
  }
}
