import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab

/// What holds in every lab, whatever anybody does in it.
@Suite struct LabPropertyTests {
  @Test(arguments: PropertySeeds.all) func twoHundredIntentsKeepTheInvariants(seed: UInt64) throws {
    var run = try PropertyRun(seed: seed)
    let first = try run.dump()
    for step in 1...200 {
      try run.takeAStep()
      guard run.failures.isEmpty else { break }
      if step % 100 == 0 { try run.compareEveryPrediction() }
    }
    let undone = try run.undoAll()
    #expect(run.failures == [], "seed \(seed)")
    #expect(run.met.contains(.prompt), "seed \(seed) compared too little")
    #expect(undone == first, "seed \(seed): undo does not lead back: \(undone.difference(from: first))")
  }
}
