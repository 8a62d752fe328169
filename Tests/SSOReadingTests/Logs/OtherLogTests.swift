import Foundation
import SSOCore
import SSOReading
import SSOReference
import Testing

/// Forms of log lines that people paste: errors of a browser's console, calls with their arguments, and sentences
/// without a code.
@Suite struct OtherLogTests {
  /// Each error ends its own call, and does not take the code of another error.
  @Test func errorsOfABrowsersConsoleAreEachToldWithTheirCode() {
    let reading = readLog(
      """
      msal.js:123 BrowserAuthError: interaction_in_progress: Interaction is currently in progress.
      ServerError: invalid_client: 7000218 - [2024-03-12 10:00:00Z]: AADSTS7000218: The request body must contain it.
      InteractionRequiredAuthError: login_required: AADSTS50058: A silent sign-in request was sent.

      """)
    #expect(
      reading.traces.compactMap(\.outcome?.summary) == [
        "The call failed: interaction_in_progress.", "The call failed: invalid_client, AADSTS7000218.",
        "The call failed: login_required, AADSTS50058.",
      ])
    #expect(reading.traces.allSatisfy { $0.outcome?.next?.isEmpty == false } && reading.unknownCount == 0)
  }

  /// Angular's zone.js prints an error as uncaught, and then with its stack.
  @Test func anUncaughtErrorAndItsStackAreOneFailure() {
    let error = "BrowserAuthError: interaction_in_progress: Interaction is currently in progress."
    let twice = readLog(
      "core.js:7 ERROR Error: Uncaught (in promise): \(error)\n\(error)\n    at lamp.js:1\n\(error)\n")
    #expect(
      twice.traces.map(\.outcome?.summary)
        == Array(repeating: "The call failed: interaction_in_progress.", count: 2))
    #expect(twice.unknownCount == 0)
  }

  @Test func aCallOfMSALJSBeginsWithItsEventAndEndsWithItsError() {
    let head =
      "[Tue, 12 Mar 2024 09:15:02 GMT] : [018e3211-1111-7222-8333-444455556666] : @azure/msal-browser@3.10.0 : "
    let reading = readLog(
      head + "Info - Emitting event: msal:acquireTokenStart\n" + head
        + "Error - BrowserAuthError: monitor_window_timeout: Token acquisition in iframe failed due to timeout.\n"
        + head + "Info - Emitting event: msal:acquireTokenFailure\n")
    let trace = reading.traces.first
    #expect(trace?.summary.title == "acquireToken" && reading.traces.count == 1)
    #expect(trace?.outcome?.summary == "The call failed: monitor_window_timeout.")
  }

  /// An app's logger may write only the ID in MSAL.NET's bracket, and the time before it.
  @Test func aShortenedLineOfMSALNETIsRead() throws {
    let id = "[a18e3211-1111-7222-8333-444455556666] "
    let reading = readLog(
      "[09:41:07:807][Informational] False MSAL 4.66.1.0 \(id)=== Token Acquisition (SilentRequest) started:\n"
        + "[09:41:07:819][Warning] False MSAL 4.66.1.0 \(id)Failed to refresh the RT and cannot use existing AT (expired).\n"
    )
    #expect(reading.traces.count == 1 && reading.counts == [.dotnet: 2] && reading.unknownCount == 0)
    let trace = try #require(reading.traces.first)
    #expect(trace.summary.correlationID == "a18e3211-1111-7222-8333-444455556666")
    #expect(trace.outcome?.verdict == .failed)
  }

  /// MSAL for iOS says that a call succeeded, and gives the app an empty access token.
  @Test func anEmptyAccessTokenIsAFailure() throws {
    let head =
      "TID=7 MSAL 2.1.0 iOS 18.4 [2026-11-20 09:41:07 - 018E3211-1111-7222-8333-444455556666] [MSAL] "
    let reading = readLog(
      head + "Interactive flow finished. Result (not-null), error: 0 error domain: (null)\n" + head
        + "acquireToken returning with at: e3b0c44 scopes:(\n) expiration:(null)\n")
    let verdict = try #require(reading.verdict)
    #expect(verdict.cause == "Access token missing in token result" && verdict.certainty == .inferred)
  }

  /// MSAL for Android prints the sentence of an error, but not its code.
  @Test func aSentenceOfMSALForAndroidHasItsCode() {
    let reading = readLog(
      """
      03-12 10:15:31.601 4521 4588 E PublicClientApplicationConfiguration: [2024-03-12 09:15:31 - thread_id: 2, correlation_id: 9b0c6c3a-1f4e-4f4e-b2a3-111122223333 - Android 33] Error
      com.microsoft.identity.client.exception.MsalClientException: The redirect URI in the configuration file doesn't \
      match with the one generated with package name and signature hash. We expected 'msauth://a' and we received 'b'.

      """)
    let outcome = reading.traces.first?.outcome
    #expect(outcome?.summary.contains("redirect_uri_validation_error") == true, "\(reading)")
    #expect(
      outcome?.errorText?.contains("we received 'b'") == true
        && outcome?.next?.description.contains("percent") == true)
  }

  @Test func theArgumentsOfACallBelongToItsFirstLine() {
    let head =
      "TID=1 MSAL 1.1.9 iOS 13.6.1 [2020-09-28 10:17:40 - 1B0A410A-4C4D-4F90-8AD4-B51F886A83A3] [MSAL] "
    let reading = readLog(
      head + "-[MSALPublicClientApplication acquireTokenWithParameters:(\n    \"user.read\"\n)\n"
        + "account:Masked(null)\nclaimsRequest:(null)]\n" + head
        + "Beginning broker flow.\nno line of an SDK\n")
    #expect(reading.traces.map(\.steps) == [["app → sdk: acquireToken", "sdk → broker: ask the broker"]])
    #expect(reading.unknownCount == 1)
  }

  /// A mail client wraps lines at words, so the rest of a message or an error text is on the next lines.
  @Test func aQuotedAndWrappedLogKeepsItsMessagesAndItsCause() throws {
    let reading = readLog(
      """
      > TID=1 MSAL 1.1.9 iOS 13.6.1 [2020-09-28 10:17:41 -
      > 1B0A410A-4C4D-4F90-8AD4-B51F886A83A3] [MSAL] Checking broker install state
      > for version V2-broker-nonce
      > TID=1 MSAL 1.1.9 iOS 13.6.1 [2020-09-28 10:17:52 -
      > 1B0A410A-4C4D-4F90-8AD4-B51F886A83A3] [MSAL] acquireTokenWithParameters
      > returning with error: (MSALErrorDomain, -50000) Masked(not-null)
      > Error Domain=MSALErrorDomain Code=-50000 "(null)"
      > UserInfo={MSALErrorDescriptionKey=application did not receive response from
      > broker., MSALInternalErrorCodeKey=-42700}

      """)
    #expect(reading.unknownCount == 0)
    let trace = try #require(reading.traces.first)
    #expect(trace.hops.first?.sent.first?.value.hasSuffix("for version V2-broker-nonce") == true)
    #expect(trace.explanations.first?.code == "-42700" && reading.traces.count == 1)
  }

  @Test(arguments: [
    (
      "Could not acquire token: Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALInternalErrorCodeKey=-42001}",
      "-42001"
    ),
    (
      "TID=1 MSAL 1.1.9 iOS 13.6.1 [2020-09-28 10:17:41 - 1B0A410A-4C4D-4F90-8AD4-B51F886A83A3] [MSAL] ERROR: Failed to write keychain item (status: -34018)",
      "-34018"
    ),
  ])
  func aPrintedErrorAndAKeychainStatusAreExplained(_ line: String, _ code: String) throws {
    let trace = try #require(readLog(line + "\n").traces.first)
    #expect(trace.outcome?.verdict == .failed && trace.outcome?.next?.isEmpty == false)
    #expect(trace.explanations.map(\.code).contains(code), "\(trace.explanations.map(\.code))")
  }

  @Test(arguments: [true, false])
  func aLogWithItsNewestLineFirstIsSaidToBeOne(_ isReversed: Bool) {
    let lines = (10..<20).map {
      "TID=1 MSAL 1.1.9 iOS 13.6.1 [2020-09-28 10:17:\($0) - 1B0A410A-4C4D-4F90-8AD4-B51F886A83A3] [MSAL] Beginning broker flow."
    }
    let log = (isReversed ? lines.reversed() : lines).joined(separator: "\n")
    #expect(readLog(log).isNewestFirst == isReversed)
  }
}
