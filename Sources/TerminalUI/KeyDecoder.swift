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
  package var hasPendingEscape: Bool { paste == nil && buffer.first == Byte.escape }

  /// Returns the events that these bytes complete.
  ///
  /// The beginning of an incomplete sequence is kept for the next call.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
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
