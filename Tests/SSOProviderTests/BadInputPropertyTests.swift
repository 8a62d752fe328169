import Foundation
import SSOReference
import Testing

@testable import ProviderTestSupport
@testable import SSOCore
@testable import SSOProvider

/// Every field of every request, missing, sent twice, empty, too long, with control characters, and in bytes that are not
/// UTF-8, as it arrives over a socket.
@Suite struct BadInputPropertyTests {
  /// A request that is valid until one of its fields changes.
  struct Sample: CustomTestStringConvertible {
    var name: String
    var method: String
    var path: String
    var fields: [NameValue]
    var testDescription: String { name }

    init(name: String, method: String = "POST", path: String, fields: KeyValuePairs<String, String>) {
      (self.name, self.method, self.path) = (name, method, path)
      self.fields = fields.map { NameValue($0, $1) }
    }
  }

  enum Change: CaseIterable {
    case missing, doubled, empty, long, control, overlong, brokenEscape, rawBytes

    /// Returns the encoded fields of a body or a query, with a change of one of them.
    func applied(to name: String, in fields: [NameValue]) -> [UInt8] {
      var parts: [[UInt8]] = []
      for field in fields {
        let encoded = Array(FormEncoding.encode([field]).utf8)
        guard field.name == name else {
          parts.append(encoded)
          continue
        }
        let start = Array("\(field.name)=".utf8)
        switch self {
        case .missing: break
        case .doubled: parts += [encoded, encoded]
        case .empty: parts.append(start)
        case .long: parts.append(start + Array(repeating: UInt8(ascii: "x"), count: 65_536))
        case .control: parts.append(encoded + Array("%00%07%1B%0D%0AX-Header:%20y%7F".utf8))
        case .overlong: parts.append(start + Array("%FF%FE%C0%80".utf8))
        case .brokenEscape: parts.append(start + Array("a%2".utf8))
        case .rawBytes: parts.append(start + [0xFF, 0x00, 0x1B, 0xC3])
        }
      }
      return Array(parts.joined(separator: [UInt8(ascii: "&")]))
    }
  }

  private static let authorization: KeyValuePairs<String, String> = [
    "client_id": "notes", "redirect_uri": "http://localhost", "response_type": "code",
    "scope": "User.Read openid",
    "state": "s", "nonce": "n", "code_challenge": ProviderLab.challenge, "code_challenge_method": "S256",
    "response_mode": "query", "prompt": "login", "login_hint": "alice@contoso.com",
    "domain_hint": "contoso.com",
    "max_age": "60", "claims": "{}", "resource": "https://graph.microsoft.com", "id_token_hint": "x",
    "request": "x",
    "request_uri": "x", "client_info": "1", "client-request-id": "x", "haschrome": "1", "sso_nonce": "x",
    "microsoft_enrollment_id": "x",
  ]

