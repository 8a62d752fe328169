import SSOCore
import SSOReading
import SSOReference
import Testing

/// The place and the words of an error in a record of several lines, a container's line, or an address.
@Suite struct RecordLineTests {
  /// The evidence is the line that has the code, and not the first line of its record.
  @Test(arguments: [
    (
      "Java",
      """
      11-29 10:00:01.123  1234  1250 E MSAL    : [2026-11-29 10:00:01 - thread_id: 2, correlation_id: \
      5fd2c1b4-0000-4000-8000-000000000001 - Android 34] CommandDispatcher: failed
      com.microsoft.identity.common.java.exception.ServiceException: the request failed
      \tat com.microsoft.identity.Lamp.open(Lamp.java:1)
      Caused by: com.microsoft.identity.common.java.exception.ServiceException: AADSTS50105: Not assigned
      \tat com.microsoft.identity.Lamp.close(Lamp.java:3)
      """, "AADSTS50105", "line 4"
    ),
    (
      ".NET",
      """
      Unhandled exception. Azure.Identity.AuthenticationFailedException: ClientSecretCredential authentication failed
       ---> Microsoft.Identity.Client.MsalServiceException: A configuration issue
         at Lamp.Open()
       ---> System.Exception: AADSTS7000215: Invalid client secret provided.
         at Lamp.Close()
      """, "AADSTS7000215", "line 4"
    ),
    (
      "a dictionary of Apple's",
      """
      TID=7 MSAL 1.4.0 iOS 17.1 [2024-05-06 07:08:09 - 5fd2c1b4-0000-4000-8000-000000000001] ERROR: it failed
      {
        NSUnderlying = "Error Domain=MSALErrorDomain Code=-50000";
        MSALErrorDescriptionKey = "AADSTS50076: Due to a change";
      }
      """, "AADSTS50076", "line 4"
    ),
    (
      "JSON",
      """
      token request failed
      {
        "error": "invalid_grant",
        "error_description": "AADSTS70008: The code has expired",
        "error_codes": [70008]
      }
      """, "AADSTS70008", "line 4"
    ),
  ])
  func theLineOfTheCodeIsNamed(_ kind: String, _ text: String, _ cause: String, _ place: String) throws {
    let reading = readLog(text + "\n")
    let verdict = try #require(reading.verdict)
    #expect(verdict.cause == cause && verdict.place == place, "\(kind): \(verdict)")
    let sent = reading.traces.flatMap(\.hops).flatMap(\.sent)
    #expect(sent.contains { $0.name.hasPrefix(place) && $0.value.contains(cause) }, "\(sent)")
    let error = try #require(reading.traces.last?.outcome?.errorText)
    #expect(!error.contains("Lamp") && !error.contains("\""), "\(error)")
  }

  /// Docker writes each line as an object (moby, `daemon/logger/jsonfilelog/jsonlog/jsonlog.go`).
  @Test(arguments: [
    (
      #"{"log":"System.Exception: AADSTS7000215: Invalid secret.\r\n","stream":"stderr","time":"2026-11-29T10:00:00Z"}"#,
      "AADSTS7000215: Invalid secret."
    ),
    (
      #"{"log":"\u001b[31mfail\u001b[0m: {\"error_description\":\"AADSTS7000222: It has expired.\"}\n","stream":"stderr"}"#,
      "AADSTS7000222: It has expired."
    ),
  ])
  func aContainersLineIsItsText(_ line: String, _ sentence: String) throws {
    for size in [7, Int.max] {
      let trace = try #require(readLog(line + "\n", pieces: size).traces.first)
      #expect(trace.outcome?.errorText == sentence)
      #expect(!trace.hops.flatMap(\.sent).contains { $0.value.contains("stream") })
    }
  }

  @Test func aQuotationEndsWithItsJSON() throws {
    let line =
      #"{"message":"ManagedIdentityCredential authentication unavailable. No response received from the managed identity endpoint.","level":"error"}"#
    let cause = try #require(readLog(line + "\n").verdict?.cause)
    #expect(!cause.contains("level"), "\(cause)")
  }

  /// RFC 6749 §4.1.2.1 and §4.2.2.1: the error is in the query or in the fragment, encoded as a form.
  @Test(arguments: [
    (
      "opened https://notes.contoso.example/cb?error=access_denied&error_description=AADSTS65004%3a+User+declined%0d%0a&state=1",
      "AADSTS65004", "AADSTS65004: User declined"
    ),
    (
      "GET https://notes.contoso.example/cb#error=access_denied&error_description=AADB2C90091%3A%20The%20user%20has%20cancelled HTTP/1.1",
      "AADB2C90091", "AADB2C90091: The user has cancelled HTTP/1.1"
    ),
    (
      "go?next=https%3A%2F%2Fnotes%2Fcb%3Ferror%3Daccess_denied%26error_description%3DAADSTS65004%253a%2bUser%2bdeclined%26state%3D1",
      "AADSTS65004", "AADSTS65004: User declined"
    ),
  ])
  func theErrorOfARedirectIsDecoded(_ line: String, _ cause: String, _ sentence: String) throws {
    let reading = readLog(line + "\n")
    let verdict = try #require(reading.verdict)
    #expect(verdict.cause == cause)
    let texts = reading.traces.flatMap(\.hops).flatMap(\.sent).map(\.value)
    #expect(texts.contains { $0.contains(sentence) }, "\(texts)")
  }
}
