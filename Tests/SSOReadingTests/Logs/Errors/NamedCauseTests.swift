import SSOCore
import SSOReading
import SSOReference
import Testing

/// Causes that another sentence, another number, or another program's words could hide.
@Suite struct NamedCauseTests {
  @Test(arguments: [
    PrintedSample(
      "scopes that exclude each other",
      "One or more scopes in 'a/.default b' are not compatible with each other",
      "AADSTS70011: The provided value for the input parameter 'scope' is not valid. One or more scopes in 'a/.default b' are not compatible with each other."
    ),
    PrintedSample(
      ".default beside others", "default scope can't be combined with resource-specific scopes",
      "AADSTS70011: The provided request must include a 'scope' input parameter. .default scope can't be combined with resource-specific scopes."
    ),
    PrintedSample(
      "another scope", "AADSTS70011",
      "AADSTS70011: The provided value for the input parameter 'scope' is not valid."),
    PrintedSample(
      "the Azure CLI without consent",
      "application with ID '04b07795-8ddb-461a-bbee-02f9e1bf7b46' named 'Microsoft Azure CLI'",
      "AADSTS65001: The user or administrator has not consented to use the application with ID '04b07795-8ddb-461a-bbee-02f9e1bf7b46' named 'Microsoft Azure CLI'."
    ),
    PrintedSample(
      "an account that was signed out", "Status_AccountUnusable",
      "Account has previously been signed out of this application.. Status: Response_Status.Status_AccountUnusable, Error code: 0, Tag: 540940121"
    ),
    PrintedSample(
      "native authentication", "AADSTS550022",
      "AADSTS550022: Confidential Client is not supported in Native Authentication API flow."),
    PrintedSample(
      "Intune", "NOT_LICENSED", "W/Lamp: Intune MAM enrollment result for lamp: NOT_LICENSED"),
    PrintedSample(
      "Google, by its name", "Error: DEVELOPER_ERROR", "Google sign in failed [Error: DEVELOPER_ERROR]"),
    PrintedSample(
      "a proxy", "407 Proxy Authentication Required",
      "msal: proxy said HTTP/1.1 407 Proxy Authentication Required"),
    PrintedSample(
      "Cloud Shell's warning above the error", "Failed to connect to MSI",
      "WARNING: A Cloud Shell credential problem occurred. When you report the issue, mention the hostname 'lamp'\nERROR: Failed to connect to MSI. Please make sure MSI is configured correctly."
    ),
    PrintedSample(
      "a timeout below an error of a join", "0x80072EE2",
      "AzureAdJoined : NO\nClient ErrorCode : 0x801c0021\nError Phase : discover, Server ErrorCode : 0x80072ee2"
    ),
  ])
  func theCauseIsNamed(_ sample: PrintedSample) throws {
    let verdict = try #require(readLog(sample.text + "\n").verdict)
    #expect(verdict.cause == sample.cause && verdict.remedy?.isEmpty == false)
  }

  /// If a number has many causes, the sentence in the text counts, and not that of the table.
  @Test(arguments: [
    PrintedSample(
      "a grant", "AADSTS90010: The grant type is not supported over the /lamp endpoint",
      "AADSTS90010: The grant type is not supported over the /lamp endpoint. Please use another. Trace ID: 1"),
    PrintedSample(
      "a parameter", "-51100: 'lamp' is a required parameter",
      #"E: Error Domain=MSIDErrorDomain Code=-51100 "(null)" UserInfo={MSIDErrorDescriptionKey='lamp' is a required parameter.}"#
    ),
    PrintedSample(
      "a database", "The lamp of the database is not lit",
      "azure\nLamp.SqlClient.SqlException (0x80131904): The lamp of the database is not lit."),
  ])
  func theSentenceOfTheTextCounts(_ sample: PrintedSample) throws {
    let verdict = try #require(readLog(sample.text + "\n").verdict)
    #expect(verdict.cause == sample.cause)
  }

  /// MSAL.js logs errors that it overcomes at the level Verbose; without another one, such an error is the cause.
  @Test func anErrorThatMSALOvercomesIsNotTheCause() {
    let line =
      "[Fri, 12 Jun 2026 17:56:01 GMT] : [] : @azure/msal-browser@4.13.1 : Verbose - BrowserAuthError: native_extension_not_installed: No extension\n"
    #expect(
      readLog(line + "Uncaught (in promise) BrowserAuthError: interaction_in_progress\n").verdict?.cause
        == "interaction_in_progress")
    #expect(readLog(line).verdict?.cause == "native_extension_not_installed")
  }

  /// Test runners print what they expected beside what they got.
  @Test(arguments: [
    ("msal test\n  Expected: \"invalid_client\"\n  Received: \"invalid_grant\"", "invalid_grant"),
    (
      "@azure/msal-node\nAssertionError: expected 'MsalLampError' to equal 'CredentialUnavailableError'\n+CredentialUnavailableError",
      "expected 'MsalLampError' to equal 'CredentialUnavailableError'"
    ),
  ])
  func whatATestExpectsIsNotTheCause(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }

  @Test(arguments: [
    // An error as a console prints it.
    ("sign-in:\n{ name: 'LampError', message: 'The lamp has no oil', code: 7 }", "The lamp has no oil"),
    ("sign-in:\n{\n  name: 'LampError',\n  message: 'No oil is in it',\n  code: 7\n}", "No oil is in it"),
    ("getAccessToken gives\n{name: 'Lamp', message: 'The lamp isn\\'t lit', code: 13003}", "13003"),
    // A name of ADAL, and a mark in brackets.
    (
      "I get an error message of az login:\n\n```\nDownloading the lamp of azure\nFailed to fetch the lamp: 401 Unauthorized\n```",
      "401 Unauthorized"
    ),
    ("Outlook shows `AD_ERROR_TOKENBROKER_UNKNOWN`", "500"),
    (
      "10:01:12 ...\\Lamp.cs:457 trace: [LightLamp] credential validation for 'https://dev.azure.com/lamp' failed.",
      "[LightLamp] credential validation for 'https://dev.azure.com/lamp' failed"
    ),
    // The form of a report goes on behind what was pasted.
    (
      "The command failed with an unexpected error. Here is the traceback:\nExtra data: line 14 column 2\n\n### Related command\n\naz login",
      "Extra data: line 14 column 2"
    ),
    ("oauth\nLamp.Trace | ERR | Error Message 'The oil is not lit', Line 0", "The oil is not lit"),
    (
      "com.microsoft.identity.client.exception.MsalClientException: Attempt to invoke virtual method 'void com.microsoft.identity.Lamp.light(com.contoso.Wick)' on a null object reference\n\tat lamp.Lamp(Lamp.java:1)",
      "Attempt to invoke virtual method 'void com.microsoft.identity.Lamp.light(com.contoso.Wick)' on a null object reference"
    ),
  ])
  func theWholeSentenceIsNamed(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }
}
