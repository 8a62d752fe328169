/// A parsed control sequence `ESC [ parameters final` (ECMA-48 §5.4).
struct ControlSequence {
  private let prefix: UInt8?
  private let numbers: [Int]
  private let final: UInt8

  init(_ bytes: [UInt8]) {
    let body = bytes.dropFirst(2).dropLast()
    prefix = body.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    let parameters = body.dropFirst(prefix == nil ? 0 : 1)
    numbers =
      parameters.isEmpty
      ? []
      : parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    final = bytes.last ?? 0
  }

  /// The event that the sequence represents, or `nil` for any other sequence, which is ignored.
  var event: InputEvent? {
    if prefix == UInt8(ascii: "<") { return mouse }
    guard prefix == nil else { return nil }
    switch (final, numbers) {
    case (UInt8(ascii: "I"), []): return .focus(true)
    case (UInt8(ascii: "O"), []): return .focus(false)
    case (UInt8(ascii: "~"), _): return KeyPress(editing: numbers).map { .key($0) }
    case (_, []), (_, [1]): return KeyPress(final: final).map { .key($0) }
    default: return nil
    }
  }

  /// The event of an SGR mouse report, which contains the button, the column, the row, and `m` for a release.
  private var mouse: InputEvent? {
    guard numbers.count == 3 else { return nil }
    let kind: MouseAction
    switch (numbers[0], final) {
    case (64..., UInt8(ascii: "M")):
      guard numbers[0] & 0b10 == 0 else { return nil }
      kind = numbers[0] & 1 == 0 ? .wheelUp : .wheelDown
    case (32..., UInt8(ascii: "M")): kind = .drag
    case (_, UInt8(ascii: "M")): kind = .press
    case (_, UInt8(ascii: "m")): kind = .release
    default: return nil
    }
    return .mouse(x: max(0, numbers[1] - 1), y: max(0, numbers[2] - 1), kind: kind)
  }
}

extension KeyPress {
  /// Creates the key for `ESC [ final` or `ESC O final`.
  init?(final: UInt8) {
    switch final {
    case UInt8(ascii: "A"): self = .up
    case UInt8(ascii: "B"): self = .down
    case UInt8(ascii: "C"): self = .right
    case UInt8(ascii: "D"): self = .left
    case UInt8(ascii: "H"): self = .home
    case UInt8(ascii: "F"): self = .end
    case UInt8(ascii: "Z"): self = .backTab
    case UInt8(ascii: "M"): self = .enter
    case UInt8(ascii: "P")...UInt8(ascii: "S"): self = .function(Int(final - UInt8(ascii: "P")) + 1)
    default: return nil
    }
  }

  /// Creates the key for `ESC [ number ~`, with the numbers of the VT220.
  init?(editing numbers: [Int]) {
    guard numbers.count == 1 else { return nil }
    switch numbers[0] {
    case 1, 7: self = .home
    case 4, 8: self = .end
    case 3: self = .delete
    case 5: self = .pageUp
    case 6: self = .pageDown
    case 11...15: self = .function(numbers[0] - 10)
    case 17...21: self = .function(numbers[0] - 11)
    case 23...24: self = .function(numbers[0] - 12)
    default: return nil
    }
  }

  /// Creates the key that sends these bytes, which are a control byte or one scalar in UTF-8.
  init?(text bytes: [UInt8]) {
    switch bytes[0] {
    case 0x0A, 0x0D: self = .enter
    case 0x09: self = .tab
    case 0x08, 0x7F: self = .backspace
    case 0x1B: self = .escape
    case 0x00: self = .control(" ")
    case 0x01...0x1A: self = .control(Character(Unicode.Scalar(bytes[0] + 0x60)))
    case 0x1C...0x1F: self = .control(Character(Unicode.Scalar(bytes[0] + 0x40)))
    default:
      let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
      guard let scalar = scalars.first, scalar != "\u{FFFD}",
        scalar.properties.generalCategory != .control
      else { return nil }
      self = .character(Character(scalar))
    }
  }
}
