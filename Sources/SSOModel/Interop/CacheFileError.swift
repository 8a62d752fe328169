import Essentials

/// An error for a file that is not a token cache.
///
/// A problem of a single entry is a `CacheProblem` instead.
package struct CacheFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason for the error.
  package enum Reason: Hashable, Sendable {
    /// The file is larger than 256 MB.
    case tooLarge
    /// The file ends inside a value, as if its writer had been killed.
    case truncated
    case notJSON(expected: String)
    /// The file has more than 64 levels.
    case tooDeep
    /// Valid JSON whose top-level value is not an object.
    case notAnObject
  }

  package var reason: Reason
  /// The offset, in bytes, from the start of the file.
  package var offset: Int
  /// The one-based line; the column is one-based too, and counts bytes.
  package var line: Int
  package var column: Int

  package var description: String {
    let place = "line \(line), column \(column) (byte \(offset))"
    return switch reason {
    case .tooLarge: "The file is larger than \(UnifiedCacheJSON.sizeLimit / 1_048_576) MB."
    case .truncated: "The file is truncated at \(place). Was a program stopped while it wrote the file?"
    case .notJSON(let expected): "Not JSON at \(place): expected \(expected)."
    case .tooDeep: "Nested more than \(JSONParser.depthLimit) levels deep at \(place)."
    case .notAnObject: "Expected a JSON object with sections like AccessToken at \(place)."
    }
  }
}

extension CacheFileError {
  init(_ reason: Reason, offset: Int, in data: Data) {
    let before = data.prefix(offset)
    self.reason = reason
    self.offset = offset
    line = 1 + before.count { $0 == 0x0A }
    column = 1 + (before.lastIndex(of: 0x0A).map { before.endIndex - $0 - 1 } ?? before.count)
  }

  init(_ error: JSONParseError, shiftedBy shift: Int, in data: Data) {
    let reason: Reason =
      switch error.reason {
      case .truncated: .truncated
      case .tooDeep: .tooDeep
      case .unexpected(let expected): .notJSON(expected: expected)
      }
    self.init(reason, offset: error.offset + shift, in: data)
  }
}
