import Foundation
import Synchronization
import Testing

/// An expected text in the source of a test.
enum InlineText {
  private struct Edit {
    var line: Int
    var added: Int
  }

  /// The texts that this run has replaced, by file.
  ///
  /// They move the lines of the tests below them.
  private static let edits = Mutex<[String: [Edit]]>([:])

  /// Replaces the multi-line string literal that begins at or below the given place.
  static func replace(with text: String, at place: SourceLocation) throws {
    try edits.withLock { edits in
      let file = place.filePath
      var lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
      let moved = (edits[file] ?? []).reduce(0) { $1.line < place.line ? $0 + $1.added : $0 }
      guard
        let start = lines.indices.dropFirst(place.line - 1 + moved).first(where: {
          lines[$0].hasSuffix(quotes)
        }),
        let end = lines.indices.dropFirst(start + 1).first(where: {
          lines[$0].drop { $0 == " " }.hasPrefix(quotes)
        })
      else { throw EndToEndError("no multi-line literal below \(file):\(place.line)") }
      let indentation = String(lines[end].prefix { $0 == " " })
      let isRaw = text.contains("\\") || text.contains(quotes)
      lines[start] = lines[start].drop(suffix: "#" + quotes, quotes) + (isRaw ? "#" : "") + quotes
      lines[end] =
        indentation + quotes + (isRaw ? "#" : "")
        + lines[end].dropFirst(indentation.count + 3).drop { $0 == "#" }
      let literal = text.replacing("\t", with: isRaw ? "\\#t" : "\\t").components(separatedBy: "\n")
      lines.replaceSubrange(start + 1..<end, with: literal.map { $0.isEmpty ? "" : indentation + $0 })
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      edits[file, default: []].append(Edit(line: place.line, added: literal.count - (end - start - 1)))
    }
  }

  private static let quotes = "\"\"\""

  /// Returns the lines of two texts, with those that only one of them has marked `-` and `+`.
  static func difference(from old: String, to new: String) -> String {
    let (old, new) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
    let changes = new.difference(from: old)
    let removed = Set(changes.removals.map(\.offset))
    let inserted = Set(changes.insertions.map(\.offset))
    var lines: [String] = []
    var index = 0
    for (offset, line) in old.enumerated() {
      if removed.contains(offset) {
        lines.append("- " + line)
        continue
      }
      while inserted.contains(index) {
        lines.append("+ " + new[index])
        index += 1
      }
      lines.append("  " + line)
      index += 1
    }
    lines += new[index...].map { "+ " + $0 }
    return "the session is different (RECORD_INLINE=1 records it)\n" + lines.joined(separator: "\n")
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

extension String {
  /// Returns the text without the first of the endings that it has.
  fileprivate func drop(suffix endings: String...) -> String {
    endings.first(where: hasSuffix).map { String(dropLast($0.count)) } ?? self
  }
}
