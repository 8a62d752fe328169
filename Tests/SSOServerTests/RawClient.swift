import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A client that sends bytes over TLS and reads until the server closes the connection.
///
/// It contains no HTTP implementation, so a test can send deliberately invalid requests.
struct RawClient {
  let port: Int
  let authority: String
  /// The cipher suites to offer, or `nil` for those of the library.
  ///
  /// If they are set, the client uses TLS 1.2, in which the client can choose.
  var ciphers: [NIOTLSCipher]?

  func exchange(_ text: String) async throws -> String { try await exchange(ByteBuffer(string: text)) }

  /// Sends bytes, and then `count` more, each in a separate record.
  ///
  /// If `tls` is false, they are sent in plain text.
  ///
  /// If `endsOutput` is true, the client then closes its sending side.
  func exchange(
    _ bytes: ByteBuffer, thenBytes count: Int = 0, tls: Bool = true, endsOutput: Bool = false
  ) async throws -> String {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
    if let ciphers {
      configuration.cipherSuiteValues = ciphers
      configuration.maximumTLSVersion = .tlsv12
    }
    let context = try NIOSSLContext(configuration: configuration)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          if tls {
            try channel.pipeline.syncOperations.addHandler(
              NIOSSLClientHandler(context: context, serverHostname: "localhost"))
          }
          return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      // A server that rejects a request early closes the connection while the client is still sending.
      try? await outbound.write(bytes)
      do { for _ in 0..<count { try await outbound.write(ByteBuffer(string: "a")) } } catch {}
      if endsOutput { outbound.finish() }
      var answer = ByteBuffer()
      do {
        for try await part in inbound { answer.writeImmutableBuffer(part) }
      } catch NIOSSLError.uncleanShutdown {
      } catch NIOSSLError.handshakeFailed {
      } catch let error as IOError where error.errnoCode == ECONNRESET {}
      return String(buffer: answer)
    }
  }
}
