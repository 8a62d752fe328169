import Foundation
import SSOCore
import SSOReading
import TestSamples
import Testing

/// 10,000 damaged recordings lead to an error or a result, without a crash or a hang.
///
/// If only the form is damaged, no secret remains.
struct BrokenRecordingTests {
  private static let rounds = fuzzRounds(5000)

  @Test
  func damagedBytesDoNoHarm() {
    let data = RecordedStory().data
    var random = Randomness(seed: fuzzSeed(0xA4))
    var readable = 0
    for _ in 0..<Self.rounds {
      var bytes = [UInt8](data)
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        // Usually insert a letter, so that the file remains valid JSON.
        bytes[place] =
          random.next() % 4 == 0
          ? UInt8(truncatingIfNeeded: random.next()) : 0x61 + UInt8(random.next() % 26)
      }
      guard let file = try? HARFile(Data(bytes)) else { continue }
      readable += 1
      _ = RecordingReader(file).read()
      #expect(throws: Never.self) { try RecordingRedaction(Data(bytes)) }
    }
    #expect(readable > Self.rounds / 8)
  }

  /// Values may have another type, be missing, repeated, or wrapped.
  ///
  /// A remaining value is removed as before.
  @Test
  func aDamagedFormLeavesNoSecret() throws {
    let document = try JSONParser.parse(RecordedStory().data)
    var random = Randomness(seed: fuzzSeed(0x4A))
    for round in 0..<Self.rounds {
      var damaged = document
      for _ in 0...Int(random.next() % 3) { damaged = Self.damaged(damaged, &random) }
      let data = Data(damaged.bytes(.document))
      guard let file = try? HARFile(data) else { continue }
      let shown = String(describing: RecordingReader(file).read())
      let clean = String(decoding: try RecordingRedaction(data).file, as: UTF8.self)
      for secret in RecordedStory.secrets {
        #expect(!shown.contains(secret), "round \(round): \(secret) is shown")
        #expect(!clean.contains(secret), "round \(round): \(secret) is left")
      }
    }
  }

  /// Returns the document with one value damaged, which is found on a random path.
  private static func damaged(_ value: JSONValue, _ random: inout Randomness) -> JSONValue {
    let goesOn = random.next() % 8 != 0
    switch value {
    case .object(var members) where goesOn && !members.isEmpty:
      let key = members.keys.sorted()[Int(random.next() % UInt64(members.count))]
      if let member = members[key] { members[key] = damaged(member, &random) }
      return .object(members)
    case .array(var elements) where goesOn && !elements.isEmpty:
      let place = Int(random.next() % UInt64(elements.count))
      elements[place] = damaged(elements[place], &random)
      return .array(elements)
    default:
      let others: [JSONValue] = [
        .null, .bool(true), .integer(-1), .string(""), .array([]), .object([:]), .array([value, value]),
        .object(["value": value]), .string(value.text(.wire)),
      ]
      return others[Int(random.next() % UInt64(others.count))]
    }
  }
}
