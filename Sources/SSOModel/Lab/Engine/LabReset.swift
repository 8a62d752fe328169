import Essentials
import SSOCore
import SSOKeychain
import SSOStore

extension Lab {
  /// Replaces this lab's state, as one change that can be undone.
  ///
  /// The traces are kept, and so is everything that a running server and its clients depend on: its port, its
  /// certificates, and the signing keys, unless the new state has signed with its own.
  ///
  /// - Parameters:
  ///   - name: The name of the new state, for the journal.
  ///   - build: Writes the new state into an empty lab with this lab's clock.
  /// - Throws: `LabError` for a read-only lab, `StoreError`, and the error of `build`; in all cases, nothing is
  ///   changed.
  package func reset(named name: String, _ build: (Lab) throws -> Void) throws {
    try checkWritable()
    let start = Lab(store: try WorldStore.open(.memory, create: true), clock: clock)
    try build(start)
    let (documents, items) = try start.store.read { (try $0.allDocuments(), try $0.itemsByDevice()) }
    let entry = JournalEntry(intent: "reset to \(name)", at: clock())
    try store.write(entry) { transaction in
      for (device, items) in try transaction.itemsByDevice() {
        let credentials = transaction.credentials(device: device)
        for item in items { try credentials.delete(item.key) }
      }
      for (kind, rows) in documents {
        if kind == .signingKey, rows.isEmpty { continue }
        let kept = Set(rows.map(\.key))
        for (key, _) in try transaction.documents(kind, keyPrefix: "") where !kept.contains(key) {
          try transaction.delete(kind, key)
        }
        for (key, body) in rows { try transaction.put(body, kind, key) }
      }
      for (device, items) in items {
        let credentials = transaction.credentials(device: device)
        for item in items { try credentials.insert(item) }
      }
    }
  }
}

extension StoreTransaction {
  /// The documents of a running server, and of its traces.
  private static let ofTheServer: Set<DocumentKind> = [.certificateAuthority, .server, .traceNote]

  fileprivate func allDocuments() throws -> [(kind: DocumentKind, rows: [(key: String, body: Data)])] {
    try DocumentKind.allCases.filter { !Self.ofTheServer.contains($0) }.map {
      ($0, try documents($0, keyPrefix: ""))
    }
  }

  /// Returns the keychain items of each device of the lab.
  fileprivate func itemsByDevice() throws -> [(device: String, items: [KeychainItem])] {
    try documents(.device, keyPrefix: "").map { device, _ in
      let groups = try items(ofDevice: device).accessGroups()
      let items = try KeychainClass.allCases.flatMap {
        try credentials(device: device).items(matching: KeychainQuery(accessGroups: groups, itemClass: $0))
      }
      return (device, items)
    }
  }
}
