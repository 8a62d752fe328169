import SSOCore
import SSOReading
import SSOReference
import Testing

/// Causes that another sentence, another number, or another program's words could hide.
@Suite struct NamedCauseTests {
  @Test(arguments: [
    PrintedSample(
      "scopes that exclude each other", "One or more scopes in",
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
      "the Azure CLI without consent", "application with ID '04b07795-8ddb-461a-bbee-02f9e1bf7b46",
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
}
