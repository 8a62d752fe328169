import Foundation
import Testing

/// The bytes of a file under `Samples/caches`.
func cacheSample(_ name: String) throws -> Data {
  let folder = try #require(Bundle.module.resourceURL)
  return try Data(contentsOf: folder.appending(path: "Samples/caches/" + name))
}
