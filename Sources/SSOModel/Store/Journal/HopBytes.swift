import Essentials

/// An encoder for the hops in the trace table.
///
/// A silent call repeats the same groups and checks in two dozen hops, so each text is written only once and
/// then referenced by its number. This takes a sixth of the space of JSON.
struct HopWriter {
  static let version: UInt8 = 1
  private var bytes = ByteWriter(capacity: 4096)
  private var numbers: [String: Int] = [:]

  static func encode(_ hops: [Hop]) -> Data {
    var writer = HopWriter()
    writer.numbers.reserveCapacity(24 + 4 * hops.count)
    writer.bytes.append(byte: version)
    writer.append(hops) { writer, hop in
      for text in [hop.from.rawValue, hop.to.rawValue, hop.actor, hop.action, hop.result] {
        writer.append(text)
      }
      writer.append(hop.sent) { writer, field in
        writer.append(field.name)
        writer.append(field.value)
      }
      writer.append(hop.checks) { writer, check in
        for text in [check.name, check.expected, check.found, check.verdict.rawValue, check.source] {
          writer.append(text)
        }
      }
    }
    return writer.bytes.data
  }

  private mutating func append<T>(_ list: [T], _ write: (inout HopWriter, T) -> Void) {
    bytes.append(count: list.count)
    for element in list { write(&self, element) }
  }

  private mutating func append(_ text: String) {
    if let number = numbers[text] { return bytes.append(count: number) }
    numbers[text] = numbers.count + 1
    bytes.append(count: 0)
    bytes.append(text)
  }
}

/// A decoder for the bytes that `HopWriter` wrote.
struct HopReader {
  /// An error for bytes that are not a list of hops.
  struct Damage: Error {}

  private var bytes: ByteReader
  private var texts: [String] = []

  static func decode(_ data: Data) throws -> [Hop] {
    var reader = HopReader(bytes: ByteReader(data))
    guard reader.bytes.byte() == HopWriter.version else { throw Damage() }
    return try reader.list { try $0.hop() }
  }

  private init(bytes: ByteReader) { self.bytes = bytes }

  private mutating func hop() throws -> Hop {
    guard let from = Party(rawValue: try text()), let to = Party(rawValue: try text()) else { throw Damage() }
    return Hop(
      from: from, to: to, actor: try text(), action: try text(), result: try text(),
      sent: try list { NameValue(try $0.text(), try $0.text()) }, checks: try list { try $0.check() })
  }

  private mutating func check() throws -> Check {
    let (name, expected, found) = (try text(), try text(), try text())
    guard let verdict = Check.Verdict(rawValue: try text()) else { throw Damage() }
    return Check(name, expected: expected, found: found, verdict: verdict, source: try text())
  }

  private mutating func list<T>(_ element: (inout HopReader) throws -> T) throws -> [T] {
    guard let count = bytes.count() else { throw Damage() }
    var list: [T] = []
    for _ in 0..<count { list.append(try element(&self)) }
    return list
  }

  private mutating func text() throws -> String {
    guard let number = bytes.count() else { throw Damage() }
    if number > 0 {
      guard number <= texts.count else { throw Damage() }
      return texts[number - 1]
    }
    guard let text = bytes.string() else { throw Damage() }
    texts.append(text)
    return text
  }
}
