import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Sends bytes over TLS and takes what comes until the server closes: no HTTP of its own, so it can be wrong on purpose.
struct RawClient {
  let port: Int
  let authority: String
  /// Nil: those that the library offers.
  ///
  /// With them TLS 1.2, where the client can choose.
  var ciphers: [NIOTLSCipher]?

  func exchange(_ text: String) async throws -> String { try await exchange(ByteBuffer(string: text)) }

  /// Sends bytes, then `count` more, each in a record of its own; without `tls` they go as they are.
  ///
  /// With `endsOutput` the client then says that it sends nothing more.
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
      // A server that refuses early closes while it is still being talked to.
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
