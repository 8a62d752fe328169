import Foundation
import FuzzReaders
import SSOCore

@testable import LabTestSupport

/// Reads a number of damaged inputs in an optimised program, many times as fast as libFuzzer with the address sanitiser.
///
/// Each input is in a file while it is read, so it is there after a trap. `Scripts/fuzz --rounds` starts it.
@main struct Rounds {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count > 4, let rounds = Int(words[1]), let seed = UInt64(words[2]) else {
      fatalError("usage: ssoterm-rounds ROUNDS SEED FILE SEEDS...")
    }
    let reader = FuzzReader.named
    let seeds = try words.dropFirst(4).map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
    let file = open(words[3], O_RDWR | O_CREAT | O_TRUNC, 0o600)
    var random = Randomness(seed: seed)
    var input = seeds[0]
    var longest = 0.0
    let start = processorSeconds()
    for _ in 0..<rounds {
      // Damage adds up in a few inputs, so that some are far from each seed.
      if random.below(6) == 0 || input.isEmpty { input = random.pick(seeds) }
      input = Array(random.damaged(input).prefix(6000))
      guard pwrite(file, input, input.count, 0) == input.count, ftruncate(file, off_t(input.count)) == 0
      else {
        fatalError("\(words[3]) cannot be written")
      }
      let begin = processorSeconds()
      reader.read(input)
      let duration = processorSeconds() - begin
      longest = max(longest, duration)
      guard duration < 1 else { fatalError("\(reader): an input took \(duration) s of processor time") }
    }
    let speed = Int(Double(rounds) / (processorSeconds() - start))
    print("\(reader): \(rounds) inputs, \(speed) a second, the longest \(Int(longest * 1000)) ms")
  }

  /// The processor time of this program, which neither a busy machine nor a suspended program makes longer.
  private static func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
