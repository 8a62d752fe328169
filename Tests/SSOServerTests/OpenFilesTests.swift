import SSOLab
import SSOReference
import Testing

@testable import SSOServer

@Suite struct OpenFilesTests {
  @Test(arguments: [1, 2])
  func idleConnectionsAreClosedBeforeAcceptingStops(_ addresses: Int) throws {
    let files = try OpenFiles(addresses: addresses)
    #expect(files.connections < files.perAddress)
    #expect(files.connections >= 8)
  }

  /// The number of open files never exceeds the limit, and a server without room for a connection does not start.
  @Test(arguments: [1, 2], [16, 24, 28, 49, 50, 64, 100, 256, 1024, 4096, 1_000_000])
  func connectionsFitIntoTheLimit(_ addresses: Int, _ limit: Int) throws {
    let needed = 32 + 3 * 2 + 2 * addresses
    guard limit >= needed + 10 * addresses else {
      let error = #expect(throws: LabError.self) {
        try OpenFiles(addresses: addresses, limit: limit, cores: 2)
      }
      #expect(error?.what == "The server cannot start: this process may open \(limit) files.")
      #expect(error?.next == "ulimit -n \(needed + 10 * addresses)")
      return
    }
    let files = try OpenFiles(addresses: addresses, limit: limit, cores: 2)
    #expect(files.perAddress * addresses + needed <= limit)
    #expect(files.connections >= 8 && files.connections < files.perAddress && files.perAddress <= 1280)
  }
}
