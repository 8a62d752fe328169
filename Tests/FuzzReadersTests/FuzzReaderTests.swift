import Foundation
import FuzzReaders
import LabTestSupport
import SSOCore
import TestSamples
import Testing

/// Runs the stored inputs, and variations of them, through every reader.
@Suite struct FuzzReaderTests {
  private static let seeds = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzz/Seeds").standardizedFileURL

  private static func files(in folder: URL) throws -> [[UInt8]] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
  }

  @Test(arguments: FuzzReader.allCases) func whatOnceDidHarmIsRead(_ reader: FuzzReader) throws {
    for input in try Self.files(in: sampleFolder.appending(path: "corpus")) { reader.read(input) }
  }

  @Test(arguments: FuzzReader.allCases) func damagedSeedsAreRead(_ reader: FuzzReader) throws {
    let seeds = try Self.files(in: Self.seeds.appending(path: reader.rawValue))
    try #require(!seeds.isEmpty)
    var random = Randomness(seed: fuzzSeed(17))
    for round in 0..<fuzzRounds(200) {
      let seed = seeds[round % seeds.count]
      reader.read(round < seeds.count ? seed : random.damaged(seed))
    }
  }
}
