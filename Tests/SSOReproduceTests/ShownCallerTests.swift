import Foundation
import SSOCore
import SSODevice
import SSOLab
import Testing

@testable import SSOReproduce

/// The callers of mail programs, editors, bots, and programs in Python, and texts that show less than they seem to.
struct ShownCallerTests {
  private static let answer =
    #"{"error":"invalid_grant","error_description":"AADSTS700082: The refresh token has expired."}"#

  @Test(arguments: [
    (
      "sasl-xoauth2: TokenStore::Refresh: HTTP error 400: ",
      "a mail program, a program without a secret, refresh token"
    ),
    (
      "at lamp (/home/lee/.vscode/extensions/wingtip.lamp-1.2.0/lamp.js:1:2)\n",
      "Visual Studio Code, a program without a secret"
    ),
    (
      "Encoding `client_id` \"lamp\" with `client_secret` as Basic auth credentials.\ngrant_type=refresh_token\n",
      "a program in Python, a web server, refresh token"
    ),
    ("$ pac solution export\nrefresh_token: ", "Power Platform CLI, a program without a secret"),
    (
      "msal.application: Cache attempts an RT\ncli.azure.cli.core._profile: failed: ",
      "Azure CLI, a program without a secret, refresh token"
    ),
    (
      "2026-03-02 [info] [getAllSessionsForPca] failed: ",
      "Visual Studio Code, a program without a secret"
    ),
  ])
  func aCallerIsRead(_ text: String, _ words: String) {
    let result = reproduce(text + Self.answer)
    #expect(result.facts.first { $0.name == .caller }?.value == words)
    #expect(result.verdict == .reproduced && result.assumedCaller == nil, "\(result.difference ?? "")")
  }

  /// Azure CLI advises another way to sign in (azure-cli, `azure/cli/command_modules/profile/custom.py`).
  @Test(arguments: [
    "A web browser has been opened. If no web browser is available, use device code flow with `az login --use-device-code`.\n",
    "az login\nFor old experience with device code, use \"az login --use-device-code\"\n",
  ])
  func anAdviceIsNotTheCall(_ text: String) {
    let result = reproduce(text + Self.answer)
    let caller = result.facts.first { $0.name == .caller }?.value
    #expect(caller?.contains("program without a secret") == true && caller?.contains("device") == false)
  }

  /// Go's libraries are those of servers and of commands, and Flutter's log is a phone's.
  @Test(arguments: [
    ("oauth2: cannot fetch token: 400 Bad Request\nResponse: ", "a program in Go"),
    ("adal: Refresh request failed. Status Code = '400'. Response body: ", "a program in Go"),
    (
      "  File \"/usr/lib/python3/site-packages/requests_oauthlib/oauth2_session.py\", line 4, in refresh_token\n",
      "a program in Python, refresh token"
    ),
  ])
  func aLibraryIsNotAKindOfProgram(_ text: String, _ words: String) {
    let result = reproduce(text + Self.answer)
    #expect(result.facts.first { $0.name == .caller }?.value == words)
    #expect(result.assumedCaller != nil && result.scenario?.contains("programs:") == true)
  }

  @Test func aLineOfFluttersLogIsAnAndroidPhones() {
    let result = reproduce("I/flutter ( 5520): AADSTS50105: The signed in user is not assigned to a role")
    #expect(result.scenario?.contains("platform: Android") == true)
  }

  /// A bot asks for a token at Bot Framework's own tenant with its own credentials (microsoft/botbuilder-dotnet,
  /// `MsalAppCredentials`).
  @Test(arguments: [
    "MsalServiceException at Microsoft.Bot.Connector.Authentication.MsalAppCredentials.GetTokenAsync\n",
    "POST https://login.microsoftonline.com/botframework.com/oauth2/v2.0/token\n",
    "ClientAuthError at botframework-connector/lib/auth/lamp.js:63\n",
    "AADSTS700016: The lamp was not found in the directory 'Bot Framework'.\n",
  ])
  func aBotAsksWithItsOwnCredentials(_ text: String) {
    let number = text.hasPrefix("AADSTS") ? "" : "AADSTS7000215: Invalid client secret provided."
    let result = reproduce(text + number)
    #expect(result.verdict == .reproduced && result.assumedCaller == nil, "\(result.difference ?? "")")
    #expect(result.call?.contains("clientCredentials") == true, "\(result.call ?? "")")
  }

