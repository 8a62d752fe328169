import Foundation
import GRDB
import SSOCore

extension StoreTransaction {
  /// Writes a document that undo leaves alone, as its old value must not come back (the lab's generator).
  package func putOutsideJournal(_ body: Data, _ kind: DocumentKind, _ key: String) throws {
    let row = RowKey.document(kind: kind.rawValue, key: key)
    try writing().cachedStatement(sql: "INSERT OR REPLACE INTO document(kind, key, sealed) VALUES(?, ?, ?)")
      .execute(arguments: [kind.rawValue, key.storedText, seal(body, row)])
  }
}
