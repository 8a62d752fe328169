/// The generator that everything inside one intent shares, so that its draws come in one order.
public final class Chance {
  public var source: Randomness
  public init(_ source: Randomness) { self.source = source }

  public func uuid() -> String { source.uuid() }
  public func upperUUID() -> String { source.upperUUID() }
  public func bytes(_ count: Int) -> [UInt8] { source.bytes(count) }
}