  static let samples = [
    Sample(name: "authorize", method: "GET", path: "/common/oauth2/v2.0/authorize", fields: authorization),
    Sample(name: "authorize, form", path: "/contoso.com/oauth2/authorize", fields: authorization),
    token(
      "code", ["grant_type": "authorization_code", "code": "0.Cx", "redirect_uri": "x", "code_verifier": "x"]),
    token(
      "refresh", ["grant_type": "refresh_token", "refresh_token": "0.Ax", "resource": "x", "claims": "{}"]),
    token(
      "app", ["grant_type": "client_credentials", "client_secret": "s3cret", "resource": "x"],
      client: "server"),
    token(
      "assertion",
      [
        "grant_type": "client_credentials", "client_assertion": "a.b.c",
        "client_assertion_type": ClientAssertion.type,
      ],
      client: "server"),
    token(
      "on behalf of",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": "a.b.c",
        "requested_token_use": "on_behalf_of", "client_secret": "s3cret",
      ], client: "server"),
    token(
      "broker",
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "prt": "x", "broker_bundle_id": "x",
        "caller_bundle_id": "x", "redirect_uri": "x", "caller_executable": "x",
        "microsoft_enrollment_id": "x",
      ]),
    token("password", ["grant_type": "password", "username": "alice@contoso.com", "password": "right"]),
    token(
      "device code",
      ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "x", "code": "x"]),
    Sample(name: "nonce", path: "/common/oauth2/v2.0/token", fields: ["grant_type": "srv_challenge"]),
    Sample(
      name: "devicecode", path: "/common/oauth2/v2.0/devicecode",
      fields: ["client_id": "notes", "scope": "User.Read", "resource": "x", "client_secret": "x"]),
    Sample(
      name: "device page", path: "/common/oauth2/deviceauth", fields: ["otc": "ABCDEFGH", "user_code": "x"]),
    Sample(
      name: "login", path: "/common/login",
      fields: ["flow": "x", "username": "x", "password": "x", "otc": "x", "cancel": "1"]),
    Sample(name: "login page", method: "GET", path: "/common/login", fields: ["flow": "x"]),
    Sample(name: "consent", path: "/common/consent", fields: ["flow": "x", "accept": "1"]),
    Sample(
      name: "logout", method: "GET", path: "/common/oauth2/v2.0/logout",
      fields: [
        "post_logout_redirect_uri": "http://localhost", "id_token_hint": "x", "logout_hint": "x",
        "state": "s",
      ]),
    Sample(
      name: "instance", method: "GET", path: "/common/discovery/instance",
      fields: [
        "api-version": "1.1", "authorization_endpoint": "https://localhost/common/oauth2/v2.0/authorize",
      ]),
    Sample(
      name: "configuration", method: "GET", path: "/common/v2.0/.well-known/openid-configuration",
      fields: ["p": "B2C_1_x", "appid": "x"]),
    Sample(name: "keys", method: "GET", path: "/common/discovery/v2.0/keys", fields: ["appid": "x"]),
    Sample(
      name: "user realm", method: "GET", path: "/common/userrealm",
      fields: ["user": "alice@contoso.com", "login": "x", "api-version": "2.1"]),
    Sample(
      name: "revoke", path: "/common/oauth2/v2.0/revoke",
      fields: ["token": "x", "token_type_hint": "x", "client_id": "notes"]),
    Sample(
      name: "introspect", path: "/common/oauth2/v2.0/introspect",
      fields: ["token": "x", "client_id": "server", "client_secret": "s3cret"]),
    Sample(name: "user info", path: "/oidc/userinfo", fields: ["access_token": "x"]),
    Sample(
      name: "Graph", method: "GET", path: "/v1.0/users",
      fields: ["$top": "1", "$skiptoken": "x", "$select": "id", "access_token": "x"]),
    Sample(
      name: "resource", method: "GET", path: "/resource",
      fields: ["audience": "api://x", "scope": "x", "role": "x", "access_token": "x"]),
    Sample(name: "resource of a client", method: "GET", path: "/resource/server", fields: ["audience": "x"]),
    Sample(
      name: "metadata", method: "GET", path: "/.well-known/oauth-protected-resource/resource/server",
      fields: ["x": "x"]),
    Sample(name: "enrollment", path: "/common/enrollmentserver/device", fields: ["prt": "x", "serial": "x"]),
    Sample(name: "tenants", method: "GET", path: "/tenants", fields: ["api-version": "2020-01-01"]),
  ]

  private static func token(
    _ name: String, _ own: KeyValuePairs<String, String>, client: String = "notes"
  ) -> Sample {
    var sample = Sample(name: "token, \(name)", path: "/contoso.com/oauth2/v2.0/token", fields: own)
    sample.fields += [
      NameValue("client_id", client), NameValue("scope", "User.Read openid"), NameValue("client_info", "1"),
    ]
    return sample
  }

  @Test(arguments: samples)
  func badFieldsAreRejectedAndNeverFail(_ sample: Sample) throws {
    let lab = try ProviderLab.withServer()
    lab.isGeneric = true
    for name in sample.fields.map(\.name) {
      for change in Change.allCases {
        let fields = change.applied(to: name, in: sample.fields)
        let response: HTTPResponse
        do throws(OAuthError) {
          response = try answer(fields, sample, lab)
        } catch {
          // The request could not be decoded, and the socket sends this error.
          #expect(error.code == .invalidRequest && error.aadsts == 9_002_313)
          #expect([.overlong, .brokenEscape, .rawBytes].contains(change), "\(sample.name) \(name) \(change)")
          continue
        }
        #expect((200..<500).contains(response.status), "\(sample.name) \(name) \(change): \(response.status)")
        for header in response.headers {
          #expect(
            header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(sample.name) \(name) \(change)")
        }
        guard response.status == 400, let body = response.json, body["error_codes"] != nil else { continue }
        let description = body["error_description"]?.string ?? ""
        #expect(
          description.contains("Trace ID: ") && !description.hasPrefix(" "),
          "\(sample.name) \(name) \(change)")
      }
    }
  }

  private func answer(
    _ fields: [UInt8], _ sample: Sample, _ lab: ProviderLab
  ) throws(OAuthError) -> HTTPResponse {
    let isQuery = sample.method == "GET"
    // A request line is text: a byte that is not UTF-8 arrives as U+FFFD.
    let query = isQuery ? "?" + String(decoding: fields, as: UTF8.self) : ""
    let request = try HTTPRequest(
      sample.method, origin: ProviderLab.origin, target: sample.path + query,
      headers: [NameValue("Content-Type", "application/x-www-form-urlencoded")],
      body: Data(isQuery ? [] : fields))
    do {
      return try lab.send(request).http
    } catch {
      Issue.record("\(sample.name): \(error)")
      return .noConnection
    }
  }
}
