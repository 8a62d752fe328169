/// The story of one intent, as it is kept: what was done, how it ended and its hops.
///
/// Traces are not part of the world: undo leaves them, and they then say so. The store keeps the newest 1 000.
package struct TraceRecord: Codable, Hashable, Sendable {
  /// The store's number for it, ascending; 0 before it is stored.
  package var id: Int64
  /// The journal entry of the same intent; nil if the intent changed nothing.
  package var journalID: Int64?
  package var title: String
  package var correlationID: String
  package var at: Instant
  /// A few words on how it ended: `token from the cache`, `interaction required`.
  package var outcome: String
  /// Empty in the summaries of `WorldStore.traces(limit:)`.
  package var hops: [Hop]
  /// How many hops there are; known also where a list leaves the hops out.
  package var hopCount: Int
  /// Whether what the intent changed has been undone since.
  package var isUndone = false
  /// Who did it, as for a `JournalEntry`: the store notes it.
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
