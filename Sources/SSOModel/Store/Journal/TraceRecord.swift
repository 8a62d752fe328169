/// The trace of one intent: its title, its outcome, and its hops.
///
/// Traces are not part of the world: undo retains them and marks them as undone. The store retains the newest
/// 1,000.
package struct TraceRecord: Codable, Hashable, Sendable {
  /// The number that the store assigned, in ascending order, or 0 before it is stored.
  package var id: Int64
  /// The journal entry of the same intent, or `nil` if the intent changed nothing.
  package var journalID: Int64?
  package var title: String
  package var correlationID: String
  package var at: Instant
  /// A short text of the outcome, such as `token from the cache` or `interaction required`.
  package var outcome: String
  /// The hops.
  ///
  /// Empty in the summaries of `WorldStore.traces(limit:)`.
  package var hops: [Hop]
  /// The number of hops, which is also known in a summary.
  package var hopCount: Int
  /// Whether the changes of the intent have been undone since.
  package var isUndone = false
  /// The author, as for a `JournalEntry`.
  ///
  /// The store sets it.
  package var author: Author?

  package init(
    id: Int64 = 0, journalID: Int64? = nil, title: String, correlationID: String, at: Instant,
    outcome: String, hops: [Hop], hopCount: Int? = nil
  ) {
    self.id = id
    self.journalID = journalID
    self.title = title
    self.correlationID = correlationID
    self.at = at
    self.outcome = outcome
    self.hops = hops
    self.hopCount = hopCount ?? hops.count
  }
}
