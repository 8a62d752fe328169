import Foundation

/// The files under `Samples`, which several test targets read.
package let sampleFolder = Bundle.module.bundleURL.appending(path: "Samples")

/// The bytes of a file under `Samples/caches`.
package func cacheSample(_ name: String) throws -> Data {
  try Data(contentsOf: sampleFolder.appending(path: "caches/" + name))
}
