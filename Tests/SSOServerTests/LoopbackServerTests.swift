import SSOServer
import Testing

@Suite struct LoopbackServerTests {
  @Test func theServerHasOnlyLoopbackNames() {
    #expect(LoopbackServer.names == ["localhost", "127.0.0.1", "::1"])
  }
}
