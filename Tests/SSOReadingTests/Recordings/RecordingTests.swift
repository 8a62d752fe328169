import Foundation
import SSOCore
import SSOReading
import SSOReference
import Testing

/// A complete sign-in with PKCE as a browser records it, into which faults can be injected.
struct RecordedStory: Sendable {
  static let origin = "https://login.microsoftonline.com"
  static let tenant = "11111111-aaaa-4aaa-8aaa-111111111111"
  static let start = 1_700_000_000
  static let secrets = [
    "0.ABcode-of-the-story-0123456789", "verifier-verifier-verifier-verifier-verifier-1",
    "correct horse battery",
    "0.AXrefresh-token-of-the-story-0123456789", "ests-cookie-value-0123456789",
    "flow-token-of-the-page-0123456789",
    "ada@contoso.com", "state-of-the-story-1234", "nonce-of-the-story-1234",
    "signature-of-the-token-0123456789",
  ]

  var verifier = secrets[1]
  var sentVerifier = secrets[1]
  var redirectAtToken = "https://app.contoso.com/auth"
  var answeredState = secrets[7]
  var tokenNonce = secrets[8]
  var audience = "client-1"
  var serverDate = "Tue, 14 Nov 2023 22:13:20 GMT"
  var issuedAt = start
  var authorizeCount = 1
  var tokenError: JSONValue?
  var redeemsTwice = false
  var answerError: String?
  /// The number that a page of the sign-in has in its script, and whether the user then signs in.
  var pageNumber: String?
  var isCorrected = false

