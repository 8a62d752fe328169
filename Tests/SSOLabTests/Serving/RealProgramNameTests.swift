import Foundation
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOLab
@testable import SSOProvider

/// The users and names that the lists show for an external client.
@Suite struct RealProgramNameTests {
  private let program: ServedLab
  private var lab: Lab { program.lab }

  init() throws { program = try ServedLab() }

  /// An ID token without the scope `profile` does not contain the user, but the access token does.
  @Test func whoSignedInIsKnownWithoutAProfileToo() throws {
    func narrow(_ request: SSOCore.HTTPRequest) -> SSOCore.HTTPRequest {
      var request = request
      let scope = NameValue("scope", "User.Read openid offline_access")
      request.query = request.query.map { $0.name == "scope" ? scope : $0 }
      request.form = request.form.filter { $0.name != "client_info" }.map { $0.name == "scope" ? scope : $0 }
      return request
    }
    let approval = Approval.automatic(username: ServedLab.ada)
    let answer = try lab.serve(narrow(program.authorize), approval: approval).answer
    let tokens = program.token([
      NameValue("grant_type", "authorization_code"),
      NameValue("code", URLParts(answer.http.location ?? "")?.fields?["code"] ?? "none"),
      NameValue("redirect_uri", program.redirect), NameValue("code_verifier", ProviderLab.verifier),
    ])
    #expect(try lab.serve(narrow(tokens), approval: .browser).answer.http.status == 200)
    let row = try #require(try lab.read { try $0.apps.rows() }.first { $0.kind == .real })
    #expect(row.accounts == [ServedLab.ada] && row.refreshToken.state == .valid)
  }

  /// The program is in the list of apps, but no intent can make a call for it.
  @Test(arguments: ["lab public", ServedLab.client]) func aRealProgramIsNamedAsOne(_ name: String) throws {
    _ = try program.signIn()
    let error = #expect(throws: LabError.self) { try lab.read { try $0.app(name) } }
    #expect(error?.what == "Lab Public App is a real program, not an app of the lab.")
  }
}
