import Essentials
import SSOCore

extension StoreTransaction {
  /// The number of retained traces.
  package static let keptTraces: Int64 = 1000

  /// Saves a trace and returns its number.
  ///
  /// Its journal entry is that of this transaction, if the transaction changes rows.
  @discardableResult
  package func append(trace: TraceRecord) throws -> Int64 {
    let connection = try writing()
    let hops = try seal(HopWriter.encode(trace.hops), .trace(correlationID: trace.correlationID))
    try connection.run(
      """
      INSERT INTO trace(id, journal_id, title, correlation_id, at, outcome, hop_count, sealed, person, machine)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        connection.newRowID(in: .trace), trace.journalID ?? journal.entryID, trace.title, trace.correlationID,
        trace.at, trace.outcome,
        trace.hops.count, hops, store.user?.author.person, store.user?.author.machine,
      ])
    let id = connection.lastRowID
    try connection.run("DELETE FROM trace WHERE id <= ?", [id - Self.keptTraces])
    if trace.journalID == nil { journal.link(trace: id) }
    return id
  }

  /// Returns the newest traces without their hops, newest first.
  package func traces(limit: Int) throws -> [TraceRecord] {
    try reading().all(
      "SELECT \(TraceRecord.columns(journal)) FROM trace ORDER BY id DESC LIMIT ?", [limit]
    ) { row throws(StoreError) in
      try intact(row.name(in: "trace")) { () throws(StoreError) in try TraceRecord(withoutHops: row) }
    }.compactMap(\.self)
  }

  /// Returns a trace with its hops, or `nil` if it is not in the store.
  ///
  /// - Throws: `StoreError.damaged`, with the number of the trace.
  package func trace(id: Int64) throws -> TraceRecord? {
    try reading().first("SELECT \(TraceRecord.columns(journal)), sealed FROM trace WHERE id = ?", [id]) {
      row throws(StoreError) in
      do throws(StoreError) {
        var trace = try TraceRecord(withoutHops: row)
        let hops = try open(row[10], .trace(correlationID: trace.correlationID))
        do { trace.hops = try HopReader.decode(hops) } catch {
          throw .damaged(path: store.name, row: "", message: "no list of hops")
        }
        return trace
      } catch { throw error.naming("trace \(id)") }
    }
  }
}

extension TraceRecord {
  fileprivate static func columns(_ journal: TransactionJournal) -> String {
    """
    id, journal_id, title, correlation_id, at, outcome, hop_count,
    EXISTS(SELECT 1 FROM journal WHERE journal.id = trace.journal_id AND kind = 'intent' AND state <> 0),
    \(journal.authorColumns)
    """
  }

  fileprivate init(withoutHops row: borrowing SQLRows) throws(StoreError) {
    self.init(
      id: try row[0], journalID: try row[1], title: try row[2], correlationID: try row[3], at: try row[4],
      outcome: try row[5], hops: [], hopCount: try row[6] as Int)
    isUndone = try row[7] == 1
    author = try Author(row, at: 8)
  }
}

extension Author {
  /// Creates an author from `StoreTransaction.authorColumns`.
  init?(_ row: borrowing SQLRows, at column: Int32) throws(StoreError) {
    let (person, machine): (String?, String?) = (try row[column], try row[column + 1])
    guard let person else { return nil }
    self.init(person: person, machine: machine ?? "")
  }
}

/// The trace of one intent: its title, its outcome, and its hops.
///
/// Traces are not part of the world: undo retains them and marks them as undone. The store retains the newest
/// 1,000.
package struct TraceRecord: Codable, Hashable, Sendable {
  /// The number that the store assigned, in ascending order, or 0 before it is stored.
  package var id: Int64
  /// The journal entry of the same intent, or `nil` if the intent changed nothing.
  var journalID: Int64?
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

/// An encoder for the hops in the trace table.
///
/// A silent call repeats the same groups and checks in two dozen hops, so each text is written only once and
/// then referenced by its number. This takes a sixth of the space of JSON.
struct HopWriter {
  static let version: UInt8 = 1
  private var bytes = ByteWriter(capacity: 4096)
  private var numbers: [String: Int] = [:]

  static func encode(_ hops: [Hop]) -> Data {
    var writer = HopWriter()
    writer.numbers.reserveCapacity(24 + 4 * hops.count)
    writer.bytes.append(byte: version)
    writer.append(hops) { writer, hop in
      for text in [hop.from.rawValue, hop.to.rawValue, hop.actor, hop.action, hop.result] {
        writer.append(text)
      }
      writer.append(hop.sent) { writer, field in
        writer.append(field.name)
        writer.append(field.value)
      }
      writer.append(hop.checks) { writer, check in
        for text in [check.name, check.expected, check.found, check.verdict.rawValue, check.source] {
          writer.append(text)
        }
      }
    }
    // They are at the end, where a program of an earlier version does not read.
    let refused = hops.enumerated().compactMap { index, hop in hop.refusal.map { (index, $0) } }
    let failures = hops.enumerated().flatMap { index, hop in
      hop.checks.enumerated().compactMap { place, check in check.failure.map { (index, place, $0) } }
    }
    guard !refused.isEmpty || !failures.isEmpty else { return writer.bytes.data }
    writer.append(refused) { writer, entry in
      let (index, refusal) = entry
      for text in [
        String(index), refusal.error, refusal.suberror ?? "", refusal.number ?? "",
        refusal.place?.rawValue ?? "",
      ] {
        writer.append(text)
      }
    }
    guard !failures.isEmpty else { return writer.bytes.data }
    writer.append(failures) { writer, entry in
      let (index, place, failure) = entry
      for text in [String(index), String(place), failure] { writer.append(text) }
    }
    return writer.bytes.data
  }

  private mutating func append<T>(_ list: [T], _ write: (inout HopWriter, T) -> Void) {
    bytes.append(count: list.count)
    for element in list { write(&self, element) }
  }

  private mutating func append(_ text: String) {
    if let number = numbers[text] { return bytes.append(count: number) }
    numbers[text] = numbers.count + 1
    bytes.append(count: 0)
    bytes.append(text)
  }
}

/// A decoder for the bytes that `HopWriter` wrote.
struct HopReader {
  /// An error for bytes that are not a list of hops.
  struct Damage: Error {}

  private var bytes: ByteReader
  private var texts: [String] = []

  static func decode(_ data: Data) throws -> [Hop] {
    var reader = HopReader(bytes: ByteReader(data))
    guard reader.bytes.byte() == HopWriter.version else { throw Damage() }
    var hops = try reader.list { try $0.hop() }
    // A trace of an earlier version ends here, as does one in which nothing failed.
    guard let count = reader.bytes.count() else { return hops }
    for _ in 0..<count {
      guard let index = Int(try reader.text()), hops.indices.contains(index) else { throw Damage() }
      let texts = try (0..<4).map { _ in try reader.text() }
      hops[index].refusal = Refusal(
        error: texts[0], suberror: texts[1].isEmpty ? nil : texts[1],
        number: texts[2].isEmpty ? nil : texts[2], place: Refusal.Place(rawValue: texts[3]))
    }
    // The words for failed checks follow since a later version.
    guard let count = reader.bytes.count() else { return hops }
    for _ in 0..<count {
      guard let index = Int(try reader.text()), hops.indices.contains(index),
        let place = Int(try reader.text()),
        hops[index].checks.indices.contains(place)
      else { throw Damage() }
      hops[index].checks[place].failure = try reader.text()
    }
    return hops
  }

  private init(bytes: ByteReader) { self.bytes = bytes }

  private mutating func hop() throws -> Hop {
    guard let from = Party(rawValue: try text()), let to = Party(rawValue: try text()) else { throw Damage() }
    return Hop(
      from: from, to: to, actor: try text(), action: try text(), result: try text(),
      sent: try list { NameValue(try $0.text(), try $0.text()) }, checks: try list { try $0.check() })
  }

  private mutating func check() throws -> Check {
    let (name, expected, found) = (try text(), try text(), try text())
    guard let verdict = Check.Verdict(rawValue: try text()) else { throw Damage() }
    return Check(name, expected: expected, found: found, verdict: verdict, source: try text())
  }

  private mutating func list<T>(_ element: (inout HopReader) throws -> T) throws -> [T] {
    guard let count = bytes.count() else { throw Damage() }
    var list: [T] = []
    for _ in 0..<count { list.append(try element(&self)) }
    return list
  }

  private mutating func text() throws -> String {
    guard let number = bytes.count() else { throw Damage() }
    if number > 0 {
      guard number <= texts.count else { throw Damage() }
      return texts[number - 1]
    }
    guard let text = bytes.string() else { throw Damage() }
    texts.append(text)
    return text
  }
}
