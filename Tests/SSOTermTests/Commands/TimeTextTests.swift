import Testing

@testable import SSOCore
@testable import SSOTerm
@testable import SSOTermApp

struct TimeTextTests {
  @Test(
    "A moment is printed as ISO 8601 in UTC",
    arguments: [
      (1_795_254_067, "2026-11-21T09:41:07Z"), (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
      (1_704_067_199, "2023-12-31T23:59:59Z"),
    ])
  func iso(seconds: Int, text: String) {
    #expect(Instant(seconds).iso8601 == text)
  }

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
