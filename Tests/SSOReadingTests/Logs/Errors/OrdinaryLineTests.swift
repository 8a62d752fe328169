import SSOCore
import SSOReading
import Testing

/// Lines of ordinary logs that name an error although nothing failed.
@Suite struct OrdinaryLineTests {
  @Test(arguments: [
    "lamp model score -42001 after token 17", "coupon code 65001 expired",
    "order 50011 was shipped, code 90072",
    "10.0.0.1 - - [20/Nov/2026:09:41:07 +0000] \"GET /assets/expired.png HTTP/1.1\" 200 512",
    "GET /assets/login/token-expired.svg 304 2 ms", "\"POST /oauth/token HTTP/1.1\" 200 1042 \"-\" \"azure\"",
    "commit 1a2b3c4\n    Fix expired token handling of the azure login (#50058)",
    "1a2b3c4 Handle invalid_grant in the oauth client",
    "- Fixed invalid_grant when the azure login is old", "fix(auth): refuse expired tokens, AADSTS50058",
    "✓ returns invalid_grant when the azure token is old (5 ms)", "    ✓ shows AADSTS50011: a redirect URI",
    "tests/test_azure.py::test_invalid_grant PASSED [ 12%]", "ok 12 - azure refuses invalid_client",
    "test oauth::invalid_grant ... ok", "--- PASS: TestInvalidGrant (0.00s)",
    "[       OK ] OAuth.InvalidGrant (0 ms)",
    "Test Case '-[OAuthTests testInvalidGrant]' passed (0.001 seconds).",
    "PASS src/azure/invalid_grant.test.js",
    "emulator-5554 unauthorized device state",
    "error: device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
    "Health check for server azure/web1 succeeded, reason: Layer7 check passed, code: 200, check duration: 2ms, status: 3/3 conditional success.",
    "-canOpenURL: failed for URL: \"msauthv2://lamp\" - error: \"The operation couldn’t be completed. (OSStatus error -10814.)\"",
    "// throws invalid_grant if the azure login is old", "oauth metrics invalid_grant=0 invalid_client=3",
    "{\"oauth\":{\"invalid_grant\":0}}",
    "OAuth errors: invalid_request, invalid_client, invalid_grant, unauthorized_client, invalid_scope",
    "if (error.code === \"AADSTS50011\") {", "oauth: token expired, refreshing",
    "azure: certificate expired or not found\nazure: token acquired successfully",
    "> Task :msal:compileLampJava FAILED\n> Task :app:lamp UP-TO-DATE\n12 actionable tasks: 12 executed",
    "msauth window closed\nerror\t10:01:12.024737 +0100\tlampd\tTCP Conn 0x6080 Failed : error 0:61 [61]",
    "sign in: done\n2026-11-20 09:41:07.446936+0200 lamp[33:18] [BoringSSL] nw_protocol_boringssl_lamp(1301) get frames failed",
    "oauth page loaded\nerrore\t21:35:31.020474 +0200\tLampReport\tFailed to start lamps for pid 7442 (16)",
    "[lamp.go:862] No valid authentication in request. Initiating login.", "== 12 oauth tests, 0 failures",
    "MSAL started\nW/lampalloc(12345): allocator 3.x is not supported",
    "Keycloak started\n2026-11-20 09:12:01,001 WARN  [org.lamp.CONFIG] (main) Unable to persist lamps as no state enabled",
    "WARN  cache: entry azure_ad_jwks expired, reloading", "MSAL started\n8XV5000A20007972    unauthorized",
    "Nov 20 14:28:37 house kc.sh[4711]: 2026-11-20 14:28:37,257 DEBUG [org.keycloak.Lamp] check 'lamp', requirement: 'REQUIRED'",
  ])
  func nothingIsAsserted(_ text: String) {
    let reading = readLog(text + "\n")
    #expect(reading.verdict == nil, "\(reading.verdict?.cause ?? "")")
  }

  /// The same words beside the syntax of an error are one.
  @Test(arguments: [
    ("msal: login failed, error code 65001", "AADSTS65001"), ("{\"error_codes\":[50011]}", "AADSTS50011"),
    ("oauth error: invalid_grant", "invalid_grant"), ("Fehlercode: 53003", "AADSTS53003"),
    ("Code d'erreur : 50105\nNom de l'application : Lamp", "AADSTS50105"), ("エラー コード: 50105", "AADSTS50105"),
    ("Kod błędu: 50011", "AADSTS50011"),
    ("type=LAMP_ERROR, exit code 0, error: azure login failed, AADSTS50058", "AADSTS50058"),
    ("azure: {\"error\":\"invalid_grant\"}", "invalid_grant"),
    ("Could not acquire token: (MSALErrorDomain error -50000.)", "-50000"),
    ("* AADSTS50011: The redirect URI does not match.", "AADSTS50011"),
    ("\"POST /token HTTP/1.1\" 400 AADSTS50011: no", "AADSTS50011"),
  ])
  func anErrorIsAsserted(_ text: String, _ cause: String) {
    #expect(readLog(text + "\n").verdict?.cause == cause)
  }
}
