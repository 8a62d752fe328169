import Foundation
import SSOReference
import Testing

@testable import LabTestSupport
@testable import SSOCore
@testable import SSODevice
@testable import SSOLab
@testable import SSOScenarios

/// The articles' world with Linux programs that call its broker in the way that MSAL Python does with MSALRuntime.
struct LinuxBrokerLab {
  static let ada = "ada@contoso.com"
  static let objectID = "2c8f0c6e-4b1d-4f7a-8e35-90ad1b7e6f21"
  static let tenantID = "5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90"
  static let homeID = objectID + "." + tenantID
  /// The client ID of Azure CLI, which does not ask for consent.
  static let azure = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  /// The client ID of a program that asks for consent.
  static let publicApp = "33333333-cccc-4ccc-8ccc-333333333333"
  static let native = "https://login.microsoftonline.com/common/oauth2/nativeclient"
  static let caller = LinuxCaller(
    connection: ":1.7", userID: 1000, processID: 4711, executable: "/usr/bin/python3.11")
  static let typed: [Answer] = [.account(homeAccountID: homeID), .password("analytical-engine")]

  let lab: Lab

  init(on engine: TestEngine = .sqlite, _ change: (inout LabWorld) -> Void = { _ in }) throws {
    var file = try ScenarioLibrary().scenario("contoso-suite")
    change(&file.world)
    lab = try engine.lab(file)
    try lab.registerExternalClients()
  }

  static func parameters(
    _ client: String = azure, account: String? = ada, _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    var fields: [String: JSONValue] = [
      "accessTokenToRenew": "", "authority": .string("https://login.microsoftonline.com/" + tenantID),
      "authorizationType": .integer(1), "clientId": .string(client), "decodedClaims": "",
      "additionalQueryParametersForAuthorization": [
        "msal_client_sku": "MSAL.Python", "msal_client_ver": "1.39.0",
      ],
      "popParams": .null, "redirectUri": .string(native), "requestedScopes": ["User.Read"],
      "username": account.map(JSONValue.string) ?? "", "uxContextHandle": .integer(-1),
    ]
    fields.merge(more) { $1 }
    return ["authParameters": .object(fields)]
  }

  static func call(_ method: LinuxBrokerMethod, _ body: JSONValue) -> LinuxBrokerCall {
    LinuxBrokerCall(
      method, correlationID: "8a3c5d2e-0000-4000-8000-000000000001", body: body.text(.wire), caller: caller)
  }

  func serve(
    _ method: LinuxBrokerMethod, _ body: JSONValue, approval: Approval = .terminal
  ) throws -> LinuxBrokerAnswer {
    try serve(Self.call(method, body), approval: approval)
  }

  func serve(_ call: LinuxBrokerCall, approval: Approval = .terminal) throws -> LinuxBrokerAnswer {
    guard case .answered(let answer, _) = try LinuxBrokerCalls(lab).serve(call, approval: approval) else {
      Issue.record("the call waits")
      return LinuxBrokerAnswer(LinuxBrokerError(.unexpected, "waits"), for: call.method)
    }
    return answer
  }

  func silent(_ client: String = azure, _ more: [String: JSONValue] = [:]) throws -> LinuxBrokerAnswer {
    try serve(.acquireTokenSilently, Self.parameters(client, more))
  }

  /// Holds an interactive call, and lets the user answer it.
  @discardableResult
  func interactive(
    _ client: String = azure, _ more: [String: JSONValue] = [:], answers: [Answer] = typed
  ) throws -> (JSONValue, Outcome) {
    let call = Self.call(.acquireTokenInteractively, Self.parameters(client, account: nil, more))
    guard case .waits(let id, let name) = try LinuxBrokerCalls(lab).serve(call, approval: .terminal) else {
      Issue.record("the call does not wait")
      return (.null, Outcome(.failed, ""))
    }
    #expect(try LinuxBrokerCalls(lab).answer(toWaiting: id) == nil)
    guard case .done(let outcome, _) = try lab.perform(AnswerSignIn(id: id, client: name), answers: answers)
    else {
      Issue.record("an answer is missing")
      return (.null, Outcome(.failed, ""))
    }
    let answer = try #require(try LinuxBrokerCalls(lab).answer(toWaiting: id))
    return (answer, outcome)
  }
}

extension JSONValue {
  /// The status of a rejected token call, or -1.
  var brokerStatus: Int64? { self["brokerTokenResponse"]?["error"]?["status"]?.integer }
  var brokerToken: String? { self["brokerTokenResponse"]?["accessToken"]?.string }
}
