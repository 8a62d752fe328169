/// A look at the raw text before the YAML library sees it: that library recurses once per level, and
/// compares keys with every alias in them written out.
///
/// It over-counts (brackets and asterisks in quoted text count too); the limits leave room for that.
struct NestingScan {
  enum Finding: Equatable {
    case tooDeep(line: Int)
    case tooManyAliases(line: Int)
  }

  static let widestIndent = 128
  static let mostAliases = 16

  private var line = 1
  private var brackets = 0
  private var indent = 0
  private var dashes = 0
  private var aliases = 0
  private var isHead = true
  private var before = UInt8(ascii: "\n")

  /// The first place that passes a limit; nil if there is none.
  static func finding(in text: String, deepest: Int) -> Finding? {
    var scan = NestingScan()
    for byte in text.utf8 {
      scan.take(byte)
      if scan.brackets + scan.dashes > deepest || scan.indent > widestIndent {
        return .tooDeep(line: scan.line)
      }
      if scan.aliases > mostAliases { return .tooManyAliases(line: scan.line) }
    }
    return nil
  }

  /// YAML ends a line at a carriage return too, and at U+0085, U+2028 and U+2029, of which the last byte is looked at
  /// here: any letter with such a byte then begins a line, which over-counts a little more.
  private mutating func take(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x85, 0xA8, 0xA9:
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && before != UInt8(ascii: "\r") {
        line += 1
      }
      (indent, dashes, isHead) = (0, 0, true)
    case UInt8(ascii: " ") where isHead:
      indent += 1
    case UInt8(ascii: "-") where isHead, UInt8(ascii: "?") where isHead:
      dashes += 1
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      brackets += 1
      isHead = false
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      brackets = max(0, brackets - 1)
    case UInt8(ascii: "*"):
      if isHead || " \t[{,-:?".utf8.contains(before) { aliases += 1 }
      isHead = false
    default:
      isHead = false
    }
    before = byte
  }
}
