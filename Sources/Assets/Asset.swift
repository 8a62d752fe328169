import CAssets

/// A file of the folder `assets`, embedded in the program.
///
/// `Scripts/embed-assets` lists the files that are embedded.
package struct Asset: Sendable {
  /// The path below `assets`: `scenarios/contoso-suite.yaml`.
  package let path: String
  /// The position in the table, which contains all files sorted by the bytes of their paths.
  private let index: Int

  private init(at index: Int) {
    self.index = index
    path = String(cString: Self.table[index].path)
  }

  /// Creates the asset with the given path below `assets`, or returns `nil` if there is none.
  package init?(_ path: String) {
    let index = Self.position(of: path)
    guard index < Self.table.count, path == String(cString: Self.table[index].path) else { return nil }
    self.init(at: index)
  }

  /// Returns the files in a folder and its subfolders, sorted by the bytes of their paths.
  package static func files(in folder: String) -> [Asset] {
    table.indices[position(of: folder + "/")...].lazy.map(Asset.init(at:))
      .prefix { $0.path.hasPrefix(folder + "/") }
  }

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The content, which remains valid as long as the program runs.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: Self.table[index].bytes, count: Self.table[index].count)
  }

  /// The content as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private static var table: UnsafeBufferPointer<ssoterm_asset> {
    var count = 0
    let first = ssoterm_assets(&count)
    return UnsafeBufferPointer(start: first, count: count)
  }

  /// Returns the position of the first file whose path is not before `path`, using binary search.
  private static func position(of path: String) -> Int {
    let table = table
    var range = table.startIndex..<table.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if String(cString: table[middle].path).utf8.lexicographicallyPrecedes(path.utf8) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}
