/// Path functions, because Foundation's `deletingLastPathComponent` traps on a path of one letter here.
extension String {
  /// The part before the last slash: `/tmp` for `/tmp/a`, `/` for `/a`, nothing for `a`.
  package var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The part after the last slash.
  var lastPathPart: String { lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self }
}
