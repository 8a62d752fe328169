/// One key that the user pressed.
package enum KeyPress: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
  /// A letter pressed with Control, in lowercase.
  case control(Character)
}

/// An action of the mouse.
package enum MouseAction: Equatable, Sendable {
  case press, release, drag, wheelUp, wheelDown
}

/// An event that an interactive program can receive.
package enum InputEvent: Equatable, Sendable {
  case key(KeyPress)
  /// Pasted text exactly as received, including line ends and control characters.
  case paste(String)
  case mouse(x: Int, y: Int, kind: MouseAction)
  case resize(width: Int, height: Int)
  case focus(Bool)
  /// The terminal's response about its background; the driver handles this event itself.
  case background(Background)
  /// A watched descriptor became readable, so the store has to be read again.
  case storeChanged
  /// Another thread called the ``Waker``.
  case woken
  /// The time at which the program asked to be woken has come.
  case deadline
}

/// A decoder that converts bytes from the terminal to events.
///
/// ncurses' own decoder turns the rest of an unknown sequence into typed letters, and here letters are commands. This
/// decoder follows the grammar of ECMA-48, so it consumes a sequence completely, known or not. The terminal's key
/// definitions from terminfo take precedence.
package struct KeyDecoder: Sendable {
  /// The maximum size of a paste, in bytes.
  ///
  /// The rest is dropped, because a form never needs a megabyte.
  package static let pasteLimit = 1 << 20

  private let terminfoKeys: [[UInt8]: KeyPress]
  private var buffer: [UInt8] = []
  private var paste: [UInt8]?

  package init(terminfoKeys: [[UInt8]: KeyPress] = [:]) {
    self.terminfoKeys = terminfoKeys
  }

  /// Whether an Escape is waiting for the bytes that may follow.
  ///
  /// If no more bytes arrive in time, call ``flush()``.
  var hasPendingEscape: Bool { paste == nil && buffer.first == Byte.escape }

  /// Returns the events that these bytes complete.
  ///
  /// The beginning of an incomplete sequence is kept for the next call.
  package mutating func feed(_ bytes: some Collection<UInt8>) -> [InputEvent] {
    // Nearly always, one letter arrives.
    if bytes.count == 1, let byte = bytes.first, (0x20...0x7E).contains(byte), buffer.isEmpty, paste == nil {
      return [.key(.character(Character(Unicode.Scalar(byte))))]
    }
    buffer.append(contentsOf: bytes)
    var events: [InputEvent] = []
    var start = 0
    loop: while start < buffer.count {
      if paste != nil {
        guard let length = takePaste(from: start, &events) else { break loop }
        start += length
        continue
      }
      switch Self.sequence(in: buffer[start...]) {
      case .incomplete: break loop
      case .complete(let length, let kind):
        let bytes = Array(buffer[start..<(start + length)])
        start += length
        if let key = terminfoKeys[bytes] {
          events.append(.key(key))
        } else if bytes == Byte.pasteStart {
          paste = []
        } else {
          events += Self.events(bytes, kind)
        }
      }
    }
    buffer.removeFirst(start)
    return events
  }

  /// Handles an incomplete sequence whose rest did not arrive in time: a lone Escape is a key press.
  ///
  /// A letter that arrived with it is a separate key press. The beginning of any longer sequence is dropped.
  package mutating func flush() -> [InputEvent] {
    guard hasPendingEscape else { return [] }
    let bytes = buffer
    buffer = []
    guard bytes.count <= 2 else { return [] }
    return [.key(.escape)] + bytes.dropFirst().flatMap { Self.events([$0], .text) }
  }

  /// Moves pasted bytes to the paste, or returns `nil` if more bytes are needed because the end mark may be split.
  private mutating func takePaste(from start: Int, _ events: inout [InputEvent]) -> Int? {
    guard var pasted = paste else { return nil }
    let rest = buffer[start...]
    if let end = rest.indices.first(where: {
      rest[$0] == Byte.escape && rest[$0...].starts(with: Byte.pasteEnd)
    }) {
      pasted += rest[..<end]
      events.append(.paste(String(decoding: pasted.prefix(Self.pasteLimit), as: UTF8.self)))
      paste = nil
      return end - start + Byte.pasteEnd.count
    }
    let sure = rest.count - Byte.pasteEnd.count + 1
    guard sure > 0 else { return nil }
    if pasted.count < Self.pasteLimit { pasted += rest.prefix(sure) }
    paste = pasted
    return sure
  }
}

