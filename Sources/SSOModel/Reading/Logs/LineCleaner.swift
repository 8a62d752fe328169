import Essentials

/// A cleaner that removes what chats, bug trackers, and terminals add to a line: colours, quotation marks (`>`),
/// carriage returns.
enum LineCleaner {
  /// Cleans complete lines in place, from `start` to the end.
  static func clean(_ bytes: inout [UInt8], from start: Int) {
    let needsWork = bytes.withUnsafeBufferPointer { buffer in
      let line = LineBytes(UnsafeBufferPointer(rebasing: buffer[start...]))
      return line[0] == 0x3E || line[0] == 0xEF || line.index(of: 0x1B) != nil || line.index(of: 0x0D) != nil
        || line.index(of: "\n>") != nil || line.index(of: "\n &gt;") != nil || line.index(of: "\n&gt;") != nil
    }
    guard needsWork else { return }
    let count = bytes.count
    var (read, write, isLineStart) = (start, start, true)
    while read < count {
      let byte = bytes[read]
      if byte == 0x1B {
        read = endOfEscape(bytes, read)
      } else if byte == 0x0D {
        read += 1
      } else if isLineStart, let after = endOfQuote(bytes, read) {
        read = after
      } else {
        isLineStart = byte == 0x0A
        bytes[write] = byte
        write += 1
        read += 1
      }
    }
    bytes.removeLast(count - write)
  }

  /// Returns the index after a `> `, a `&gt; `, or a byte order mark, or `nil` if there is none; a line may begin with
  /// several.
  private static func endOfQuote(_ bytes: [UInt8], _ start: Int) -> Int? {
    if bytes[start] == 0x3E {
      return start + 1 < bytes.count && bytes[start + 1] == 0x20 ? start + 2 : start + 1
    }
    for mark in [Array("&gt; ".utf8), Array("&gt;".utf8), [0xEF, 0xBB, 0xBF]]
    where bytes[start...].starts(with: mark) {
      return start + mark.count
    }
    return nil
  }

  /// Returns the index after a control sequence (`ESC [ … m`), an operating system command (`ESC ] … BEL`), or a
  /// two-byte escape.
  private static func endOfEscape(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    guard index < bytes.count else { return index }
    let kind = bytes[index]
    index += 1
    guard kind == 0x5B || kind == 0x5D else { return index }
    // An unfinished sequence ends with its line.
    while index < bytes.count, bytes[index] != 0x0A {
      let byte = bytes[index]
      index += 1
      if kind == 0x5B, (0x40...0x7E).contains(byte) { break }
      if kind == 0x5D, byte == 0x07 || byte == 0x5C { break }
    }
    return index
  }
}
