import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOStore

/// The same seed produces the same world and traces, whichever database stores them.
struct SameOnBothEnginesTests {
  private static let library = ScenarioLibrary()

  @Test(arguments: library.names()) func aScenarioEndsTheSame(name: String) throws {
    let file = try Self.library.scenario(name)
    let labs = try TestEngine.allCases.map { try $0.lab(file) }
    let reports = labs.map { "\($0.run(file))" }
    #expect(reports[0] == reports[1])
    let worlds = try labs.map { lab in
      let devices = try lab.store.read { try $0.documentKeys(.device) }.sorted()
      let groups = try lab.read { reader in try reader.accessGroups() }
      return try Dump(lab.store, devices: devices, groups: groups)
    }
    #expect(worlds[0] == worlds[1])
    let counts = try labs.map { lab in
      try lab.store.read { reading in
        try reading.documentKeys(.device).sorted().map { device in
          let items = reading.items(ofDevice: device)
          #expect(try items.itemCount(type: 2001) == items.rowCount(type: 2001))
          return Set(try items.credentialCounts())
        }
      }
    }
    #expect(counts[0] == counts[1])
    let traces = try labs.map { lab in
      try lab.store.read { reading in
        try reading.traces(limit: 1000).compactMap { try reading.trace(id: $0.id) }
      }
    }
    #expect(traces[0] == traces[1])
  }
}

extension DeviceItems {
  /// Returns the number of items, determined by counting them.
  fileprivate func rowCount(type: Int) throws -> Int {
    var count = 0
    try scanItems(type: type) { _ in
      count += 1
      return true
    }
    return count
  }
}
