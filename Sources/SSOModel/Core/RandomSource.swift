/// The generator that everything inside one intent shares, so that its draws come in one order.
package final class RandomSource {
  package var source: Randomness
  package init(_ source: Randomness) { self.source = source }

  package func uuid() -> String { source.uuid() }
  package func upperUUID() -> String { source.upperUUID() }
  package func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
  package func derivedBytes(_ purpose: String) -> [UInt8] { source.derivedBytes(purpose) }
}
