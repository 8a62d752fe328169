/// The numbers of a lab's rows inside a transaction that writes.
///
/// They are read when it begins and written when it commits: its only writer counts for itself.
struct PostgresRowIDs {
  private var last: [Int64]
  /// How many commits there were before this one.
  let commits: Int64

  /// - Parameter row: of `counter`.
  init?(_ row: [Int64]) {
    guard row.count == NumberedTable.allCases.count + 1, let commits = row.last else { return nil }
    (last, self.commits) = (row.dropLast(), commits)
  }

  mutating func next(in table: NumberedTable) -> Int64 {
    last[table.rawValue] += 1
    return last[table.rawValue]
  }

  /// Writes them, notes the commit and notifies the others.
  ///
  /// Told behind the commit: inside of it all commits of the server would wait for each other's way to the disk
  /// (a transaction with NOTIFY holds one lock of the server until it has ended).
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
