/// The row numbers of a lab inside a writing transaction.
///
/// They are read at its beginning and written at its commit, because the only writer can count on its own.
struct PostgresRowIDs {
  private var last: [Int64]
  /// The number of commits before this one.
  let commits: Int64

  /// Creates the numbers from the table `counter`.
  ///
  /// - Parameter row: The row of the table.
  init?(_ row: [Int64]) {
    guard row.count == NumberedTable.allCases.count + 1, let commits = row.last else { return nil }
    (last, self.commits) = (row.dropLast(), commits)
  }

  mutating func next(in table: NumberedTable) -> Int64 {
    last[table.rawValue] += 1
    return last[table.rawValue]
  }

  /// Returns a script that writes the numbers, records the commit, and notifies the listeners.
  ///
  /// NOTIFY follows the commit. Inside the transaction, all commits of the server would wait for each other's
  /// flush to disk, because a transaction with NOTIFY holds a lock of the server until it ends.
  func commitScript(token: String, channel: String) -> String {
    """
    UPDATE counter SET item = \(last[0]), journal = \(last[1]), trace = \(last[2]), commits = \(commits + 1);
    INSERT INTO commit_token VALUES(\(commits + 1), '\(token)');
    DELETE FROM commit_token WHERE number <= \(commits + 1 - Int64(PostgresSchema.keptCommits));
    SELECT fold_items();
    COMMIT;
    NOTIFY \(channel)
    """
  }
}
