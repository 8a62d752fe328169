import Foundation
import Testing

@testable import SSOCore
@testable import SSOLab

/// What holds in every lab, whatever anybody does in it. More seeds: `SSOTERM_SEEDS=1000:1100 swift test --filter LabProperty`.
@Suite struct LabPropertyTests {
  static let seeds: [UInt64] = {
    let bounds = ProcessInfo.processInfo.environment["SSOTERM_SEEDS"]?.split(separator: ":").compactMap {
      UInt64($0)
    }
    if let bounds, bounds.count == 2, bounds[0] < bounds[1] { return Array(bounds[0]..<bounds[1]) }
    return [2]
  }()

  @Test(arguments: seeds) func twoHundredIntentsKeepTheInvariants(seed: UInt64) throws {
    var run = try PropertyRun(seed: seed)
    let first = try run.dump()
    for step in 1...200 {
      try run.takeAStep()
      guard run.failures.isEmpty else { break }
      if step % 100 == 0 { try run.compareEveryPrediction() }
    }
    let undone = try run.undoAll()
    #expect(run.failures == [], "seed \(seed)")
    #expect(run.met.isSuperset(of: [.cache, .prompt]), "seed \(seed) compared too little")
    #expect(undone == first, "seed \(seed): undo does not lead back: \(undone.difference(from: first))")
  }
}
