/// Text in UTF-16, as PowerShell writes what `>` gets, in pieces that may end within a character.
struct UTF16Pieces {
  private let isBigEndian: Bool
  /// What a piece ended with: half of a unit, or the first of two units of one character.
  private var rest: [UInt8] = []

  /// Nil: the text does not begin with UTF-16's byte order mark.
  init?(firstPiece: UnsafeRawBufferPointer) {
    guard firstPiece.count >= 2 else { return nil }
    switch (firstPiece[0], firstPiece[1]) {
    case (0xFF, 0xFE): isBigEndian = false
    case (0xFE, 0xFF): isBigEndian = true
    default: return nil
    }
  }

  /// The characters that are whole; what is not one becomes U+FFFD.
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
