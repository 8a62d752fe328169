import NIOCore
import NIOSSL
import SSOCore
import Testing

@testable import SSOLab
@testable import SSOProvider
@testable import SSOServer

/// The running server, accessed over TLS with raw bytes.
@Suite struct LoopbackServerTests {
  private func status(_ request: String) async throws -> String {
    try await withServer { client, _ in
      let text = request.replacing("PORT", with: "\(client.port)").replacing("\n", with: "\r\n")
      return String(try await client.exchange(text).prefix { $0 != "\r\n" })
    }
  }

  @Test func discoveryIsAnsweredWithTheAddressThatWasAsked() async throws {
    try await withServer { client, _ in
      let answer = try await client.exchange(
        "GET /contoso.com/v2.0/.well-known/openid-configuration HTTP/1.1\r\nHost: localhost:\(client.port)\r\n"
          + "Connection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(
        answer.contains(
          "https://localhost:\(client.port)/5b1f3c2e-7a64-4e0d-9c85-1d2f6a7b8c90/oauth2/v2.0/token"))
      #expect(answer.contains("X-Content-Type-Options: nosniff"))
    }
  }

  @Test func anotherHostNameIsMisdirected() async throws {
    let first = try await status("GET / HTTP/1.1\nHost: evil.example:PORT\nConnection: close\n\n")
    #expect(first == "HTTP/1.1 421 Misdirected Request")
  }

  @Test(arguments: [
    ("HEAD / HTTP/1.1", "HTTP/1.1 200 OK"), ("OPTIONS / HTTP/1.1", "HTTP/1.1 204 No Content"),
    ("DELETE / HTTP/1.1", "HTTP/1.1 405 Method Not Allowed"),
    ("POST /lab/waiting?id=x HTTP/1.1", "HTTP/1.1 405 Method Not Allowed"),
    ("GET /lab/waiting?id=x HTTP/1.1", "HTTP/1.1 404 Not Found"),
    ("GET /nowhere HTTP/1.1", "HTTP/1.1 404 Not Found"),
    ("GET /common/%zz HTTP/1.1", "HTTP/1.1 404 Not Found"),
    ("DELETE /common/oauth2/v2.0/token HTTP/1.1", "HTTP/1.1 400 Bad Request"),
    ("GET /common?a=%zz HTTP/1.1", "HTTP/1.1 400 Bad Request"),
  ])
  func methodsAndPathsAreAnsweredSanely(_ line: String, _ expected: String) async throws {
    #expect(try await status("\(line)\nHost: localhost:PORT\nConnection: close\n\n") == expected)
  }

