import GRDB

extension WorldStore {
  /// What the next undo and the next redo would take, in the words of their intents; nil: nothing.
  package func undoState() throws -> (undo: String?, redo: String?) {
    try read { transaction in
      let statement = try transaction.reading().cachedStatement(
        sql: """
          SELECT (SELECT intent FROM journal WHERE state = 0 ORDER BY id DESC LIMIT 1),
            (SELECT intent FROM journal WHERE state = 1 ORDER BY id ASC LIMIT 1)
          """)
      guard let row = try Row.fetchOne(statement) else { return (nil, nil) }
      let texts: [String?] = [row[0], row[1]]
      return (texts[0].map(String.init(storedText:)), texts[1].map(String.init(storedText:)))
    }
  }
}
