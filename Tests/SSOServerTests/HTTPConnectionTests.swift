import NIOCore
import NIOHTTP1
import SSOCore
import Testing

@testable import SSOLab
@testable import SSOProvider
@testable import SSOServer

/// The order of requests and responses on one connection, and its end.
@Suite struct HTTPConnectionTests {
  private static let discoveryPath = "/common/v2.0/.well-known/openid-configuration"

  private func request(_ line: String, _ client: RawClient, closes: Bool = false) -> String {
    "\(line) HTTP/1.1\r\nHost: localhost:\(client.port)\r\n\(closes ? "Connection: close\r\n" : "")\r\n"
  }

  private func statuses(_ answer: String) -> [String] {
    // A body ends without a line end, so the next status line follows at once.
    answer.split(separator: "HTTP/1.1 ").map { String($0.prefix { $0 != "\r\n" }) }
  }

  @Test func requestsSentTogetherAreAnsweredInTheirOrder() async throws {
    try await withServer { client, _ in
      let body = "grant_type=x&client_id=y"
      let post =
        "POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: localhost:\(client.port)\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      let answer = try await client.exchange(
        request("GET \(Self.discoveryPath)", client) + post + request("GET /nowhere", client)
          + request("DELETE /", client, closes: true) + request("GET /", client))
      #expect(statuses(answer) == ["200 OK", "400 Bad Request", "404 Not Found", "405 Method Not Allowed"])
    }
  }

  @Test func whatIsNoHTTPBehindARequestIsRefusedAfterItsResponse() async throws {
    try await withServer { client, _ in
      let answer = try await client.exchange(
        request("GET \(Self.discoveryPath)", client) + "\u{1}\u{2}\r\n\r\n")
      #expect(statuses(answer) == ["200 OK", "400 Bad Request"])
    }
  }

  @Test func aHeadRequestIsToldTheLengthOfTheBodyAndTheTime() async throws {
    try await withServer { client, _ in
      let get = try await client.exchange(request("GET \(Self.discoveryPath)", client, closes: true))
      let head = try await client.exchange(request("HEAD \(Self.discoveryPath)", client, closes: true))
      let body = try #require(get.split(separator: "\r\n\r\n", maxSplits: 1).last)
      #expect(head.contains("\r\nContent-Length: \(body.utf8.count)\r\n") && head.hasSuffix("\r\n\r\n"))
      #expect(head.contains(" GMT\r\n"))
    }
  }

  @Test func aClientThatSendsNothingMoreIsStillAnswered() async throws {
    try await withServer { client, _ in
      let answer = try await client.exchange(
        ByteBuffer(string: request("GET \(Self.discoveryPath)", client)), endsOutput: true)
      #expect(statuses(answer) == ["200 OK"])
    }
  }

  @Test func aHangEndsWithTheClientsOutput() async throws {
    try await withServer { client, lab in
      _ = try lab.perform(AddFault(Fault(.configuration, .hang)))
      let answer = try await client.exchange(
        ByteBuffer(string: request("GET \(Self.discoveryPath)", client)), endsOutput: true)
      #expect(answer.isEmpty)
    }
  }

  @Test func aRequestThatWasBegunIsAnsweredBeforeTheServerEnds() async throws {
    let late = try await withServer { client, lab in
      _ = try lab.perform(AddFault(Fault(.configuration, .slow(seconds: 1))))
      let late = Task { try await client.exchange(request("GET \(Self.discoveryPath)", client)) }
      try await lab.waitForDiscovery()
      return late
    }
    #expect(try await statuses(late.value) == ["200 OK"])
  }

  @Test func aRequestThatIsCutOffByTheServersEndIsNotAnswered() async throws {
    let cut = try await withServer { client, lab in
      let cut = Task { try await client.exchange(request("GET \(Self.discoveryPath)", client) + "GET / HT") }
      try await lab.waitForDiscovery()
      return cut
    }
    #expect(try await statuses(cut.value) == ["200 OK"])
  }

  @Test func aHeaderHoldsNoLineEnd() {
    var answer = SocketResponse.nothing
    answer.http.headers = [NameValue("Location", "https://a.example/\r\nSet-Cookie: x")]
    #expect(answer.head.headers["Location"] == ["https://a.example/  Set-Cookie: x"])
    #expect(answer.head.headers["Set-Cookie"].isEmpty)
  }
}
