/// The generator that everything inside one intent shares, so that numbers are drawn in a single order.
package final class RandomSource {
  package var source: Randomness
  package init(_ source: Randomness) { self.source = source }

  /// Returns a version 4 UUID in lowercase.
  package func uuid() -> String { source.uuid() }
  /// Returns a version 4 UUID in uppercase, as iOS writes it.
  package func upperUUID() -> String { source.upperUUID() }
  package func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
  /// Returns 32 bytes for one purpose, without advancing the source.
  package func derivedBytes(_ purpose: String) -> [UInt8] { source.derivedBytes(purpose) }
}
