extension LabReader {
  /// The lab's people, clients and apps, to be known behind the masks of a log.
  package func knownPeople() throws -> KnownPeople {
    var known = KnownPeople()
    for person in try directory.people().prefix(2000) {
      known.add(username: person.username, homeAccountID: person.clientInfo.homeAccountID)
    }
    for app in installed {
      known.add(app.clientID, as: app.bundleID)
      known.add(app.redirectURI, as: app.bundleID)
    }
    return known
  }
}

extension Lab {
  /// Keeps traces that were read from a log or a recording beside the lab's own.
  ///
  /// They change nothing else, so there is nothing to undo.
  /// - Returns: their numbers in the store.
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
