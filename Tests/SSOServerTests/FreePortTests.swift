import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOServer

@Suite struct FreePortTests {
  /// A port counts as taken only while a program listens on it.
  @Test(arguments: [Int32(AF_INET), Int32(AF_INET6)]) func onlyAPortThatIsListenedOnIsTaken(_ family: Int32)
    throws
  {
    let free = try FreePort(0, on: LoopbackAddress.allCases)
    #expect(FreePort.isTaken(free.port) == false, "bound, and not listened on")
    let listener = try #require(LoopbackListener(family: family))
    #expect(FreePort.isTaken(listener.port) == true)
    listener.end()
    #expect(FreePort.isTaken(listener.port) == false)
  }

  @Test(arguments: [-1, 0, 65_536]) func whatIsNoPortIsNotKnown(_ port: Int) {
    #expect(FreePort.isTaken(port) == nil)
  }
}
