/// A key that determines which call a line belongs to.
enum CallKey: Hashable {
  /// The two halves of a UUID.
  case id(UInt64, UInt64)
  /// An ID that is not a UUID.
  case word(String)
  /// The first eight hexadecimal digits of an ID.
  case head(UInt32)
  case thread(LogKind, UInt64)

  /// Creates the key of a correlation ID as it is written in a line.
  init(_ id: LineBytes) {
    var (high, low, digits) = (UInt64(0), UInt64(0), 0)
    var isNumber = true
    for byte in id.bytes where byte != 0x2D && !byte.isSpace {
      guard let digit = Self.digit(byte), digits < 32 else {
        isNumber = false
        break
      }
      if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      digits += 1
    }
    switch (isNumber, digits) {
    case (true, 32): self = .id(high, low)
    case (true, 8): self = .head(UInt32(truncatingIfNeeded: high))
    default: self = .word(id.text(0..<id.count))
    }
  }

  /// The key by which a line finds the call with only the start of the ID, or `nil` if this key is not a UUID.
  var head: CallKey? { if case .id(let high, _) = self { .head(UInt32(high >> 32)) } else { nil } }

  init(thread: LineBytes, of kind: LogKind) {
    var number: UInt64 = 0
    for byte in thread.bytes.prefix(18) { number = number &* 31 &+ UInt64(byte) }
    self = .thread(kind, number)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x61...0x66: UInt64(byte - 0x57)
    case 0x41...0x46: UInt64(byte - 0x37)
    default: nil
    }
  }
}

/// The numbers of calls by their keys.
///
/// A line mostly has the ID and the thread of the line before it, so the last two keys are found without hashing.
struct CallNumbers {
  private var numbers: [CallKey: Int] = [:]
  private var last: (key: CallKey, number: Int)?
  private var lastButOne: (key: CallKey, number: Int)?

  var count: Int { numbers.count }

  subscript(key: CallKey) -> Int? {
    mutating get {
      if let last, last.key == key { return last.number }
      if let lastButOne, lastButOne.key == key { return lastButOne.number }
      guard let number = numbers[key] else { return nil }
      (lastButOne, last) = (last, (key, number))
      return number
    }
    set {
      guard let number = newValue, self[key] != number else { return }
      numbers[key] = number
      (lastButOne, last) = (last?.key == key ? nil : last, (key, number))
    }
  }

  /// Removes the keys of calls up to a number.
  mutating func removeAll(upTo number: Int) {
    numbers = numbers.filter { $0.value > number }
    (last, lastButOne) = (nil, nil)
  }
}
