import SSODevice
import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOLab

/// Invariants of every lab, whatever is done in it.
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

  /// Every platform's apps, with the prediction, the call, and `why` for every app and account.
  @Test(arguments: PropertySeeds.all, Platform.allCases)
  func predictionCallAndWhyAgree(seed: UInt64, on platform: Platform) throws {
    let count = PropertySeeds.labs / (PropertySeeds.all.count * Platform.allCases.count)
    for number in 0..<UInt64(max(count, 1)) {
      var run = try PropertyRun(seed: seed &* 1_000_003 &+ number, platform: platform)
      for _ in 1...12 { try run.takeAStep() }
      try run.compareEveryPrediction()
      #expect(run.failures == [], "seed \(seed), lab \(number) on \(platform.rawValue)")
      guard run.failures.isEmpty else { break }
    }
  }

  /// A lab in which an app lists several accounts and names none, and could share no sign-in either: its own call is the
  /// reason.
  @Test func aCallWithoutANameFailsWhateverIsShared() throws {
    var run = try PropertyRun(seed: 1_000_003 + 29, platform: .iOS)
    for _ in 1...12 { try run.takeAStep() }
    try run.compareEveryPrediction()
    #expect(run.failures == [])
  }

  @Test(arguments: PropertySeeds.all.prefix(2)) func bothEnginesTellTheSameStory(seed: UInt64) throws {
    var runs = try TestEngine.allCases.map { try PropertyRun(seed: seed, on: $0) }
    for _ in 1...200 {
      for index in runs.indices { try runs[index].takeAStep() }
    }
    for run in runs { #expect(run.failures == []) }
    #expect(try runs[0].dump() == runs[1].dump())
    #expect(try runs[0].traces() == runs[1].traces())
    #expect(try runs[0].lab.store.journal(limit: 999) == runs[1].lab.store.journal(limit: 999))
    #expect(try runs[0].undoAll() == runs[1].undoAll())
  }
}