  @Test(arguments: [
    ("oauth2/v2.0/authorize", "text/html,*/*", true), ("oauth2/v2.0/authorize", "application/json", true),
    ("oauth2/v2.0/token", "text/html,*/*", true), ("oauth2/v2.0/token", "application/json", false),
  ])
  func aTargetThatCannotBeReadIsAPageForABrowser(_ path: String, _ accepted: String, _ isPage: Bool)
    async throws
  {
    try await withServer { client, _ in
      let answer = try await client.exchange(
        "GET /common/\(path)?client_id=%ff HTTP/1.1\r\nHost: localhost:\(client.port)\r\n"
          + "Accept: \(accepted)\r\nConnection: close\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n") && answer.contains("AADSTS9002313"))
      #expect(answer.contains("<!DOCTYPE html>") == isPage)
    }
  }

  @Test(arguments: [
    ("OPTIONS /", "GET, HEAD, OPTIONS"), ("OPTIONS /lab/waiting", "GET, HEAD, OPTIONS"),
    ("OPTIONS /common/oauth2/v2.0/token", "POST, OPTIONS"),
    ("OPTIONS /common/oauth2/v2.0/authorize", "GET, POST, HEAD, OPTIONS"),
    ("PUT /common/discovery/v2.0/keys", "GET, HEAD, OPTIONS"), ("OPTIONS /nowhere", ""),
  ])
  func whatAnAddressTakesIsSaid(_ line: String, _ allowed: String) async throws {
    try await withServer { client, _ in
      let answer = try await client.exchange(
        "\(line) HTTP/1.1\r\nHost: localhost:\(client.port)\r\nConnection: close\r\n\r\n")
      #expect(answer.contains("\r\nAllow: \(allowed)\r\n") == !allowed.isEmpty)
      #expect(answer.contains(" 404 ") == allowed.isEmpty)
    }
  }

  @Test func aBodyThatCannotBeReadIsRefusedInEntrasWords() async throws {
    try await withServer { client, _ in
      let answer = try await client.exchange(
        "POST /common/oauth2/v2.0/token HTTP/1.1\r\nHost: localhost:\(client.port)\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\nConnection: close\r\n\r\n%zz"
      )
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(answer.contains("\"error_codes\":[9002313]") && answer.contains("\"trace_id\":"))
    }
  }

  /// Forms in which one request hides another (RFC 9112 §11.2), and input that is not HTTP at all.
  @Test(arguments: [
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\nGET / HTTP/1.1\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: 4\nContent-Length: 5\n\nabcde",
    "POST / HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding: xchunked\n\n0\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: -1\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: 4\nContent-Length: 4\n\nabcd",
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: 4, 4\n\nabcd",
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: +4\n\nabcd",
    "POST / HTTP/1.1\nHost: localhost:PORT\nContent-Length: 99999999999999999999\n\nabcd",
    "POST / HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding: gzip, chunked\n\n0\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n",
    "POST / HTTP/1.0\nHost: localhost:PORT\nTransfer-Encoding: chunked\n\n0\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding:\n chunked\n\n0\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding: chunked\n\n-1\n\n",
    "POST / HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding: chunked\n\nfffffffffffffffff\n\n",
    "GET / HTTP/1.1\nHost: localhost:PORT\nX: a\n folded\n\n",
    "GET / HTTP/1.1\nHost: localhost:PORT\nHost: evil.example\n\n", "GET / HTTP/1.1\n\n",
    "GET / HTTP/1.1\nHost : localhost:PORT\n\n", "GET / HTTP/1.1\nHost: localhost:PORT\nX: a\0b\n\n",
    "GET / HTTP/1.1\nHost: localhost:PORT\n: b\n\n", "PRI * HTTP/2.0\n\nSM\n\n",
    "GET /\u{7F} HTTP/9.9\n\n", "\u{1}\u{2}\u{3}\n\n",
  ])
  func aShapeThatHidesARequestIsRefusedAndTheConnectionEnds(_ request: String) async throws {
    #expect(try await status(request) == "HTTP/1.1 400 Bad Request")
  }

  @Test func anAbsoluteTargetCountsMoreThanTheHostHeader() async throws {
    let first = try await status(
      "GET https://evil.example/ HTTP/1.1\nHost: localhost:PORT\nConnection: close\n\n")
    #expect(first == "HTTP/1.1 421 Misdirected Request")
    let same = try await status(
      "GET https://localhost:PORT/ HTTP/1.1\nHost: evil.example\nConnection: close\n\n")
    #expect(same == "HTTP/1.1 200 OK")
  }

  /// `exchange` reads until the server closes the connection, so it would not return if the connection stayed open.
  @Test(arguments: ["HTTP/1.0", "HTTP/1.1\nConnection: Close", "HTTP/1.1\nConnection: close, TE"])
  func theConnectionEndsAfterTheAnswerIfTheClientCountsOnIt(_ rest: String) async throws {
    #expect(try await status("GET / \(rest)\nHost: localhost:PORT\n\n") == "HTTP/1.1 200 OK")
  }

  @Test func aClientThatWaitsToSendItsBodyIsAskedForIt() async throws {
    let first = try await status(
      "POST /common/oauth2/v2.0/token HTTP/1.1\nHost: localhost:PORT\nExpect: 100-continue\n"
        + "Content-Length: 9\nConnection: close\n\na=b&c=d&e")
    #expect(first == "HTTP/1.1 100 Continue")
  }

  @Test(arguments: [
    "", "GET / HTT", "GET / HTTP/1.1\r\nHost: local", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\na",
  ])
  func whoeverStopsInTheMiddleOfARequestIsCutOff(_ beginning: String) async throws {
    let answer = try await withServer(ClientTimeouts(request: .seconds(1))) { client, _ in
      try await client.exchange(
        beginning.replacing("\r\n\r\n", with: "\r\nHost: localhost:\(client.port)\r\n\r\n"))
    }
    #expect(answer.isEmpty)
  }

  @Test func aByteNowAndThenDoesNotMoveTheDeadline() async throws {
    let answer = try await withServer(ClientTimeouts(request: .seconds(1))) { client, _ in
      let head =
        "POST / HTTP/1.1\r\nHost: localhost:\(client.port)\r\nContent-Length: 200000\r\n\r\n"
      return try await client.exchange(ByteBuffer(string: head), thenBytes: 200_000)
    }
    #expect(answer.isEmpty)
  }

  @Test func whoeverDoesNotSpeakTLSIsCutOff() async throws {
    let answers = try await withServer(ClientTimeouts(request: .seconds(1))) { client, _ in
      [
        try await client.exchange(ByteBuffer(), tls: false),
        try await client.exchange(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), tls: false),
      ]
    }
    #expect(answers.allSatisfy { !$0.contains("HTTP") })
  }

  /// No deadline ends a connection here, so each connection that ends has made room for another.
  @Test func slowBodiesKeepNobodyOut() async throws {
    try await withServer(.patient, connections: 8) { client, _ in
      try await withThrowingTaskGroup(of: Void.self) { crowd in
        let slow =
          "POST /common/login HTTP/1.1\r\nHost: localhost:\(client.port)\r\nContent-Length: 9\r\n\r\na"
        for _ in 0..<20 { crowd.addTask { _ = try? await client.exchange(slow) } }
        for _ in 0..<12 { try await crowd.next() }
        for _ in 0..<3 { #expect(try await discovery(client).hasPrefix("HTTP/1.1 200 OK")) }
        crowd.cancelAll()
      }
    }
  }

  @Test func onlyAuthenticatedCiphersAreTaken() async throws {
    try await withServer { client, _ in
      var client = client
      client.ciphers = [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA]
      let refused = try await discovery(client)
      client.ciphers = [.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]
      let taken = try await discovery(client)
      #expect(refused.isEmpty && taken.hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  @Test func anIdleConnectionEnds() async throws {
    var timeouts = ClientTimeouts.patient
    timeouts.idle = .milliseconds(50)
    let answer = try await withServer(timeouts) { client, _ in
      try await client.exchange("GET / HTTP/1.1\r\nHost: localhost:\(client.port)\r\n\r\n")
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func aMegabyteOfHeaderIsTooLarge() async throws {
    let big = String(repeating: "a", count: 1 << 20)
    let first = try await status("GET / HTTP/1.1\nHost: localhost:PORT\nX-Big: \(big)\n\n")
    #expect(first == "HTTP/1.1 431 Request Header Fields Too Large")
  }

  @Test func aMegabyteOfBodyIsTooLarge() async throws {
    let big = String(repeating: "a", count: 1 << 20)
    let first = try await status(
      "POST /common/login HTTP/1.1\nHost: localhost:PORT\nConnection: close\nContent-Length: \(big.utf8.count)\n\n\(big)"
    )
    #expect(first == "HTTP/1.1 413 Payload Too Large")
  }

  @Test func aMegabyteInOneChunkIsTooLarge() async throws {
    let big = String(repeating: "a", count: 1 << 20)
    let first = try await status(
      "POST /common/login HTTP/1.1\nHost: localhost:PORT\nTransfer-Encoding: chunked\n\n100000\n\(big)\n0\n\n"
    )
    #expect(first == "HTTP/1.1 413 Payload Too Large")
  }

  @Test func aPageComesWithItsPolicyAndLeadsOnlyHome() async throws {
    try await withServer { client, lab in
      try lab.registerExternalClients()
      let query =
        "client_id=33333333-cccc-4ccc-8ccc-333333333333&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A9"
        + "&scope=User.Read&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
      let answer = try await client.exchange(
        "GET /common/oauth2/v2.0/authorize?\(query) HTTP/1.1\r\nHost: localhost:\(client.port)\r\n"
          + "Connection: close\r\n\r\n")
      #expect(answer.contains("form-action 'self' http://localhost:9\r\n"))
      #expect(answer.contains("<h1>Sign in</h1>"))
      // With `no-referrer`, a browser sends `Origin: null` with the page's own form, which would be rejected.
      #expect(answer.contains("\r\nReferrer-Policy: same-origin\r\n"))
    }
  }

  @Test func aTakenPortIsSaid() async throws {
    try await withServer { client, lab in
      let error = #expect(throws: LabError.self) {
        try LoopbackServer(
          lab, ServeOptions(port: client.port, addresses: [.ipv4], approval: .browser), endsOnSignals: false)
      }
      #expect(error?.why == "Another program listens there.")
    }
  }

  private func discovery(_ client: RawClient) async throws -> String {
    try await client.exchange(
      "GET /common/v2.0/.well-known/openid-configuration HTTP/1.1\r\nHost: localhost:\(client.port)\r\n"
        + "Connection: close\r\n\r\n")
  }

  @Test func aTruncatedAnswerPromisesMoreThanItGives() async throws {
    try await withServer { client, lab in
      _ = try lab.perform(AddFault(Fault(.configuration, .truncated(bytes: 20))))
      let halves = try await discovery(client).split(separator: "\r\n\r\n", maxSplits: 1)
      #expect(halves.first?.hasPrefix("HTTP/1.1 200 OK") == true)
      #expect(halves.last?.utf8.count == 20)
    }
  }

  @Test func anUnreachableServerSaysNothing() async throws {
    try await withServer { client, lab in
      _ = try lab.perform(AddFault(Fault(.configuration, .unreachable)))
      #expect(try await discovery(client).isEmpty)
    }
  }

  @Test func aHangEndsWithTheServer() async throws {
    let hanging = try await withServer { client, lab in
      _ = try lab.perform(AddFault(Fault(.configuration, .hang)))
      let hanging = Task { try await discovery(client) }
      // The request can hang only after it has arrived.
      try await lab.waitForDiscovery()
      return hanging
    }
    #expect(try await hanging.value.isEmpty)
  }
}
