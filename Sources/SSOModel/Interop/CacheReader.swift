import Essentials
import SSOCore
import SSOKeychain

/// A reader of the cache file that MSAL for Python, .NET, Node, Java, and Go write
/// (docs/behaviour/external-clients.md §3).
///
/// The file has five sections of entries. The keys of the entries are ignored.
package enum CacheReader {
  /// The maximum size of a file, in bytes.
  package static let sizeLimit = 256 * 1_048_576

  /// Reads the entries of a file.
  ///
  /// An empty file is an empty cache. A byte order mark and trailing commas are accepted, and so are the file of MSAL for
  /// Android (``AndroidCacheFile``) and the state of a browser (``browserRecords(in:)``).
  ///
  /// Junk entries and unknown sections are stored in `kept`, with a problem for each, and do not make the file invalid.
  /// - Throws: `CacheFileError` with the place if the file is not a JSON object, is truncated, has more than 64 levels,
  ///   or exceeds 256 MB.
  package static func read(_ data: Data) throws(CacheFileError) -> CacheFile { try reading(data).file }

  /// Reads the entries of a file with their keys.
  static func reading(_ data: Data) throws(CacheFileError) -> CacheFileReading {
    var reading = CacheFileReading()
    let preferences = try AndroidCacheFile.read(data)
    var found = if let preferences { preferences.records } else { try sections(data) }
    found = browserRecords(in: found) ?? found
    for (name, value) in found.sorted(by: { $0.key < $1.key }) {
      reading.take(section: name, value)
    }
    return reading
  }

  /// Returns the records of all origins in the state of a browser that Playwright saved, or `nil` for any other file.
  ///
  /// The state has the browser's cookies too, which are never read. MSAL.js's records in several origins may have one key.
  /// Source: playwright.dev, `BrowserContext.storageState`.
  static func browserRecords(in sections: [String: JSONValue]) -> [String: JSONValue]? {
    guard sections["cookies"]?.array != nil, let origins = sections["origins"]?.array else { return nil }
    let records = origins.flatMap { origin in
      (origin["localStorage"]?.array ?? []).compactMap { item -> (name: String, value: JSONValue)? in
        guard let name = item["name"]?.string, let value = item["value"] else { return nil }
        return (name, value)
      }
    }
    return records.reduce(into: [:]) { all, record in
      var name = record.name
      while all[name] != nil { name += " (again)" }
      all[name] = record.value
    }
  }

  /// Returns the top level of the file: the sections with their entries, unchanged.
  static func sections(_ data: Data) throws(CacheFileError) -> [String: JSONValue] {
    guard data.count <= sizeLimit else { throw CacheFileError(.tooLarge, offset: sizeLimit, in: Data()) }
    let mark = data.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let body = data.dropFirst(mark)
    if body.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return [:] }
    if let error = CacheFileError.unreadable(data) { throw error }
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
