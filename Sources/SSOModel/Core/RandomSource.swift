/// The generator that everything inside one intent shares, so that its draws come in one order.
package final class RandomSource {
  package var source: Randomness
  package init(_ source: Randomness) { self.source = source }

  /// In lower case, version 4.
  package func uuid() -> String { source.uuid() }
  /// In upper case, as iOS writes it.
  package func upperUUID() -> String { source.upperUUID() }
  package func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
  /// 32 bytes for one purpose; they do not move the source on.
  package func derivedBytes(_ purpose: String) -> [UInt8] { source.derivedBytes(purpose) }
}
