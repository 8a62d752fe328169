/// What distinguishes a row of a list from the others, in eight bytes, as a list may have half a million.
struct RowID: Hashable, Sendable {
  let value: Int64

  /// A row of the store.
  init(_ row: Int64) { value = row }

  /// A row that has a text for a name.
  ///
  /// Only good while the program runs, as Swift seeds its hashes anew; negative, so that it is no row of the store.
  init(_ text: String) { value = Int64(text.hashValue) | .min }

  /// A credential, whose ID is `t` and its row of the store.
  init(credential id: String) {
    self = Int64(id.dropFirst()).map { RowID($0) } ?? RowID(id)
  }
}
