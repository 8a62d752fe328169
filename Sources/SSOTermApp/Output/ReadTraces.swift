import SSOCore
import SSODevice
import SSOLab
import SSOProvider
import SSOReading
import SSOStore

extension KnownPeople {
  /// Creates the names of the lab's users, clients, and apps, to recognise them behind the masks of a log.
  /// - Throws: `StoreError`.
  package init(of reader: LabReader) throws {
    self.init()
    for person in try reader.directory.people().prefix(2000) {
      add(username: person.username, homeAccountID: person.clientInfo.homeAccountID)
    }
    for app in reader.installed {
      add(app.clientID, as: app.bundleID)
      add(app.redirectURI, as: app.bundleID)
    }
  }
}

extension Lab {
  /// Stores traces that were read from a log or a recording next to the lab's own traces.
  ///
  /// They change nothing else, so there is nothing to undo.
  /// - Returns: The numbers of the traces in the store.
  @discardableResult
  package func keep(_ traces: [Trace]) throws -> [Int64] {
    try checkWritable()
    return try store.write(nil) { transaction in
      try traces.map { trace in
        try transaction.append(
          trace: TraceRecord(
            title: trace.summary.title, correlationID: trace.summary.correlationID, at: trace.summary.at,
            outcome: trace.outcome?.encoded ?? "{}", hops: trace.hops))
      }
    }
  }
}
