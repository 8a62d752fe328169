import Foundation

/// The folder `Samples`, whose files several test targets read.
package let sampleFolder = Bundle.module.bundleURL.appending(path: "Samples")

/// Returns the bytes of a file in `Samples/caches`.
package func cacheSample(_ name: String) throws -> Data {
  try Data(contentsOf: sampleFolder.appending(path: "caches/" + name))
}

/// Returns the bytes of a file in `Samples/jose`, which contains third-party test vectors for signatures.
package func joseSample(_ name: String) throws -> Data {
  try Data(contentsOf: sampleFolder.appending(path: "jose/" + name))
}

/// Returns the seed of a test with damaged input.
///
/// It is fixed, unless `SSOTERM_FUZZ=N` sets another, as `make torture` does.
package func fuzzSeed(_ base: UInt64) -> UInt64 {
  base &+ (ProcessInfo.processInfo.environment["SSOTERM_FUZZ"].flatMap { UInt64($0) } ?? 0)
}

/// Returns the number of damaged inputs that a test reads.
///
/// `make fuzz` uses many more (`SSOTERM_FUZZ_ROUNDS=N`).
package func fuzzRounds(_ base: Int) -> Int {
  base * max(1, ProcessInfo.processInfo.environment["SSOTERM_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1)
}