  private static func entry(
    _ method: String, _ url: String, second: Int, status: Int, headers: [NameValue] = [],
    form: [NameValue] = [],
    sent: [NameValue] = [], body: String = "", type: String = "text/html"
  ) -> JSONValue {
    func list(_ pairs: [NameValue]) -> JSONValue {
      .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
    var request: [String: JSONValue] = [
      "method": .string(method), "url": .string(url), "headers": list(sent),
    ]
    if !form.isEmpty {
      request["postData"] = [
        "mimeType": "application/x-www-form-urlencoded", "text": .string(FormEncoding.encode(form)),
        "params": list(form),
      ]
    }
    let milliseconds = Instant(start + second)
    return [
      "startedDateTime": .string("2023-11-14T22:13:\(20 + second).000Z"), "time": .integer(12),
      "_initiator": "secret",
      "request": .object(request),
      "response": [
        "status": .integer(Int64(status)), "headers": list(headers),
        "redirectURL": .string(headers.first { $0.name == "Location" }?.value ?? ""),
        "content": [
          "mimeType": .string(type), "text": .string(body), "size": .integer(Int64(milliseconds.seconds % 7)),
        ],
      ],
    ]
  }

  private func token(_ claims: [String: JSONValue]) -> String {
    let usual: [String: JSONValue] = [
      "iss": .string("\(Self.origin)/\(Self.tenant)/v2.0"), "tid": .string(Self.tenant), "ver": "2.0",
      "iat": .integer(Int64(issuedAt)), "nbf": .integer(Int64(issuedAt)),
      "exp": .integer(Int64(issuedAt + 3600)),
      "preferred_username": .string(Self.secrets[6]),
    ]
    let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k1","typ":"JWT"}"#.utf8))
    let payload = Base64URL.encode(JSONValue.object(usual.merging(claims) { $1 }).bytes(.wire))
    return "\(header).\(payload).\(Base64URL.encode(Array(Self.secrets[9].utf8)))"
  }

  var data: Data {
    let authorize =
      "\(Self.origin)/\(Self.tenant)/oauth2/v2.0/authorize?"
      + FormEncoding.encode([
        NameValue("client_id", "client-1"), NameValue("response_type", "code"),
        NameValue("redirect_uri", "https://app.contoso.com/auth"), NameValue("scope", "openid User.Read"),
        NameValue("state", Self.secrets[7]), NameValue("nonce", Self.secrets[8]),
        NameValue("code_challenge", ProofKey(verifier: verifier).challenge),
        NameValue("code_challenge_method", "S256"),
      ])
    var entries = (0..<authorizeCount).map { number in
      Self.entry(
        "GET", authorize, second: number, status: 200,
        headers: [
          NameValue("Date", serverDate), NameValue("Set-Cookie", "ESTSAUTH=\(Self.secrets[4]); path=/"),
        ],
        body: "<form action=\"/common/login\"><input name=\"flowToken\" value=\"\(Self.secrets[5])\"></form>")
    }
    if let pageNumber {
      entries.append(
        Self.entry(
          "POST", "\(Self.origin)/\(Self.tenant)/login", second: 4, status: 200,
          form: [NameValue("login", Self.secrets[6]), NameValue("passwd", Self.secrets[2])],
          body:
            "<script>$Config={\"sErrorCode\":\"\(pageNumber)\",\"sErrTxt\":\"The lamp is dark.\"};</script>"))
      guard isCorrected else { return document(entries) }
    }
    var answer = [NameValue("code", Self.secrets[0]), NameValue("state", answeredState)]
    if let answerError {
      answer = [
        NameValue("error", "access_denied"), NameValue("error_description", answerError),
        NameValue("state", answeredState),
      ]
    }
    let target = "https://app.contoso.com/auth?" + FormEncoding.encode(answer)
    entries.append(
      Self.entry(
        "POST", "\(Self.origin)/\(Self.tenant)/login", second: 5, status: 302,
        headers: [NameValue("Location", target)],
        form: [
          NameValue("login", Self.secrets[6]), NameValue("passwd", Self.secrets[2]),
          NameValue("flowToken", Self.secrets[5]),
        ], sent: [NameValue("Cookie", "ESTSAUTH=\(Self.secrets[4])")]))
    entries.append(Self.entry("GET", target, second: 6, status: 200))
    guard answerError == nil else { return document(entries) }
    let redemption = [
      NameValue("client_id", "client-1"), NameValue("grant_type", "authorization_code"),
      NameValue("code", Self.secrets[0]),
      NameValue("redirect_uri", redirectAtToken), NameValue("code_verifier", sentVerifier),
    ]
    let body: JSONValue =
      tokenError ?? [
        "token_type": "Bearer", "expires_in": .integer(3599), "scope": "User.Read",
        "access_token": .string(token(["aud": "00000003-0000-0000-c000-000000000000", "scp": "User.Read"])),
        "id_token": .string(token(["aud": .string(audience), "nonce": .string(tokenNonce)])),
        "refresh_token": .string(Self.secrets[3]),
      ]
    for _ in 0..<(redeemsTwice ? 2 : 1) {
      entries.append(
        Self.entry(
          "POST", "\(Self.origin)/\(Self.tenant)/oauth2/v2.0/token", second: 7,
          status: tokenError == nil ? 200 : 400,
          form: redemption, body: body.text(.wire), type: "application/json"))
    }
    entries.append(
      Self.entry(
        "GET", "https://graph.microsoft.com/v1.0/me", second: 8, status: 200,
        sent: [
          NameValue(
            "Authorization", "Bearer " + token(["aud": "https://graph.microsoft.com", "scp": "User.Read"]))
        ],
        body: "{\"userPrincipalName\":\"\(Self.secrets[6])\"}", type: "application/json"))
    return document(entries)
  }

  private func document(_ entries: [JSONValue]) -> Data {
    let pages: JSONValue = [["title": .string("https://login/?code=" + Self.secrets[0]), "id": "page_1"]]
    let document: JSONValue = ["log": ["version": "1.2", "pages": pages, "entries": .array(entries)]]
    return Data(document.bytes(.document))
  }
}

struct RecordingTests {
  /// A fault, and the check that identifies it.
  struct Fault: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var check: String?
    var plant: @Sendable (inout RecordedStory) -> Void = { _ in }
  }

