import Foundation

/// The files under `Samples`, which several test targets read.
package let sampleFolder = Bundle.module.bundleURL.appending(path: "Samples")

/// The bytes of a file under `Samples/caches`.
package func cacheSample(_ name: String) throws -> Data {
  try Data(contentsOf: sampleFolder.appending(path: "caches/" + name))
}

/// The bytes of a file under `Samples/jose`: test vectors of others for signatures.
package func joseSample(_ name: String) throws -> Data {
  try Data(contentsOf: sampleFolder.appending(path: "jose/" + name))
}

/// The seed of a test with damaged input: always the same, or with `SSOTERM_FUZZ=N` another, as `make torture` has it.
package func fuzzSeed(_ base: UInt64) -> UInt64 {
  base &+ (ProcessInfo.processInfo.environment["SSOTERM_FUZZ"].flatMap { UInt64($0) } ?? 0)
}

/// How many damaged inputs a test reads: `make fuzz` has many times more (`SSOTERM_FUZZ_ROUNDS=N`).
package func fuzzRounds(_ base: Int) -> Int {
  base * max(1, ProcessInfo.processInfo.environment["SSOTERM_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 1)
}
