import Foundation
import SSOReference
import Testing

@testable import SSOCore

@Suite struct WireTests {
  @Test func proofKeyOfRFC7636AppendixB() {
    let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test(arguments: [
    ("a b&c=d/é", "a+b%26c%3Dd%2F%C3%A9"), ("-._~", "-._~"), ("+", "%2B"), ("", ""), ("\u{1B}", "%1B"),
  ])
  func formEncodingGoesThereAndBack(_ plain: String, _ encoded: String) {
    #expect(FormEncoding.encode(plain) == encoded)
    #expect(FormEncoding.decodeText(encoded) == plain)
  }

  @Test func formDecoderTakesWhatOidcAgentSends() {
    let fields = FormEncoding.decode("scope=openid profile&redirect_uri=http://localhost:4242&x=a+b=")
    #expect(
      fields == [
        NameValue("scope", "openid profile"), NameValue("redirect_uri", "http://localhost:4242"),
        NameValue("x", "a b="),
      ])
  }

  @Test(arguments: ["a=%", "a=%4", "a=%GG", "a=%FF"])
  func formDecoderRepairsNothing(_ body: String) {
    #expect(FormEncoding.decode(body) == nil)
  }

  @Test func headersAreFoundInAnyCaseOfTheirLetters() {
    let request = HTTPRequest(
      "GET", origin: "https://h", path: "/",
      headers: [NameValue("X-CLIENT-SKU", "a"), NameValue("x-client\u{212A}", "b"), NameValue("x@y", "c")])
    #expect(request.header("x-client-sku") == "a" && request.header("X-Client-Sku") == "a")
    #expect(request.header("x-clientk") == nil, "the Kelvin sign is not an ASCII letter")
    #expect(request.header("x`y") == nil, "nor are @ and `")
  }

  @Test func base64URLIsBase64WithTwoOtherDigitsAndNoPadding() {
    for length in 0..<100 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: ($0 + length) &* 167 &+ 3) }
      let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
      #expect(Base64URL.encode(bytes) == expected)
      #expect(Base64URL.decode(expected) == bytes)
    }
  }

  @Test(arguments: ["+", "a=", "a/b", "é"])
  func base64URLTakesNoOtherCharacter(_ text: String) { #expect(Base64URL.decode(text) == nil) }

  /// RFC 3986 §2: delimiters are bytes, whatever follows them.
  @Test func urlIsTakenApartAtItsBytes() throws {
    let parts = try #require(URLParts("https://h:1/\u{301}p?\u{301}q#\u{301}f"))
    #expect((parts.authority, parts.host, parts.path) == ("h:1", "h", "/\u{301}p"))
    #expect((parts.query, parts.fragment) == ("\u{301}q", "\u{301}f"))
  }

  @Test func redirectURIKeepsItsSpelling() {
    let parts = URLParts("msauth.com.Contoso.app://auth?code=a%20b&state=s#f")
    #expect(parts?.scheme == "msauth.com.Contoso.app")
    #expect(parts?.host == "auth")
    #expect(parts?.fields == [NameValue("code", "a b"), NameValue("state", "s")])
    #expect(URLParts("no scheme") == nil)
  }

  @Test(arguments: [
    ("https://localhost", "localhost", "localhost"),
    ("https://localhost:8443/t", "localhost:8443", "localhost"),
    ("https://[::1]:8443/t", "[::1]:8443", "[::1]"), ("https://[::1]", "[::1]", "[::1]"),
    ("http://localhost:80@evil.example/", "localhost:80@evil.example", "localhost:80@evil.example"),
    ("msauth://code", "code", "code"), ("mailto:a@b", "", ""), ("https://host:", "host:", "host"),
  ])
  func anAuthorityHasAHostAndPerhapsAPort(_ url: String, _ authority: String, _ host: String) throws {
    let parts = try #require(URLParts(url))
    #expect(parts.authority == authority)
    #expect(parts.host == host)
  }

  @Test func nestingIsBounded() {
    let deep = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
    #expect(JSONValue(bounded: Data(deep.utf8)) == nil)
    #expect(JSONValue(bounded: Data(deep.utf8), maximumDepth: 17) != nil)
    #expect(JSONValue(bounded: Data("\"[[[[[[[[[[[[[[[[[[\"".utf8)) != nil)
  }

  @Test func homeAccountIDIsLowerCase() {
    let encoded = ClientInfo(uid: "AB", utid: "CD").encoded
    #expect(ClientInfo(encoded)?.homeAccountID == "ab.cd")
    #expect(ClientInfo(Base64URL.encode("{\"uid\":\"a\"}".utf8)) == nil)
  }

  @Test func refusalReadsBackAsItWas() throws {
    let error = OAuthError(.invalidGrant, "Revoked.", aadsts: .grantRevoked, suberror: .badToken)
    let body = OAuthErrorBody(error, traceID: "t", correlationID: "c", now: Instant(1_767_261_600))
    #expect(body.description.hasSuffix("Timestamp: 2026-01-01 10:00:00Z"))
    #expect(OAuthError(reading: body.response()) == error)
  }

  @Test(arguments: [
    ("https://login.chinacloudapi.cn", "login.chinacloudapi.cn"),
    ("https://login.windows.net", "login.windows.net"),
    ("https://localhost:8443", "login.microsoftonline.com"), ("", "login.microsoftonline.com"),
  ])
  func thePageOnANumberIsAtTheHostThatWasAsked(_ origin: String, _ host: String) {
    let error = OAuthError(.invalidGrant, "Disabled.", aadsts: .accountDisabled)
    #expect(error.page(at: origin) == "https://\(host)/error?code=50057")
    #expect(OAuthError(.invalidGrant, "No page.", aadsts: .federatedIssuer).page(at: origin) == nil)
  }
}

@Suite struct RequestReadingTests {
  @Test func takesWhatClientsSend() throws {
    let request = try HTTPRequest(
      "POST", origin: "https://localhost:1", target: "/t/oauth2/v2.0/token?a=b c",
      headers: [
        NameValue("content-type", "application/x-www-form-urlencoded; charset=utf-8"),
        NameValue("Cookie", "A=1; B=x=y"), NameValue("cookie", "broken; C="),
      ], body: Data("scope=openid profile&username=alice@contoso.com&password=Passw0rd!".utf8))
    #expect(request.path == "/t/oauth2/v2.0/token")
    #expect(request.query == [NameValue("a", "b c")])
    #expect(
      request.form == [
        NameValue("scope", "openid profile"), NameValue("username", "alice@contoso.com"),
        NameValue("password", "Passw0rd!"),
      ])
    #expect(request.cookies == [NameValue("A", "1"), NameValue("B", "x=y"), NameValue("C", "")])
    #expect(request.body.isEmpty)
  }

  @Test func leavesOtherBodiesAsTheyAre() throws {
    let json = Data("{}".utf8)
    let request = try HTTPRequest(
      "POST", origin: "https://localhost:1", target: "/r",
      headers: [NameValue("Content-Type", "application/json")], body: json)
    #expect(request.body == json)
    #expect(request.form.isEmpty)
  }

  @Test(arguments: [("/a?%", ""), ("a", ""), ("/a", "x=%"), ("/a", "x=\u{FFFD}%FF")])
  func refusesWhatCannotBeDecoded(_ target: String, _ body: String) {
    #expect(throws: OAuthError.self) {
      try HTTPRequest(
        "POST", origin: "https://localhost:1", target: target, headers: [], body: Data(body.utf8))
    }
  }
}
