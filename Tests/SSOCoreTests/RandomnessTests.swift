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

  @Test func derivedBytesMoveNothing() {
    for start in [Randomness(seed: 7), Randomness(key: key)] {
      var (asked, not) = (start, start)
      #expect(asked.derivedBytes("a").count == 32 && asked.derivedBytes("a") != asked.derivedBytes("b"))
      #expect(asked.bytes(16) == not.bytes(16))
      #expect(asked.derivedBytes("a") != start.derivedBytes("a"))
    }
  }
}
