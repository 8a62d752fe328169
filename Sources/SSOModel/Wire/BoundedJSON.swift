public import Foundation

extension JSONValue {
  /// Reads JSON from strangers: nil if it is longer or nested deeper than allowed, or no JSON.
  ///
  /// The depth is counted before Foundation sees the bytes.
  public init?(bounded data: some DataProtocol, maximumBytes: Int = 65_536, maximumDepth: Int = 16) {
    guard data.count <= maximumBytes, Self.depth(of: data) <= maximumDepth else { return nil }
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(data)) else { return nil }
    self = value
  }

  private static func depth(of data: some DataProtocol) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for byte in data {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x5B, 0x7B:
        depth += 1
        deepest = max(deepest, depth)
      case 0x5D, 0x7D: depth -= 1
      default: break
      }
    }
    return deepest
  }

  /// The bytes that go on the wire: sorted keys, slashes as they are.
  public func wireBytes() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}
