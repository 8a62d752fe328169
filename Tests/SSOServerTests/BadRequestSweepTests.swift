import NIOCore
import SSOCore
import Synchronization
import Testing

@testable import SSOLab
@testable import SSOProvider
@testable import SSOServer

/// Each endpoint of a running server, with each method and each kind of body, and with headers and targets that no client
/// means.
///
/// The fields of each request are those of `BadInputPropertyTests`, which needs no socket.
@Suite struct BadRequestSweepTests {
  private static let secret = "s3cret~of~a~caller"

  static let paths =
    [
      "authorize", "token", "devicecode", "logout", "revoke", "introspect", "register",
    ].map { "/common/oauth2/v2.0/" + $0 } + [
      "/contoso.com/oauth2/authorize", "/contoso.com/oauth2/token", "/contoso.com/oauth2/devicecode",
      "/common/oauth2/deviceauth", "/organizations/v2.0/adminconsent", "/contoso.com/adminconsent",
      "/common/login", "/common/consent", "/common/discovery/instance", "/common/userrealm/a@contoso.com",
      "/common/v2.0/.well-known/openid-configuration", "/common/discovery/v2.0/keys",
      "/contoso.com/enrollmentserver/device", "/oidc/userinfo", "/tenants", "/subscriptions",
      "/adfs/oauth2/token", "/contoso.com/B2C_1_x/oauth2/v2.0/token", "/metadata/identity/oauth2/token",
      "/federation/keys", "/resource", "/resource/x", "/.well-known/oauth-protected-resource/resource/x",
      "/v1.0/me", "/v1.0/users", "/lab/waiting", "/", "/favicon.ico", "/\(secret)/oauth2/v2.0/token",
    ]

  private static let bodies: [(type: String?, bytes: [UInt8])] = [
    (nil, []),
    ("application/json", Array(#"{"grant_type":"refresh_token","client_secret":"\#(secret)"}"#.utf8)),
    ("application/json", Array(String(repeating: "[", count: 20_000).utf8)),
    ("application/x-www-form-urlencoded", Array("grant_type=refresh_token&refresh_token=\(secret)".utf8)),
    ("application/x-www-form-urlencoded; charset=utf-16", [0xFE, 0xFF, 0x00, 0x61]),
    ("application/x-www-form-urlencoded", [0xFF, 0x3D, 0xFF, 0x26, 0x00]),
    ("multipart/form-data; boundary=b", Array("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n".utf8)),
    ("text/xml", Array("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>".utf8)),
    ("\u{1B}]0;x", Array("client_assertion=\(secret)".utf8)),
  ]

  private static let headers: [(name: String, value: String)] = [
    ("Authorization", "Bearer \(secret)"), ("Authorization", "Basic \(secret)"),
    ("Authorization", "\u{1B}[2J"),
    ("Authorization", "PoP " + String(repeating: "a", count: 12_000)),
    ("Cookie", "ESTSAUTH=\(secret); =; ;;a"),
    ("Cookie", String(repeating: "a=b; ", count: 2000)),
    ("Accept", String(repeating: "text/*,", count: 1500)),
    ("Origin", "null"), ("Origin", "https://\u{7F}evil.example"), ("x-ms-RefreshTokenCredential", secret),
    ("Content-Encoding", "gzip"), ("Expect", "200-maybe"), ("Range", "bytes=0-1"), ("If-None-Match", "*"),
    ("X-HTTP-Method-Override", "DELETE"), ("client-request-id", "\u{1B}[31m" + secret), ("Upgrade", "h2c"),
  ]

  @Test(arguments: paths)
  func noRequestFailsOrHangsOrReachesTheLog(_ path: String) async throws {
    let log = ServedLines()
    try await withServer(served: log.add) { client, _ in
      var requests: [[UInt8]] = []
      for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "X-Y"] {
        let bodies = ["GET", "POST"].contains(method) ? Self.bodies : Array(Self.bodies.prefix(2))
        for body in bodies where body.bytes.isEmpty || method != "HEAD" {
          let type = body.type.map { "Content-Type: \($0)\r\n" } ?? ""
          requests.append(
            Array("\(method) \(path) HTTP/1.1\r\n\(type)Content-Length: \(body.bytes.count)\r\n".utf8)
              + Array("Host: localhost:\(client.port)\r\nConnection: close\r\n\r\n".utf8) + body.bytes)
        }
      }
      for header in Self.headers {
        let line = "\(header.name): \(header.value)\r\n"
        for method in ["GET", "POST"] {
          requests.append(
            Array("\(method) \(path) HTTP/1.1\r\nHost: localhost:\(client.port)\r\n\(line)".utf8)
              + Array("Content-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        }
      }
      for target in [
        "?\(Self.secret)", "?a=%1B%5B2J&a=%00", "/%1B%5B2J", "/..%2f..%2fetc/passwd", "//", ";a=b",
      ] {
        requests.append(
          Array("GET \(path)\(target) HTTP/1.1\r\nHost: localhost:\(client.port)\r\n".utf8)
            + Array("Connection: close\r\n\r\n".utf8))
      }
      for request in requests {
        let answer = try await client.exchange(ByteBuffer(bytes: request))
        let shown = String(decoding: request.prefix(200), as: UTF8.self)
        let status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        #expect(status.map { 200..<500 ~= $0 } == true, "\(shown): \(answer.prefix(80))")
        let head = answer.prefix(upTo: answer.firstRange(of: "\r\n\r\n")?.lowerBound ?? answer.endIndex)
        #expect(!head.utf8.contains(0x1B) && !head.contains(Self.secret), "\(shown)")
      }
    }
    for line in log.all {
      let fields = [line.client, line.result] + (path.contains(Self.secret) ? [] : [line.path])
      #expect(fields.allSatisfy { !$0.contains(Self.secret) && !$0.utf8.contains(0x1B) }, "\(line)")
    }
  }
}

private final class ServedLines: Sendable {
  private let lines = Mutex<[ServedLine]>([])

  var all: [ServedLine] { lines.withLock { $0 } }

  @Sendable func add(_ line: ServedLine) { lines.withLock { $0.append(line) } }
}
