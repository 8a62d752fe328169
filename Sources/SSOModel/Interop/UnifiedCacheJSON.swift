import Essentials

/// Reads the cache file that MSAL for Python, .NET, Node, Java and Go write: five sections of entries
/// (docs/behaviour/external-clients.md §3).
///
/// The keys of entries are not looked at.
package enum UnifiedCacheJSON {
  /// In bytes.
  package static let sizeLimit = 256 * 1_048_576

  /// The file as entries.
  ///
  /// An empty file is an empty cache; a byte order mark and trailing commas are taken.
  ///
  /// Junk entries and unknown sections end up in `kept`, with a problem each; they do not fail the file.
  /// - Throws: with the place, if it is no JSON object, is cut off, nested over 64 levels or over 256 MB.
  package static func read(_ data: Data) throws(CacheFileError) -> CacheFile {
    var reading = CacheFileReading()
    for (name, value) in try sections(data).sorted(by: { $0.key < $1.key }) {
      reading.take(section: name, value)
    }
    return reading.file
  }

  /// The top of the file: section → entries, as they are.
  static func sections(_ data: Data) throws(CacheFileError) -> [String: JSONValue] {
    guard data.count <= sizeLimit else { throw CacheFileError(.tooLarge, offset: sizeLimit, in: Data()) }
    let mark = data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let body = data.dropFirst(mark)
    if body.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return [:] }
    let top: JSONValue
    do {
      top = try JSONParser.parse(body, toleratesTrailingCommas: true, keepsLongNumbers: true)
    } catch let error as JSONParseError {
      throw CacheFileError(error, shiftedBy: mark, in: data)
    } catch {
      throw CacheFileError(.notJSON(expected: "a JSON object"), offset: mark, in: data)
    }
    guard let sections = top.object else { throw CacheFileError(.notAnObject, offset: mark, in: data) }
    return sections
  }
}
