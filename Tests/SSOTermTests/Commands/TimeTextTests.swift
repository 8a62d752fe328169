import Testing

@testable import SSOCore
@testable import SSOTerm
@testable import SSOTermApp

struct TimeTextTests {
  @Test("The clock command knows show, reset and signed steps only")
  func clockWords() throws {
    #expect(try ClockStep(words: []) == .show)
    #expect(try ClockStep(words: ["reset"]) == .reset)
    #expect(try ClockStep(words: ["-30m"]) == .move(-1800))
    for words in [["1h"], ["soon"], ["+1h", "+1h"]] {
      #expect { try ClockStep(words: words) } throws: { ($0 as? CommandFailure)?.status == .usage }
    }
  }
}
