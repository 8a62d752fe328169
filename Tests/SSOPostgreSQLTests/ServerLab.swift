import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOStore

/// Tests of a lab on a server, each with its own lab that contains a text.
protocol ServerLab {
  var store: WorldStore { get }
}

extension ServerLab {
  static func made() throws -> (LabAddress, WorldStore) {
    let address = try PostgresCluster.shared().address()
    let store = try WorldStore.open(.server(address), create: true)
    try put("before", store)
    return (address, store)
  }

  private static func put(_ text: String, _ store: WorldStore) throws {
    try store.write(JournalEntry(intent: "put", at: noon)) { try $0.put(Data(text.utf8), .lab, "") }
  }

  func put(_ text: String) throws { try Self.put(text, store) }

  func text() throws -> String? {
    try store.read { try $0.document(.lab, "") }.map { String(decoding: $0, as: UTF8.self) }
  }

  func trouble(_ body: () throws -> Void) throws -> PostgresError {
    let error = try #require(throws: StoreError.self) { try body() }
    guard case .server(_, let trouble) = error else { throw error }
    return trouble
  }
}
