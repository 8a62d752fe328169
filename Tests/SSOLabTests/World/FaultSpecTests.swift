import SSOReference
import Testing

@testable import SSOLab
@testable import SSOProvider

@Suite struct FaultSpecTests {
  @Test(arguments: [
    ("token=429:5,times=3", Fault(.token, .throttled(retryAfter: 5), remaining: 3)),
    ("/token=503", Fault(.token, .status(503))),
    (
      "any=invalid_grant:bad_token,client=a=b",
      Fault(.any, .refused(.invalidGrant, suberror: "bad_token"), clientID: "a=b")
    ),
  ])
  func specIsRead(_ spec: String, _ fault: Fault) throws { #expect(try Fault(spec: spec) == fault) }

  @Test(
    arguments: [
      ("tokn=503", "Did you mean token?"), ("token=hagn", "Did you mean hang?"),
      ("token=invalid_grand", "Did you mean invalid_grant?"), ("token=503,tims=3", "Did you mean times?"),
      ("token=503,client=", "\(.serve, with: [.fault: "token=503,client=CLIENT_ID"])"),
      ("token", "\(.serve, with: [.fault: "token=503,times=1"])"),
      ("", "\(.serve, with: [.fault: "token=503,times=1"])"),
      ("token=503,times=0", "\(.addFault, "token", "503", with: [.times: "1"])"),
      ("token=token:signatur", "Did you mean token:signature?"),
    ] as [(String, Advice)])
  func wrongSpecNamesTheNearestWord(_ spec: String, _ next: Advice) {
    let error = #expect(throws: LabError.self) { try Fault(spec: spec) }
    #expect(error?.next == next)
  }
}
