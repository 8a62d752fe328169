import SSOStore
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOScenarios
@testable import SSOServer

/// The ports that a lab records have a meaning on only one machine.
struct EndedPortTests {
  private func lab(_ engine: TestEngine) throws -> Lab {
    let lab = try engine.lab(try ScenarioLibrary().scenario("contoso-suite"))
    try lab.registerExternalClients()
    return lab
  }

  /// Returns the state of a sign-in that a browser on this machine sent to a server on this port.
  private func ended(_ lab: Lab, port: Int, on machine: Machine?) throws -> String? {
    let request = HTTPRequest(
      "GET", origin: "https://localhost:\(port)", path: "/contoso.com/oauth2/v2.0/authorize",
      query: [
        NameValue("client_id", "33333333-cccc-4ccc-8ccc-333333333333"), NameValue("response_type", "code"),
        NameValue("redirect_uri", "https://login.microsoftonline.com/common/oauth2/nativeclient"),
        NameValue("scope", "User.Read"), NameValue("code_challenge_method", "S256"),
        NameValue("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
      ])
    let served = lab.serve([lab.request(request, approval: .terminal, browserMachine: machine)])
    try #require(try served[0].get().startsWaiting)
    return try #require(try lab.read { try $0.provider.waitingSignIns() }.markedIfEnded().last).ended
  }

  @Test(arguments: TestEngine.allCases)
  func onlyTheMachineOfASignInCanSayThatItsServerHasEnded(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    let free = try FreePort(0, on: [.ipv4]).port
    #expect(try ended(lab, port: free, on: Machine("elsewhere")) == nil)
    #expect(try ended(lab, port: free, on: nil) == nil)
    #expect(
      try ended(lab, port: free, on: .own) == "its server has ended: nothing listens on port \(free)")
  }

  /// The header and `status` count the sign-ins for whose answer a program or page still waits.
  @Test func aSignInThatHasEndedDoesNotCountAsWaiting() throws {
    let lab = try lab(.sqlite)
    let free = try FreePort(0, on: [.ipv4]).port
    _ = try ended(lab, port: free, on: Machine("elsewhere"))
    _ = try ended(lab, port: free, on: .own)
    #expect(try lab.status().waitingCount == 2)
    #expect(try LabStatus.ofThisMachine(lab).waitingCount == 1)
  }

  @Test(arguments: TestEngine.allCases)
  func thePortIsThatOfThisMachinesServer(_ engine: TestEngine) throws {
    let lab = try lab(engine)
    func port() throws -> Int? { try lab.read { try $0.provider.notedServerPort() } }
    func note(_ port: Int, on machine: Machine) throws {
      try lab.store.write(nil) { try ServerNote(port: port, runsOn: machine).keep(in: $0) }
    }
    #expect(try port() == nil)
    try note(8444, on: Machine("elsewhere"))
    #expect(try port() == 8444)
    try lab.noteServer(port: 8443)
    try note(8445, on: Machine("a third"))
    #expect(try port() == 8443)
    try lab.noteServer(port: 8446)
    #expect(try port() == 8446)
  }

  /// The note has the format of an earlier version.
  @Test func aNoteWithoutAMachineIsRead() throws {
    let lab = try lab(.sqlite)
    try lab.store.write(nil) { try $0.write(["port": 8450], .server, ServerNotes.key) }
    #expect(try lab.read { try $0.provider.notedServerPort() } == 8450)
    try lab.noteServer(port: 8443)
    #expect(try lab.read { try $0.provider.notedServerPort() } == 8443)
  }
}
