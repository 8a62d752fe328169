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

  @Test(
    "A duration is read with its unit and sign",
    arguments: [
      ("10m", 600), ("90s", 90), ("+1h", 3600), ("-30m", -1800), ("2d", 172_800), ("1h30m", 5400),
      ("1w", 604_800),
    ])
  func duration(text: String, seconds: Int) {
    #expect(parseDuration(text) == seconds)
  }

  @Test(
    "What is no duration is refused",
    arguments: [
      "", "+", "10", "m", "1x", "1h ", "--1h", "99999999999999999999d", "9223372036854775807w", "１m",
    ])
  func noDuration(text: String) {
    #expect(parseDuration(text) == nil)
  }

  @Test(
    "A time span is said in its largest useful units",
    arguments: [
      (45, "45s"), (3599, "59m"), (3600, "1h"), (18_720, "5h 12m"), (-720, "12m"), (1_123_200, "13d"),
    ])
  func span(seconds: Int, text: String) {
    #expect(timeSpan(seconds) == text)
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
