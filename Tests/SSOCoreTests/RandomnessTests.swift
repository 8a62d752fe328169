import Testing

@testable import SSOCore

@Suite struct RandomnessTests {
  private let key = [UInt8](repeating: 7, count: 32)

  @Test func aSeedAndAKeyDecideAllThatComes() {
    for start in [Randomness(seed: 7), Randomness(key: key)] {
      var (first, second) = (start, start)
      #expect(first.bytes(100) == second.bytes(100) && first.next() == second.next())
      #expect(first.uuid() == second.uuid() && first == second)
    }
  }

  @Test func aKeyGivesTheBlocksOfItsCounter() {
    var random = Randomness(key: key)
    let bytes = random.bytes(40)
    var again = Randomness(key: key)
    #expect(Array(again.bytes(32)) == Array(bytes.prefix(32)))
    #expect(Array(again.bytes(8)) == Array(bytes.suffix(8)), "the second block")
    var other = Randomness(key: [UInt8](repeating: 8, count: 32))
    #expect(other.bytes(40) != bytes)
  }

  @Test func aUUIDIsWrittenInFiveGroups() {
    #expect(uuidText([UInt8](0x00...0x0F)) == "00010203-0405-0607-0809-0a0b0c0d0e0f")
    #expect(hexadecimal(bytes: [0x00, 0x9A, 0xFF]) == "009aff" && hexadecimal(bytes: []).isEmpty)
    #expect(hexadecimal(0x0A) == "0a")
  }

  @Test func derivedBytesMoveNothing() {
    for start in [Randomness(seed: 7), Randomness(key: key)] {
      var (asked, not) = (start, start)
      #expect(asked.derivedBytes("a").count == 32 && asked.derivedBytes("a") != asked.derivedBytes("b"))
      #expect(asked.bytes(16) == not.bytes(16))
      #expect(asked.derivedBytes("a") != start.derivedBytes("a"))
    }
  }
}
