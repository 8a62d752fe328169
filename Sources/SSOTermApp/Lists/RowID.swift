/// The identity of a row in its list, in eight bytes because a list may have half a million rows.
struct RowID: Hashable, Sendable {
  let value: Int64

  /// Creates the ID of a row of the store.
  init(_ row: Int64) { value = row }

  /// Creates the ID of a row that is identified by a text.
  ///
  /// The ID is valid only while the program runs, because Swift seeds its hashes anew in each process. It is negative,
  /// so it never equals a row of the store.
  init(_ text: String) { value = Int64(text.hashValue) | .min }

  /// Creates the ID of a credential, whose own ID is `t` followed by its row in the store.
  init(credential id: String) {
    self = Int64(id.dropFirst()).map { RowID($0) } ?? RowID(id)
  }
}
