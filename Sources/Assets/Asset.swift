import CAssets

/// A file of the folder `assets`, embedded in the program.
///
/// `Scripts/embed-assets` lists the files that are embedded.
package struct Asset: Sendable {
  /// The path below `assets`: `scenarios/contoso-suite.yaml`.
  package let path: String
  /// The position in the table, which has all files in the order of their paths' bytes.
  private let index: Int

  private init(at index: Int) {
    self.index = index
    path = String(cString: Self.table[index].path)
  }

  /// The file with a path below `assets`, or nil if there is none.
  package init?(_ path: String) {
    let index = Self.position(of: path)
    guard index < Self.table.count, path == String(cString: Self.table[index].path) else { return nil }
    self.init(at: index)
  }

  /// The files in a folder and in its subfolders, in the order of their paths' bytes.
  package static func files(in folder: String) -> [Asset] {
    table.indices[position(of: folder + "/")...].lazy.map(Asset.init(at:))
      .prefix { $0.path.hasPrefix(folder + "/") }
  }

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The content, which stays valid as long as the program runs.
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

  /// The position of the first file whose path is not before `path`, by binary search.
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