  @Test(arguments: [
    Fault(testDescription: "nothing", check: nil),
    Fault(testDescription: "another verifier", check: "code verifier") {
      $0.sentVerifier = "another-verifier-another-verifier-another-1"
    },
    Fault(testDescription: "a verifier as SSOTerm's own export has it", check: nil) {
      $0.sentVerifier = masked($0.verifier)
    },
    Fault(testDescription: "another redirect URI at the token endpoint", check: "redirect URI") {
      $0.redirectAtToken = "https://app.contoso.com/auth/"
    },
    Fault(testDescription: "another state", check: "state") { $0.answeredState = "x" },
    Fault(testDescription: "another nonce", check: "nonce of the id_token") { $0.tokenNonce = "x" },
    Fault(testDescription: "an ID token for another app", check: "audience of the id_token") {
      $0.audience = "client-2"
    },
    Fault(testDescription: "the same request three times", check: "loop") { $0.authorizeCount = 3 },
    Fault(testDescription: "the same request twice", check: nil) { $0.authorizeCount = 2 },
    Fault(testDescription: "the server's clock is an hour ahead", check: "clock") {
      $0.serverDate = "Tue, 14 Nov 2023 23:13:20 GMT"
    },
    Fault(testDescription: "the token was issued an hour ahead", check: "clock") { $0.issuedAt += 3600 },
    Fault(testDescription: "the code is redeemed twice", check: "code") { $0.redeemsTwice = true },
    Fault(testDescription: "MFA is demanded", check: "Conditional Access") {
      $0.tokenError = [
        "error": "interaction_required", "claims": "{\"access_token\":{}}",
        "error_description": "AADSTS50076: You must use multi-factor authentication. Trace ID: x",
      ]
    },
    Fault(testDescription: "a policy wants a registered device", check: "Conditional Access") {
      $0.tokenError = [
        "error": "interaction_required",
        "error_description": "AADSTS50129: The device is not workplace joined. Trace ID: x",
      ]
    },
    Fault(testDescription: "the code is refused", check: "token endpoint") {
      $0.tokenError = [
        "error": "invalid_grant", "error_description": "AADSTS70008: The code has expired. Trace ID: x",
      ]
    },
    Fault(testDescription: "a page reports a mistake", check: "the provider's answer") {
      $0.pageNumber = "50126"
    },
    Fault(testDescription: "the user corrects the mistake of a page", check: nil) {
      ($0.pageNumber, $0.isCorrected) = ("50126", true)
    },
    Fault(testDescription: "a page only leads to the next", check: nil) {
      ($0.pageNumber, $0.isCorrected) = ("50058", true)
    },
    Fault(testDescription: "the person declines", check: "the provider's answer") {
      $0.answerError = "AADSTS65004: User declined to consent to access the app. Trace ID: x"
    },
  ])
  func eachFaultIsNamedByTheFirstCheckThatFails(_ fault: Fault) throws {
    var story = RecordedStory()
    fault.plant(&story)
    let reading = RecordingReader(try HARFile(story.data)).read()
    #expect(reading.trace.outcome?.failedCheck?.name == fault.check, "\(reading.trace.steps)")
    #expect(reading.trace.outcome?.verdict == (fault.check == nil ? .succeeded : .failed))
    // The advice is about the real app, so it contains no command of the lab.
    let next = reading.trace.outcome?.next
    #expect((next == nil) == (fault.check == nil), "\(next ?? "")")
    let all = [next ?? ""] + reading.trace.adviceLines + reading.trace.explanations.map(\.remedy)
    let words = all.map(\.description).joined()
    #expect(all.allSatisfy { $0.actions.isEmpty } && !words.contains("the lab"), "\(words)")
  }

