import Foundation
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOProvider
@testable import SSOReference

/// Each error of the broker on Linux has its status, and nothing is written for a request that cannot be read.
@Suite struct LinuxBrokerRefusalTests {
  private typealias World = LinuxBrokerLab

  struct Refusal: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var status: LinuxBrokerStatus
    var more: [String: JSONValue] = [:]
    var before: @Sendable (Lab) throws -> Void = { _ in }
  }

  /// The provider's authorization endpoint would show an error page, so the user is not prompted.
  @Test(
    arguments: [
      (["clientId": "nobody"], AADSTSCode.clientNotFound),
      (["redirectUri": "https://evil.example"], .redirectURINotRegistered),
      (["authority": "https://login.microsoftonline.com/nowhere.example"], .tenantNotFound),
    ] as [([String: JSONValue], AADSTSCode)])
  func aCallThatTheProviderRefusesRaisesNoPicker(_ more: [String: JSONValue], _ code: AADSTSCode) throws {
    let lab = try LinuxBrokerLab()
    let answer = try lab.serve(
      .acquireTokenInteractively,
      LinuxBrokerLab.parameters(LinuxBrokerLab.azure, account: nil, more))
    #expect(answer.error?.status == .incorrectConfiguration)
    #expect(answer.error?.aadsts == code.number)
  }

  static let refusals = [
    Refusal(
      testDescription: "the primary refresh token has expired", status: .interactionRequired,
      before: { _ = try $0.perform(MoveClock(bySeconds: 91 * 86_400)) }),
    Refusal(
      testDescription: "a policy wants a compliant device", status: .interactionRequired,
      before: { lab in
        _ = try lab.perform(SetCompliance(false))
        _ = try lab.perform(SetPolicy(Policy(name: "Guard", requires: .compliantDevice)))
      }),
    Refusal(
      testDescription: "the account is disabled", status: .accountUnusable,
      before: { _ = try $0.perform(EditRecord(.person, record: "ada", [FieldChange("isDisabled=yes")])) }),
    Refusal(
      testDescription: "unknown client", status: .incorrectConfiguration, more: ["clientId": "nobody"]),
    Refusal(
      testDescription: "another redirect URI", status: .incorrectConfiguration,
      more: ["redirectUri": "https://evil.example"]),
    Refusal(
      testDescription: "another cloud", status: .authorityUntrusted,
      more: ["authority": "https://login.microsoftonline.us/common"]),
    Refusal(
      testDescription: "a host that looks like this machine", status: .authorityUntrusted,
      more: ["authority": "https://localhost:80@evil.example/common"]),
    Refusal(
      testDescription: "no https", status: .apiContractViolation,
      more: ["authority": "http://login.microsoftonline.com/common"]),
    Refusal(
      testDescription: "unknown account", status: .accountNotFound, more: ["username": "nobody@contoso.com"]),
    Refusal(
      testDescription: "no connection", status: .noNetwork,
      before: { _ = try $0.perform(AddFault(Fault(.token, .unreachable))) }),
    Refusal(
      testDescription: "the server is down", status: .serverTemporarilyUnavailable,
      before: { _ = try $0.perform(AddFault(Fault(.token, .status(503)))) }),
    Refusal(
      testDescription: "half an answer", status: .networkTemporarilyUnavailable,
      before: { _ = try $0.perform(AddFault(Fault(.token, .truncated(bytes: 20)))) }),
    Refusal(
      testDescription: "another program than those of the list", status: .incorrectConfiguration,
      before: { lab in
        let policy = Policy(name: "Programs", requires: .allowedExecutable, executables: ["/usr/bin/az"])
        _ = try lab.perform(SetPolicy(policy))
      }),
  ]

  @Test(arguments: refusals) func aSilentCallIsRefusedWith(_ refusal: Refusal) throws {
    let world = try LinuxBrokerLab()
    try world.interactive()
    try refusal.before(world.lab)
    let answer = try world.silent(World.azure, ["accessTokenToRenew": "x"].merging(refusal.more) { $1 })
    #expect(answer.error?.status == refusal.status)
    #expect(answer.json.brokerStatus == Int64(refusal.status.number))
    let text = answer.json["brokerTokenResponse"]?["error"]?["context"]?.string
    #expect(text?.isEmpty == false)
  }

  @Test func anAuthorityWithoutATenantIsCommon() throws {
    let world = try LinuxBrokerLab()
    try world.interactive()
    for authority in ["https://login.microsoftonline.com", "https://localhost/", "https://localhost:8443"] {
      let answer = try world.silent(
        World.azure, ["authority": .string(authority), "accessTokenToRenew": "x"])
      #expect(answer.error == nil, "\(authority)")
    }
  }

  @Test func theListOfProgramsLetsItsOwnAndOtherClientsPass() throws {
    let world = try LinuxBrokerLab()
    try world.interactive()
    func set(_ path: String, _ client: String?) throws {
      let policy = Policy(
        name: "Programs", requires: .allowedExecutable, clientID: client, executables: [path])
      _ = try world.lab.perform(SetPolicy(policy))
    }
    try set("/usr/bin/python3.11", nil)
    #expect(try world.silent().error == nil)
    try set("/usr/bin/az", World.azure)
    #expect(try world.silent().error?.status == .incorrectConfiguration)
    #expect(try world.silent(WellKnownClients.azurePowerShell).error == nil)
    let trace = try world.lab.read { reader in
      try reader.traces.rows().lazy.compactMap { try? reader.traces.trace($0.id) }.first {
        $0.outcome?.failedCheck != nil
      }
    }
    #expect(trace?.outcome?.failedCheck?.name == "policy “Programs”: allowed program")
  }

  @Test(arguments: [
    "", "no JSON", "[]", "{", "{\"authParameters\":5}", "{\"authParameters\":{}}",
    "{\"authParameters\":{\"clientId\":5}}", "{\"authParameters\":{\"clientId\":\"a\",\"redirectUri\":[]}}",
    "{\"authParameters\":{\"clientId\":\"a\",\"redirectUri\":\"b\",\"requestedScopes\":[1]}}",
    "{\"authParameters\":{\"clientId\":\"a\",\"redirectUri\":\"b\",\"account\":\"c\"}}",
    String(repeating: "{\"a\":", count: 5000), "{\"a\":\"" + String(repeating: "x", count: 70_000) + "\"}",
  ])
  func aRequestThatCannotBeReadWritesNothing(_ body: String) throws {
    let world = try LinuxBrokerLab()
    let before = try world.lab.read { try $0.traces.rows() }.count
    for method in LinuxBrokerMethod.allCases where method.givesTokens {
      let call = LinuxBrokerCall(
        method, correlationID: String(repeating: "x", count: 1000), body: body, caller: World.caller)
      #expect(try world.serve(call).error?.status == .apiContractViolation)
    }
    #expect(try world.lab.read { try $0.traces.rows() }.count == before)
    #expect(try world.lab.read { try $0.provider.waitingSignIns() }.isEmpty)
  }

  @Test(arguments: LinuxBrokerStatus.allCases)
  func aFaultGivesEveryStatusOnce(_ status: LinuxBrokerStatus) throws {
    let world = try LinuxBrokerLab()
    try world.interactive()
    let endpoint = try Fault.Endpoint(named: "broker:acquiretokensilently")
    let fault = Fault(
      endpoint, try Fault.Kind(named: String(status.number), at: endpoint), clientID: World.azure,
      remaining: 1)
    _ = try world.lab.perform(AddFault(fault))
    #expect(try world.silent(WellKnownClients.azurePowerShell).error == nil, "another client")
    #expect(try world.silent().json.brokerStatus == Int64(status.number))
    #expect(try world.silent().error == nil)
  }

  @Test(arguments: [("token", "2"), ("broker:getAccounts", "503"), ("any", "7")])
  func aFaultHappensWhereItCan(_ endpoint: String, _ kind: String) throws {
    let place = try Fault.Endpoint(named: endpoint)
    let fault = Fault(place, try Fault.Kind(named: kind, at: place))
    #expect(throws: LabError.self) { try LinuxBrokerLab().lab.perform(AddFault(fault)) }
  }

  @Test func everyMethodCanFail() throws {
    for method in LinuxBrokerMethod.allCases {
      #expect(Fault.Endpoint(rawValue: "broker:" + method.rawValue) != nil)
    }
    #expect(Fault.Endpoint.allCases.filter(\.isOfBroker).count == LinuxBrokerMethod.allCases.count)
  }

  @Test func thePolicyTakesPathsAndNoPerson() throws {
    let world = try LinuxBrokerLab()
    for policy in [
      Policy(name: "A", requires: .allowedExecutable),
      Policy(name: "A", requires: .compliantDevice, executables: ["/usr/bin/az"]),
      Policy(
        name: "A", requires: .allowedExecutable, username: World.ada, executables: ["/usr/bin/az"]),
    ] {
      #expect(throws: LabError.self) { try world.lab.perform(SetPolicy(policy)) }
    }
  }

  /// A process ID says nothing about a broker on another machine.
  @Test(arguments: TestEngine.allCases)
  func callsOfABrokerThatHasEndedNoLongerWait(_ engine: TestEngine) throws {
    let world = try LinuxBrokerLab(on: engine)
    let ended = MachineProcess(machine: .own, id: .max)
    let elsewhere = MachineProcess(machine: Machine("elsewhere"), id: .max)
    let namesakes = MachineProcess(machine: Machine("elsewhere"), id: MachineProcess.own.id)
    for broker in [.own, ended, elsewhere, namesakes] {
      var call = World.call(.acquireTokenInteractively, World.parameters(account: nil))
      call.broker = broker
      _ = try LinuxBrokerCalls(world.lab).serve(call, approval: .terminal)
    }
    func waiting() throws -> Int { try world.lab.read { try $0.provider.waitingSignIns() }.count }
    try LinuxBrokerCalls(world.lab).endOrphanedCalls()
    #expect(try waiting() == 3)
    try LinuxBrokerCalls(world.lab).endCalls { $0 == .own }
    #expect(try waiting() == 2)
  }
}
