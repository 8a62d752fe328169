/// The texts of files that a reader searches for several words, each of which is read once.
final class SourceTexts {
  /// The maximum size, in bytes, of all texts that are kept; other files are read again.
  private static let totalLimit = 64 << 20

  /// The maximum size of a file, in bytes.
  private let sizeLimit: Int
  private var known: [String: String?] = [:]
  private var size = 0

  init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

  /// Returns the text of a file, or `nil` if it cannot be read or is too large.
  func text(_ path: String) -> String? {
    if let text = known[path] { return text }
    let text = try? ProjectFiles.text(path, limit: sizeLimit)
    let length = text?.utf8.count ?? 0
    if size + length <= Self.totalLimit {
      known[path] = .some(text)
      size += length
    }
    return text
  }
}
