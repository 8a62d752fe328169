import Foundation
import Testing

@testable import SSOKeychain
@testable import SSOStore

/// The index that finds the items of a query.
///
/// With a hundred thousand items of a type, the wrong index leads to a scan.
struct QueryPlanTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var query: KeychainQuery
    var index: String
    var columns: [String]
    /// Whether the index has the rows in the order of their IDs, so that a limited query reads only the rows that it
    /// returns.
    var isSorted: Bool
    var testDescription: String { name }
  }

  static let queries = [1, 3].flatMap { count -> [Case] in
    let groups = (0..<count).map { "TEAM.\($0)" }
    let generic = Data("g".utf8)
    let place = ["device", "access_group"]
    return [
      Case(
        name: "generic attribute and type in \(count) groups",
        query: KeychainQuery(accessGroups: groups, generic: generic, type: 2002, limit: 1),
        index: "item_type_generic", columns: place + ["type", "generic"], isSorted: count == 1),
      Case(
        name: "generic attribute and no type in \(count) groups",
        query: KeychainQuery(accessGroups: groups, generic: generic), index: "item_type_generic",
        columns: place + ["type", "generic"], isSorted: count == 1),
      Case(
        name: "type and service in \(count) groups",
        query: KeychainQuery(accessGroups: groups, service: "s", type: 3001),
        index: count == 1 ? "item_type_generic" : "item_type",
        columns: count == 1 ? place + ["type"] : ["device", "type"], isSorted: count > 1),
    ]
  }

  @Test(arguments: queries) func queryTakesItsIndex(_ test: Case) throws {
    let selection = ItemSelection(test.query, device: "phone")
    let columns = test.columns.map { $0 + "=?" }.joined(separator: " AND ")
    let sorting = test.isSorted ? [] : ["USE TEMP B-TREE FOR ORDER BY"]
    #expect(
      try plan(selection.sql, selection.values)
        == ["SEARCH item USING INDEX \(test.index) (\(columns))"] + sorting)
  }

  @Test(arguments: [(ItemSQL.findAccount, ["account"]), (ItemSQL.find, ["account", "service"])])
  func accountIsFoundByItsKey(_ sql: String, more: [String]) throws {
    let columns = (["device", "access_group", "class"] + more).map { $0 + "=?" }.joined(separator: " AND ")
    let values = Array(repeating: "x", count: 3 + more.count)
    #expect(
      try plan(sql, values) == ["SEARCH item USING INDEX sqlite_autoindex_item_1 (\(columns))"])
  }

  private func plan(_ sql: String, _ values: [any SQLBindable]) throws -> [String] {
    let store = try WorldStore.open(.memory, create: true)
    return try store.locked { connection in
      try connection.all("EXPLAIN QUERY PLAN " + sql, values) { row throws(StoreError) in try row[3] }
    }
  }
}