  /// An adapter's error may be one of the person's token.
  @Test func theGrantOfABotIsAssumed() {
    let result = reproduce("[onTurnError] unhandled error: AADSTS7000215: Invalid client secret provided.")
    #expect(result.call?.contains("clientCredentials") == true, "\(result.call ?? "")")
    #expect(result.assumedCaller?.contains("which kind of program") == true)
    #expect(reproduce("[onTurnError] unhandled error: " + Self.answer).verdict == .reproduced)
    #expect(
      reproduce("OAuthPrompt: AADSTS7000215: Invalid client secret provided.").call?.contains(
        "authorizationCode")
        == true)
  }

  /// The words of a desktop program, and of one that waits on loopback for the system's browser, whose refresh fails.
  @Test(
    arguments: [
      ("Power BI Desktop: we could not sign you in", true), ("Storage Explorer 1.31", true),
      ("Opening http://localhost:53211 in the browser", false), ("dotnet run --project lamp", false),
      (#"C:\Users\lee\AppData\Local\Wingtip\lamp.log"#, false),
    ])
  func aDesktopProgramIsNotAnAppOfAPhone(_ line: String, _ isCallShown: Bool) {
    let result = reproduce(line + "\nAADSTS65001: The user or administrator has not consented")
    #expect(
      result.verdict == .reproduced && result.scenario?.contains("kind: publicProgram") == true, "\(line)")
    #expect((result.assumedCaller == nil) == isCallShown, "\(result.assumedCaller ?? "")")
  }

  /// The portal's name of a platform, which developers of apps for phones quote.
  @Test func thePlatformOfARegistrationIsNotADesktopProgram() {
    let result = reproduce(
      "Under Mobile and desktop applications: AADSTS50011: The redirect URI does not match")
    #expect(result.scenario?.contains("programs:") == false)
  }

  /// `read` asserts nothing about them.
  @Test(arguments: [
    "fix: handle AADSTS50076 by asking for claims\n\nThis change retries interactively if the provider answers AADSTS50076.\n",
    "Q: What does AADSTS90094 mean?\nA: An administrator has to consent first.\n",
  ])
  func whereReadAssertsNothingNothingIsReproduced(_ text: String) {
    #expect(reproduce(text).verdict == .nothingRead)
  }

  @Test func theUserNamesAProgram() throws {
    func result(_ kind: Program.Kind?, _ grant: CallProgram.Grant?) throws -> Reproduction {
      var reader = EvidenceReader()
      try reader.read(
        EvidenceFile(name: "log", data: Data("AADSTS700016: The lamp was not found".utf8)))
      let isKnown = reader.assume(program: kind, grant: grant)
      #expect(isKnown)
      return Reproducer(reader.finish()).reproduce()
    }
    let daemon = try result(.daemon, nil)
    #expect(daemon.verdict == .reproduced && daemon.assumedCaller == nil)
    #expect(daemon.call?.contains("clientCredentials") == true)
    #expect(try result(nil, .deviceCode).scenario?.contains("kind: publicProgram") == true)
    var evidence = Evidence()
    let isKnown = evidence.assume(program: .page, grant: .clientCredentials)
    #expect(!isKnown)
  }

  /// A grant shows a program, although not which kind.
  @Test(arguments: ["lamp: refreshing token for lee\n", "auth.refresh_access_token(lamp)\n"])
  func aRefreshIsOfSomeProgram(_ text: String) {
    let result = reproduce(text + Self.answer)
    #expect(result.assumedCaller?.contains("which kind of program") == true, "\(result.difference ?? "")")
  }

  /// ADAL's library for Python prints the sentence in any program.
  @Test func aSentenceOfADALIsNotAzureCLIs() {
    let result = reproduce("Get Token request returned http error: 400 and server response: " + Self.answer)
    #expect(result.facts.first { $0.name == .caller }?.value == "a program in Python")
    #expect(result.assumedCaller?.contains("which kind of program") == true, "\(result.difference ?? "")")
  }

  /// MSAL has one code for several mistakes.
  @Test(arguments: [
    ("clientId is a required parameter and must not be nil or empty.", Reproduction.Verdict.reproduced),
    ("authority must specify a tenant or common", .nearest), ("", .nearest),
  ])
  func theDescriptionOfACodeDecides(_ sentence: String, _ verdict: Reproduction.Verdict) {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALErrorDescriptionKey=\(sentence), "
        + "MSALInternalErrorCodeKey=-42000}")
    #expect(result.verdict == verdict, "\(result.difference ?? "")")
  }

  @Test func aLineOfAMacIsNotAPhones() {
    let result = reproduce(
      "[MSAL 1.2.7 Mac 14.1 [2025-03-04 10:11:12] The lamp is on\nError Domain=MSALErrorDomain Code=-50000 \"(null)\" "
        + "UserInfo={MSALErrorDescriptionKey=clientId is a required parameter and must not be nil or empty., "
        + "MSALInternalErrorCodeKey=-42000}")
    #expect(result.facts.first { $0.name == .system }?.value == "macOS 14.1")
    #expect(result.scenario?.contains("macOS") == true && result.scenario?.contains("iPhone") == false)
  }

  /// What `read` takes for source code or a document is not a failure.
  @Test(arguments: [
    "package lamp\n\n/** The broker answers AADSTS50011 for a wrong hash. */\nclass Lamp(private val app: Lamps) {\n"
      + "  fun light() {\n    if (app == null) {\n      throw LampError(\"AADSTS65001: no lamp\")\n    }\n  }\n}",
    "# Lamp\n## On\n1\n2\n3\n4\n5\n6\n7\n8\nThe lamp answers AADSTS50011 here.\n9",
  ])
  func anOrdinaryTextIsNoFailure(_ text: String) {
    #expect(reproduce(text).verdict == .nothingRead)
  }

  /// The programs that ask for a token in SharePoint's pages, behind Kubernetes' client, after a prompt, and with Windows's
  /// broker.
  @Test(arguments: [
    ("The SPFx web part of the lamp prints ", "the SharePoint Framework, a page in a browser"),
    ("https://lamp.example/bulb.aspx shows ", "ASP.NET, a web server"),
    ("lee@bulb:~$ kubectl get nodes\n", "kubelogin, a program without a secret"),
    ("PS C:\\bulb> az webapp list\n", "Azure CLI, a program without a secret"),
    (
      "WebAuthenticationCoreManager.GetTokenSilentlyAsync(lamp): ",
      "a program with Windows's broker, a program without a secret"
    ),
  ])
  func aProgramIsReadFromItsPageOrItsCommand(_ text: String, _ words: String) {
    let result = reproduce(text + "AADSTS50105: The signed in user is not assigned to a role")
    #expect(result.facts.first { $0.name == .caller }?.value == words)
    #expect(result.scenario?.contains("programs:") == true)
  }

  /// The lab's request is one of OpenID Connect.
  @Test(arguments: [
    "We use SAML for the lamp.\nAADSTS50105: The signed in user is not assigned to a role",
    "AADSTS700016: Application with identifier 'https://lamp.example/sp' was not found in the directory 'Wingtip'.",
  ])
  func anAppWithSAMLIsAWebServer(_ text: String) {
    let result = reproduce(text)
    #expect(result.facts.first { $0.name == .caller }?.value == "a web app with SAML, a web server")
  }

  @Test func aStatusThatIsNotHandledIsPlayed() {
    let result = reproduce(
      "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALInternalErrorCodeKey=-42007, MSALHTTPResponseCodeKey=502}"
    )
    #expect(result.verdict == .reproduced && result.failure?.sdkCode == -42007, "\(result.difference ?? "")")
    #expect(!result.changes.isEmpty)
  }
}
