import Testing

@testable import SSOServer

@Suite struct OpenFilesTests {
  @Test(arguments: [1, 2])
  func idleConnectionsAreClosedBeforeAcceptingStops(_ addresses: Int) {
    let files = OpenFiles(addresses: addresses)
    #expect(files.connections < files.perAddress)
    #expect(files.connections >= 8)
  }
}
