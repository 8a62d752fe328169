@testable import SSODevice
@testable import SSOKeychain
@testable import SSOLab
@testable import SSOProvider

/// The rows about a server that is down, slow, or rejects requests.
extension SilentBranchTests {
  static let down = ["configuration 200", "token 503", "token 503"]

  static let outageBranches = [
    Branch(
      testDescription: "one 503 is retried",
      before: { try $0.fault(.token, "503", times: 1) }, force: true, gives: refreshedBySelf,
      asked: ["configuration 200", "token 503", "token 200"]),
    Branch(
      testDescription: "503 twice", before: { try $0.fault(.token, "503") }, force: true,
      gives: "MSALErrorDomain -42007 service unavailable", failed: "no fault is set", asked: down),
    Branch(
      testDescription: "no connection", before: { try $0.fault(.token, "unreachable") }, force: true,
      gives: "NSURLErrorDomain -1004 Could not connect to the server.",
      asked: ["configuration 200", "token no connection", "token no connection"]),
    Branch(
      testDescription: "an answer that breaks off", before: { try $0.fault(.token, "truncated:20") },
      force: true, gives: "NSCocoaErrorDomain 3840 Unexpected end of file", failed: "response is JSON",
      asked: ["configuration 200", "token 200"]),
    Branch(
      testDescription: "an OpenID configuration that breaks off",
      before: { try $0.fault(.configuration, "truncated:20") }, force: true,
      gives: "NSCocoaErrorDomain 3840 Unexpected end of file", asked: ["configuration 200"]),
    Branch(
      testDescription: "429 is not retried", before: { try $0.fault(.token, "429:30") }, force: true,
      gives: "MSALErrorDomain -42007 too many requests", asked: ["configuration 200", "token 429"]),
    Branch(
      testDescription: "past refresh_on with the server down",
      before: { lab in
        try lab.set(.accessToken, .refreshOn, secondsFromNow: -1)
        try lab.fault(.token, "503")
      }, gives: fromCache, asked: down),
    Branch(
      testDescription: "past refresh_on with no connection",
      before: { lab in
        try lab.set(.accessToken, .refreshOn, secondsFromNow: -1)
        try lab.fault(.token, "unreachable")
      }, gives: "NSURLErrorDomain -1004 Could not connect to the server.",
      asked: ["configuration 200", "token no connection", "token no connection"]),
    Branch(
      testDescription: "past refresh_on with a refused refresh token",
      before: { lab in
        try lab.set(.accessToken, .refreshOn, secondsFromNow: -1)
        try lab.fault(.token, "invalid_grant")
      }, gives: needsPerson, asked: ["configuration 200", "token 400 invalid_grant AADSTS70000"]),
    Branch(
      testDescription: "extended lifetime, server down, 1 s left",
      world: {
        $0.apps[0].extendedLifetimeEnabled = true
        $0.registrations[0].extExpiresIn = 7200
      },
      before: { lab in
        try lab.wait(7199)
        try lab.fault(.token, "503")
      }, gives: fromCache, asked: down),
    Branch(
      testDescription: "extended lifetime is over",
      world: {
        $0.apps[0].extendedLifetimeEnabled = true
        $0.registrations[0].extExpiresIn = 7200
      },
      before: { lab in
        try lab.wait(7200)
        try lab.fault(.token, "503")
      }, gives: "MSALErrorDomain -42007 service unavailable", asked: down),
    Branch(
      testDescription: "extended lifetime that the app does not want",
      world: { $0.registrations[0].extExpiresIn = 7200 },
      before: { lab in
        try lab.wait(4000)
        try lab.fault(.token, "503")
      }, gives: "MSALErrorDomain -42007 service unavailable", asked: down),
    Branch(
      testDescription: "extended lifetime needs a 5xx, not a dead line",
      world: {
        $0.apps[0].extendedLifetimeEnabled = true
        $0.registrations[0].extExpiresIn = 7200
      },
      before: { lab in
        try lab.wait(4000)
        try lab.fault(.token, "unreachable")
      }, gives: "NSURLErrorDomain -1004 Could not connect to the server.",
      asked: ["configuration 200", "token no connection", "token no connection"]),
    Branch(
      testDescription: "the OpenID configuration cannot be loaded",
      before: { try $0.fault(.configuration, "500") }, force: true,
      gives: "MSALErrorDomain -42007 internal server error",
      asked: ["configuration 500", "configuration 500"]),
    Branch(
      testDescription: "instance discovery without a connection, in a new process",
      before: { lab in
        try lab.perform(EndApp(app: SilentLab.app))
        try lab.fault(.discovery, "unreachable")
      }, gives: "NSURLErrorDomain -1004 Could not connect to the server.",
      asked: ["discovery no connection", "discovery no connection"]),
    Branch(
      testDescription: "a known authority without a connection: only the typed host is looked under",
      world: { $0.apps[0].knownAuthorities = ["https://login.microsoftonline.com/common"] },
      before: { lab in
        try lab.perform(EndApp(app: SilentLab.app))
        try lab.fault(.discovery, "unreachable")
      },
      gives:
        "MSALErrorDomain -50002 No token matching arguments found in the cache, user interaction is required",
      asked: ["discovery no connection", "discovery no connection"]),
  ]

