import Testing

@testable import SSOTerm

struct ExportHostTests {
  @Test(arguments: [
    ("localhost", "localhost"), ("localhost:8443", "localhost"),
    ("https://localhost:8443/contoso.com", "localhost"),
    ("login.microsoftonline.com", "login.microsoftonline.com"), ("127.0.0.1:8443", "127.0.0.1"), ("", ""),
  ])
  func entriesAreForAHostWithoutItsPort(_ typed: String, _ host: String) {
    #expect(ExportCommand.host(of: typed) == host)
  }
}
