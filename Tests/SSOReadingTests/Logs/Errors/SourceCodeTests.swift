import SSOCore
import SSOReading
import Testing

/// Source code in a text: it names errors and has their sentences, but nothing failed there.
@Suite struct SourceCodeTests {
  @Test(arguments: [
    "try {\n  lamp.login();\n} catch (error) {\n  console.error(\"Login failed: \" + error);\n}",
    "// azure\nthrow new LampException(\"could not sign in\");",
    "const lamp = new OAuthError('login failed');",
    "oauth.logger.warn(`Cannot light the lamp: ${lamp}`); }", "if (err.error !== 'login_required') throw err",
    "case 'invalid_grant':",
    "print(\"MSAL error: login failed \\(error)\")", "logger.error(\"sign in failed\", exc_info=True)",
    "Log.e(TAG, \"acquireToken failed: \" + exception);", "Console.WriteLine($\"Login failed: {message}\");",
    ".catch((error) => alert('Login failed: unauthorized'))", "return new Response(\"unauthorized login\");",
    "throw new ClientException(\n    MsalUiRequiredException.NO_TOKENS_FOUND,\n    \"No token was found, login required\"\n);",
    "const options = {\n  onLoad: \"login-required by oauth\",\n  error: 'invalid_grant',\n};",
    "errorText: oauthErrors['invalid_grant'],", "  raise LoginError(\"azure login failed\")",
  ])
  func codeIsNoFailure(_ text: String) {
    #expect(readLog(text + "\n").verdict == nil)
  }

  /// Parts of printed values look like code.
  @Test(arguments: [
    ("auth: failed to call lamp.on() twice", "failed to call lamp.on() twice"),
    ("Optional(Error Domain=LampDomain Code=5 \"The auth lamp is out\" UserInfo={})", "The auth lamp is out"),
    ("openid: error: { message: 'The lamp is not valid', status: 4 }", "The lamp is not valid"),
    (
      "[src/lamp.rs:12:9] &lamp = RequestToken(\n  ServerResponse(\n    LampErrorResponse {\n      error: invalid_grant,\n    },\n  ),\n)",
      "invalid_grant"
    ),
    ("const login = lamp();\nError: the azure lamp is not lit", "the azure lamp is not lit"),
    (
      "auth: Could not resolve placeholder '${LAMP_ID}' in value",
      "Could not resolve placeholder '${LAMP_ID}' in value"
    ),
  ])
  func aPrintedFailureIsNoCode(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }

  /// The name of an MSAL number is a word that other libraries use.
  @Test func aFunctionOfAnotherLibraryIsNoCodeOfMSAL() throws {
    let verdict = try #require(
      readLog("auth: LampError: No lamp here: LampException::invalidState(4)\n").verdict)
    #expect(verdict.cause?.contains("-42501") != true)
  }

  /// The page of Blazor shows an empty message between its quotation marks.
  @Test func anEmptyQuotationIsNoCause() throws {
    let verdict = try #require(readLog("There was an error trying to log you in: ''\n").verdict)
    #expect(verdict.cause == "There was an error trying to log you in")
  }

  /// A plug-in's code that fits any failure says less than the sentence in it.
  @Test func theSentenceInAnErrorOfAPluginIsTheCause() throws {
    let verdict = try #require(
      readLog(
        "PlatformException(authorize_and_exchange_code_failed, Failed to authorize: "
          + "[error: null, description: Unable to parse ID Token], {code: 8}, null)\n"
      ).verdict)
    #expect(verdict.cause != "authorize_and_exchange_code_failed")
  }

  /// An add-in's number is recognised by the words around it.
  @Test func theNumberOfAnAddInIsFound() throws {
    let verdict = try #require(readLog("Webaddin - getting an auth token returns 13007 error\n").verdict)
    #expect(verdict.cause == "13007")
  }
}
