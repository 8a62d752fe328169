import Foundation
import SSOCore
import SSOReading
import TestSamples
import Testing

/// Logs as they occur in practice: truncated, damaged, and with foreign bytes in between.
struct BrokenLogTests {
  private static let samples = [
    "logs/apple-wrapped-quoted.log", "logs/android-two-threads.log", "logs/python-refresh.log",
  ]

  private static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: sampleFolder.appending(path: name)))
  }

  @Test
  func aLogThatIsCutAnywhereIsReadAsFarAsItGoes() throws {
    for sample in LogSample.all {
      let data = try sample.data()
      let whole = readLog(data, strings: try sample.logStrings())
      for end in stride(from: 0, to: data.count, by: 64) {
        let part = readLog(data.prefix(end), strings: try sample.logStrings())
        #expect(part.traces.count <= whole.traces.count + 1)
        #expect(part.lineCount <= whole.lineCount)
      }
    }
  }

  /// A damaged log is still a log: there is no crash and no escape sequence, and every line is counted once.
  @Test
  func damagedBytesDoNoHarm() throws {
    var random = Randomness(seed: fuzzSeed(0x10C5))
    // Only the beginnings are used, which are short enough for this many rounds.
    let samples = try Self.samples.map { try [UInt8](Self.bytes($0).prefix(500)) }
    for round in 0..<fuzzRounds(10_000) {
      var bytes = samples[round % samples.count]
      for _ in 0...Int(random.next() % 8) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: [0x1B, 0x5B, 0x33, 0x31], at: place)
        default: bytes.replaceSubrange(place..<min(bytes.count, place + 20), with: Array("\n> [2024-".utf8))
        }
      }
      let reading = readLog(Data(bytes), pieces: 100 + Int(random.next() % 400))
      let shown = reading.traces.flatMap(\.hops).flatMap(\.sent).map(\.value) + reading.unknown.map(\.text)
      #expect(shown.allSatisfy { !$0.utf8.contains(0x1B) }, "seed \(round)")
      #expect(reading.counts.values.reduce(0, +) + reading.unknownCount <= reading.lineCount, "seed \(round)")
    }
  }

  /// The number of retained calls does not grow in a log that repeats itself a thousand times.
  @Test
  func whatIsKeptOfALongLogIsBounded() throws {
    var reader = LogReader()
    for number in 0..<2000 {
      let id =
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
      let text = """
        TID=\(number) MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:07 - \(id)] Beginning silent flow.
        TID=\(number) MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:08 - \(id)] Found valid access token.
        TID=\(number) MSAL 1.4.0 iOS 17.4 [2024-05-06 09:41:08 - \(id)] acquireTokenSilent returning with \
        \(number == 3 ? "error: (MSALErrorDomain, -50002) x" : "at: Masked(not-null) scopes:x")

        """
      var bytes = Array(text.utf8)
      bytes.withUnsafeMutableBytes { reader.feed(UnsafeRawBufferPointer($0)) }
    }
    let reading = reader.finish()
    #expect(reading.traces.count == 401)
    #expect(reading.callsLeftOut == 1599)
    // The failed call is kept, although it is one of the oldest.
    #expect(reading.traces.first?.outcome?.errorCode == -50002)
  }
}
