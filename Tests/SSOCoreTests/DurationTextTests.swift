import SSOCore
import Testing

@Suite("Lengths of time") struct DurationTextTests {
  @Test(
    "Said in two units, or in one",
    arguments: [
      (0, "0s", "<1m"), (45, "45s", "<1m"), (59, "59s", "<1m"), (60, "1m", "1m"), (89, "1m", "1m"),
      (90, "2m", "2m"), (3569, "59m", "59m"), (3570, "1h", "1h"), (3599, "1h", "1h"), (3600, "1h", "1h"),
      (3629, "1h", "1h"), (3630, "1h1m", "61m"), (4500, "1h15m", "75m"), (5400, "1h30m", "90m"),
      (5969, "1h39m", "99m"), (5970, "1h40m", "2h"), (18_720, "5h12m", "5h"), (19_800, "5h30m", "6h"),
      (-720, "12m", "12m"), (-3599, "1h", "1h"), (170_999, "47h30m", "47h"), (171_000, "2d", "2d"),
      (172_799, "2d", "2d"), (172_800, "2d", "2d"), (176_400, "2d1h", "2d"), (1_123_200, "13d", "13d"),
      (7_775_999, "90d", "90d"), (.min, "106751991167300d16h", "106751991167301d"),
    ])
  func text(seconds: Int, twoUnits: String, oneUnit: String) {
    #expect(durationText(seconds) == twoUnits)
    #expect(durationText(seconds, .oneUnit) == oneUnit)
  }

  @Test(arguments: [(7500, "+2h5m"), (-1800, "-30m"), (30, "+30s"), (180_000, "+2d2h")])
  func offset(seconds: Int, text: String) {
    #expect(offsetText(seconds) == text)
    #expect(parseDuration(text) == seconds)
  }

  @Test(
    "Read with unit and sign",
    arguments: [
      ("10m", 600), ("90s", 90), ("+1h", 3600), ("-30m", -1800), ("2d", 172_800), ("1h30m", 5400),
      ("1w", 604_800),
    ])
  func duration(text: String, seconds: Int) {
    #expect(parseDuration(text) == seconds)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", "+", "10", "m", "1x", "1h ", "--1h", "99999999999999999999d", "9223372036854775807w", "１m",
    ])
  func noDuration(text: String) {
    #expect(parseDuration(text) == nil)
  }
}
