import SSOCore
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
    ("[onTurnError] unhandled error: ", "a bot, a web server"),
  ])
  func aCallerIsRead(_ text: String, _ words: String) {
    let result = reproduce(text + Self.answer)
    #expect(result.facts.first { $0.name == .caller }?.value == words)
    #expect(result.verdict == .reproduced && result.assumedCaller == nil, "\(result.difference ?? "")")
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
}