  static let refusalBranches = [
    Branch(
      testDescription: "invalid_grant", before: { try $0.fault(.token, "invalid_grant") }, force: true,
      gives: needsPerson, asked: ["configuration 200", "token 400 invalid_grant AADSTS70000"]),
    Branch(
      testDescription: "any other OAuth error", before: { try $0.fault(.token, "temporarily_unavailable") },
      force: true, gives: needsPerson,
      asked: ["configuration 200", "token 400 temporarily_unavailable AADSTS90006"]),
    Branch(
      testDescription: "invalid_scope is final", before: { try $0.fault(.token, "invalid_scope") },
      force: true, gives: "MSALErrorDomain -42005 AADSTS70011: A fault set in the lab refuses this request.",
      asked: ["configuration 200", "token 400 invalid_scope AADSTS70011"]),
    Branch(
      testDescription: "invalid_client is final", before: { try $0.fault(.token, "invalid_client") },
      force: true,
      gives: "MSALErrorDomain -42003 AADSTS7000215: A fault set in the lab refuses this request.",
      asked: ["configuration 200", "token 401 invalid_client AADSTS7000215"]),
    Branch(
      testDescription: "unauthorized_client with protection_policy_required",
      before: { try $0.fault(.token, "unauthorized_client:protection_policy_required") }, force: true,
      gives: "MSALErrorDomain -50004 AADSTS53005: A fault set in the lab refuses this request.",
      asked: ["configuration 200", "token 400 unauthorized_client AADSTS53005"]),
    Branch(
      testDescription: "unauthorized_client alone can be mended by a person",
      before: { try $0.fault(.token, "unauthorized_client") }, force: true, gives: needsPerson,
      asked: ["configuration 200", "token 400 unauthorized_client AADSTS700016"]),
    Branch(
      testDescription: "fewer scopes granted than asked",
      world: { $0.registrations[0].declinedScopes = ["Mail.Read"] },
      before: { lab in
        let intent = SignIn(
          app: SilentLab.app, account: "ada@contoso.com", scopes: ["Mail.Read"], prompt: .whenRequired)
        _ = try lab.lab.perform(intent, answers: [.accept, .accept])
      }, scopes: ["User.Read", "Mail.Read"],
      gives: "MSALErrorDomain -50003 Server returned less scopes than requested",
      failed: "granted scopes include the requested ones", asked: refreshed),
    Branch(
      testDescription: "a tenant of another cloud",
      before: { lab in
        let change = try FieldChange("cloudHost=login.microsoftonline.us")
        _ = try lab.lab.perform(EditRecord(.tenant, record: "Contoso", [change]))
      }, force: true,
      gives:
        "MSALErrorDomain -50002 User interaction is required (unable to use token from a different cloud).",
      failed: "token endpoint is of the account's cloud", asked: ["configuration 200"]),
  ]
}
