/// An `.xcconfig` file: `KEY = value // comment` and `#include "file"`.
enum ConfigurationFile {
  /// Returns the settings of a file, or none if the file does not exist, as with files that CocoaPods generates.
  static func read(_ path: String) -> [String: Found<String>] {
    var visited: Set<String> = []
    return read(path, &visited)
  }

  /// Reads each file once, however often it is included; `visited` contains the paths that were read.
  private static func read(_ path: String, _ visited: inout Set<String>) -> [String: Found<String>] {
    guard visited.count < 100, visited.insert(path).inserted, let text = try? ProjectFiles.text(path) else {
      return [:]
    }
    var settings: [String: Found<String>] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let code = (line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line).trimmed
      if code.hasPrefix("#include") {
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { continue }
        let included = read(simplified(folder(of: path) + "/" + parts[1]), &visited)
        settings.merge(included) { $1 }
      } else if let equals = code.firstIndex(of: "=") {
        settings[code[..<equals].trimmed] = Found(
          code[code.index(after: equals)...].trimmed, FilePlace(path, line: index + 1))
      }
    }
    return settings
  }
}

extension StringProtocol {
  /// A copy without white space at both ends.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
