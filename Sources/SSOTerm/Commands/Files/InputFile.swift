import Essentials

/// Reads a cache file, or stdin if the path is `-`.
func readCache(_ path: String) throws -> (name: String, cache: CacheFile) {
  let (name, data) = try readFile(path)
  do {
    return (name, try UnifiedCacheJSON.read(data))
  } catch {
    throw notACache(name, error)
  }
}

/// Reads the bytes of a file, a pipe, or a device, or of stdin if the path is `-`.
///
/// It stops one byte after the maximum size of a cache.
func readFile(_ path: String) throws -> (name: String, data: Data) {
  let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
  defer { if descriptor > 0 { close(descriptor) } }
  do throws(SystemError) {
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    let data = try StandardStreams.read(descriptor, limit: UnifiedCacheJSON.sizeLimit + 1)
    return (path == "-" ? "stdin" : path, data)
  } catch {
    throw CommandFailure(reading: path, error)
  }
}

extension CommandFailure {
  init(reading path: String, _ error: SystemError) {
    self.init(
      status: .usage, kind: "badInput", what: "\(path) cannot be read.",
      why: error.code == EISDIR ? "it is a folder" : error.words,
      next: "\(error.code == EISDIR ? "ls" : "ls -l") \(shellWord(path))")
  }
}

func notACache(_ name: String, _ error: CacheFileError) -> CommandFailure {
  CommandFailure(
    status: .usage, kind: "badInput", what: "\(name) is not a token cache.", why: error.description,
    next: "ssoterm view FILE with a cache that MSAL wrote")
}