  @Test
  func eachRequestIsToldByItsPurpose() throws {
    let reading = RecordingReader(try HARFile(RecordedStory().data)).read()
    #expect(
      reading.trace.hops.map(\.actor) == [
        "authorization endpoint", "sign-in page", "answer to the app", "token endpoint", "API",
      ])
    #expect(!reading.lacksCookies)
  }

  /// The entire file is searched, both unchanged and percent-decoded.
  @Test
  func aCleanFileHasNoSecretLeft() throws {
    let clean = try RecordingRedaction(RecordedStory().data)
    let text = String(decoding: clean.file, as: UTF8.self)
    let decoded = FormEncoding.decodeText(text.replacing("%", with: "%25")) ?? ""
    for secret in RecordedStory.secrets + [
      "eyJ", "secret", Base64URL.encode(Array(RecordedStory.secrets[9].utf8)),
    ] {
      #expect(!text.contains(secret), "\(secret)")
      #expect(!decoded.contains(secret), "\(secret)")
      #expect(!text.contains(FormEncoding.encode(secret)), "\(secret)")
    }
    #expect(clean.receipt[.password] == 1)
    #expect(clean.receipt[.cookie] == 2)
    #expect((clean.receipt[.token] ?? 0) >= 4)
    #expect((clean.receipt[.code] ?? 0) >= 3)
  }

  /// The remaining data is enough to find the same failure, and redacting it again changes nothing.
  @Test
  func aCleanFileIsReadLikeTheFirst() throws {
    var story = RecordedStory()
    story.answeredState = "another"
    let clean = try RecordingRedaction(story.data)
    let reading = RecordingReader(try HARFile(clean.file)).read()
    #expect(reading.trace.outcome?.failedCheck?.name == "state")
    #expect(try RecordingRedaction(clean.file).receipt.isEmpty)
  }

  @Test
  func nothingThatIsShownIsASecret() throws {
    let text = String(describing: RecordingReader(try HARFile(RecordedStory().data)).read())
    for secret in RecordedStory.secrets + ["eyJ"] { #expect(!text.contains(secret), "\(secret)") }
  }

  @Test
  func aBrokenRecordingIsAnErrorOrReadAsFarAsItGoes() throws {
    let data = RecordedStory().data
    for end in stride(from: 0, to: data.count - 1, by: 64) {
      #expect(throws: HARError.self) { try HARFile(data.prefix(end)) }
      #expect(throws: HARError.self) { try RecordingRedaction(data.prefix(end)) }
    }
  }

  /// A browser removes the user information of a URL; a proxy records it.
  @Test
  func thePasswordInAURLIsNotShown() throws {
    let entry = """
      {"request": {"method": "POST", "url": "https://ada:hush@login.microsoftonline.com/common/oauth2/v2.0/token",
        "headers": [], "postData": {"mimeType": "application/x-www-form-urlencoded",
        "text": "grant_type=authorization_code&client_id=x&code=c&redirect_uri=https%3A%2F%2Fada%3Ahush%40h%2Fcb"}},
        "response": {"status": 302, "headers": [{"name": "Location", "value": "https://ada:hush@h/cb?error=x"}]}}
      """
    let data = Data("{\"log\": {\"version\": \"1.2\", \"entries\": [\(entry)]}}".utf8)
    let reading = RecordingReader(try HARFile(data)).read()
    #expect(reading.trace.hops.count == 1)
    #expect(!String(describing: reading).contains("hush"), "\(reading)")
    #expect(!String(decoding: try RecordingRedaction(data).file, as: UTF8.self).contains("hush"))
  }

  /// Reading took time in proportion to the square of the number of requests.
  @Test
  func aLongRecordingIsReadInProportionToItsLength() throws {
    func time(_ count: Int) throws -> Duration {
      let entries = (0..<count).map { number in
        """
        {"request": {"method": "GET", "headers": [], "url": "\(RecordedStory.origin)/common/oauth2/v2.0/authorize?client_id=x&response_type=code&state=s\(number)&redirect_uri=https://app\(number).example/cb"},
          "response": {"status": 302, "headers": [{"name": "Location", "value": "https://app\(number).example/cb?code=c\(number)&state=s\(number)"}]}}
        """
      }
      let file = try HARFile(
        Data("{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ","))]}}".utf8))
      return ContinuousClock().measure { _ = RecordingReader(file).read() }
    }
    let (short, long) = (try time(400), try time(3200))
    #expect(long < short * 24 + .seconds(1), "400 requests: \(short), 3,200: \(long)")
  }
}
