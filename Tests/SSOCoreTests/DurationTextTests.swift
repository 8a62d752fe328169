import SSOCore
import Testing

@Suite("Lengths of time") struct DurationTextTests {
  @Test(
    "Said in two units, or in one",
    arguments: [
      (0, "0s", "<1m"), (45, "45s", "<1m"), (60, "1m", "1m"), (3599, "59m", "59m"), (3600, "1h", "1h"),
      (18_720, "5h12m", "5h"), (-720, "12m", "12m"), (172_799, "47h59m", "47h"), (172_800, "2d", "2d"),
      (176_400, "2d1h", "2d"), (1_123_200, "13d", "13d"), (.min, "106751991167300d15h", "106751991167300d"),
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
