/// A decoder for UTF-16 text, as PowerShell writes it with `>`, in pieces that may end within a character.
struct UTF16Pieces {
  private let isBigEndian: Bool
  /// The end of the last piece: half of a code unit, or the first of a character's two code units.
  private var rest: [UInt8] = []

  /// Creates a decoder, or returns `nil` if the text does not start with a UTF-16 byte order mark.
  init?(firstPiece: UnsafeRawBufferPointer) {
    guard firstPiece.count >= 2 else { return nil }
    switch (firstPiece[0], firstPiece[1]) {
    case (0xFF, 0xFE): isBigEndian = false
    case (0xFE, 0xFF): isBigEndian = true
    default: return nil
    }
  }

  /// Returns the complete characters.
  ///
  /// Invalid ones become U+FFFD.
  mutating func text(of piece: UnsafeRawBufferPointer) -> String {
    let bytes = rest + piece
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
    }
    if let last = units.last, 0xD800..<0xDC00 ~= last { units.removeLast() }
    rest = Array(bytes[(units.count * 2)...])
    if units.first == 0xFEFF { units.removeFirst() }
    return String(decoding: units, as: UTF16.self)
  }
}