extension KeyDecoder {
  private enum Byte {
    static let escape: UInt8 = 0x1B
    static let pasteStart = Array("\u{1B}[200~".utf8)
    static let pasteEnd = Array("\u{1B}[201~".utf8)
  }

  private enum Kind { case text, controlSequence, controlString, singleShift, linuxFunction, swallowed }

  private enum Found {
    case incomplete
    case complete(length: Int, Kind)
  }

  /// Returns the kind of sequence that the first bytes form, by grammar alone.
  private static func sequence(in bytes: ArraySlice<UInt8>) -> Found {
    guard let first = bytes.first else { return .incomplete }
    guard first == Byte.escape else { return text(in: bytes) }
    guard let second = bytes.dropFirst().first else { return .incomplete }
    switch second {
    case UInt8(ascii: "["): return controlSequence(in: bytes)
    case UInt8(ascii: "O"):
      guard let third = bytes.dropFirst(2).first else { return .incomplete }
      return third == Byte.escape ? .complete(length: 2, .swallowed) : .complete(length: 3, .singleShift)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      return controlString(in: bytes)
    default: return .complete(length: 1, .text)  // Escape, or Alt, whose key follows as a separate press
    }
  }

  private static func text(in bytes: ArraySlice<UInt8>) -> Found {
    let length =
      switch bytes[bytes.startIndex] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let present = bytes.prefix(length)
    if let bad = present.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) {
      return .complete(length: bad - bytes.startIndex, .swallowed)
    }
    return present.count < length ? .incomplete : .complete(length: length, .text)
  }

  private static func controlSequence(in bytes: ArraySlice<UInt8>) -> Found {
    let body = bytes.dropFirst(2)
    if body.first == UInt8(ascii: "[") {
      return bytes.count < 4 ? .incomplete : .complete(length: 4, .linuxFunction)
    }
    if body.first == UInt8(ascii: "M") {  // a mouse report in the old format, followed by three bytes
      return bytes.count < 6 ? .incomplete : .complete(length: 6, .swallowed)
    }
    guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return .incomplete }
    let length = end - bytes.startIndex
    return (0x40...0x7E).contains(bytes[end])
      ? .complete(length: length + 1, .controlSequence) : .complete(length: length, .swallowed)
  }

  /// Finds the end of OSC, DCS, and similar strings, which is BEL or ESC \.
  private static func controlString(in bytes: ArraySlice<UInt8>) -> Found {
    guard let end = bytes.dropFirst(2).firstIndex(where: { $0 == 0x07 || $0 == Byte.escape }) else {
      return .incomplete
    }
    let length = end - bytes.startIndex + 1
    if bytes[end] == 0x07 { return .complete(length: length, .controlString) }
    guard end + 1 < bytes.endIndex else { return .incomplete }
    return bytes[end + 1] == UInt8(ascii: "\\")
      ? .complete(length: length + 1, .controlString) : .complete(length: length - 1, .swallowed)
  }

  private static func events(_ bytes: [UInt8], _ kind: Kind) -> [InputEvent] {
    switch kind {
    case .swallowed: []
    case .controlString:
      Background(answer: String(decoding: bytes, as: UTF8.self)).map { [.background($0)] } ?? []
    case .text: KeyPress(text: bytes).map { [.key($0)] } ?? []
    case .linuxFunction:
      (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(bytes[3])
        ? [.key(.function(Int(bytes[3] - UInt8(ascii: "A")) + 1))] : []
    case .singleShift: KeyPress(final: bytes[2]).map { [.key($0)] } ?? []
    case .controlSequence: ControlSequence(bytes).event.map { [$0] } ?? []
    }
  }
}

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
